// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the frames. Sorts the particles by id across the ranks, and appends one row to every element of the
// trajectory group.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "result/units.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// The data of one particle in a frame, sent between ranks as bytes.
struct FrameRow {
    std::uint64_t id = 0;
    std::array<double, 3> position{};
    std::array<double, 3> velocity{};
    std::array<std::int64_t, 3> image{};
    double radius = 0;
    double mass = 0;
    std::uint32_t species = 0;
    std::uint32_t unused = 0;  ///< explicit padding
};
static_assert(sizeof(FrameRow) == 104 && std::is_trivially_copyable_v<FrameRow>);

/// x rounded to float32, but always below `length`: a position in [0, length) stays in this range.
float rounded_below(double x, double length);

class FrameWriter {
  public:
    FrameWriter() = default;
    /// Creates the trajectory group and its elements, without frames. Collective.
    FrameWriter(hid_t file, const ResultDescription& description);
    /// Opens the group of an existing file and cuts it back to its first frames. `own_sum` is this rank's
    /// part of their checksum. Collective.
    static FrameWriter reopen(hid_t file, const ResultDescription& description, std::uint64_t num_frames,
                              std::uint64_t own_sum);

    /// Appends a frame, not yet committed. Throws RunError on all ranks when the particles of all ranks are
    /// not the described number of different ids. Collective.
    void write(Exchange& exchange, std::uint64_t step, double time, const Particles& owned);

    std::uint64_t num_frames() const { return num_frames_; }
    /// This rank's part of ResultSums::frames.
    std::uint64_t own_sum() const { return own_sum_; }
    /// Times of the frames in the file. Called on all ranks.
    std::vector<double> read_times() const;
    /// Bytes that one more frame needs.
    std::uint64_t frame_bytes() const;

  private:
    void create_element(hid_t group, const char* name, hid_t type, const hdf5::Extents& row,
                        hdf5::Dataset& value);
    void write_units(const FrameUnits& units);
    void agree_on_thickness(Exchange& exchange, const std::vector<FrameRow>& rows);
    void write_series(Exchange& exchange, std::uint64_t step, double time);
    void write_constants(Exchange& exchange, const std::vector<FrameRow>& rows, std::uint64_t first);
    template <class Real>
    void write_reals(Exchange& exchange, const std::vector<FrameRow>& rows, std::uint64_t first);
    void write_integers(Exchange& exchange, const std::vector<FrameRow>& rows, std::uint64_t first);
    template <class Number>
    void append(Exchange& exchange, hdf5::Dataset& dataset, const char* name, std::uint64_t first,
                const std::vector<Number>& values);
    template <class Number>
    void write_from_rank_0(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
                           const hdf5::Extents& row, std::span<const Number> values);
    void write_constant(Exchange& exchange, hdf5::Dataset& dataset, const char* name, std::uint64_t first,
                        const std::vector<double>& values);

    Box box_;
    double thickness_ = 0;  ///< of a layer of discs: the largest diameter; 0 until the first frame is written
    std::uint64_t num_particles_ = 0;
    Precision precision_ = Precision::float64;
    bool is_compressed_ = false;
    hdf5::Dataset step_, time_, box_edges_;
    hdf5::Dataset position_, velocity_, image_, id_, species_;
    hdf5::Dataset radius_, mass_;
    std::uint64_t num_frames_ = 0;
    std::uint64_t own_sum_ = 0;
};

}  // namespace ricochet
