// SPDX-License-Identifier: BSD-3-Clause
//
// The datasets of the frames: the elements of the trajectory group, one number or three per row. Where
// particles can come later, all elements grow along the rows too, and /ricochet/rows counts these.
//
// A row that is added holds fill values in earlier frames. HDF5 writes them when it allocates chunks. So a
// frame with more rows costs little, unless it begins new chunks in all frames.
//
// A row without a particle repeats the position of the first particle of its frame, so that other programs draw no
// cloud at 0. Rows that are added keep 0 in earlier frames. A fill value is one number for all three coordinates, and
// packed chunks are written only once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "result/frame_row.hpp"
#include "result/units.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// x rounded to float32, but always below `length`: a position in [0, length) stays in this range.
float rounded_below(double x, double length);

/// Step and time of a frame, and its edges, row by row.
struct FrameHead {
    std::uint64_t step = 0;
    double time = 0;
    std::array<double, 9> edges{};
};

class FrameColumns {
  public:
    FrameColumns() = default;
    /// Creates the trajectory group and its elements, without frames. Collective.
    FrameColumns(hid_t file, const ResultDescription& description);
    /// Opens the group of an existing file and cuts it back to its first frames, and to the rows that these
    /// have. `own_sum` is this rank's part of their checksum. The numbers of rows, and whether particles
    /// change, are as in the file. Collective.
    static FrameColumns reopen(hid_t file, const ResultDescription& description, std::uint64_t num_frames,
                               std::uint64_t own_sum);

    /// Appends a frame of `num_rows` rows, no fewer than before. `blocks` are those of this rank, as many as
    /// on the other ranks. Collective.
    void append(Exchange& exchange, const FrameHead& head, std::span<const FrameSources> blocks,
                std::uint64_t num_rows);

    std::uint64_t num_frames() const { return num_frames_; }
    /// The rows of the latest frame, with those of absent particles.
    std::uint64_t num_rows() const { return num_rows_; }
    /// The rows of the particles of the start.
    std::uint64_t num_first_rows() const { return num_first_rows_; }
    std::optional<std::uint64_t> first_new_id() const { return first_new_id_; }
    bool has_changing_particles() const { return has_changing_particles_; }
    /// This rank's part of ResultSums::frames.
    std::uint64_t own_sum() const { return own_sum_; }
    /// Bytes that the next frame adds to the file if it has this number of rows. Local.
    std::uint64_t frame_bytes(std::uint64_t num_rows) const;

    /// Times of the frames in the file. Called on all ranks.
    std::vector<double> read_times() const;
    /// The number of rows as of each frame in the file. Called on all ranks.
    std::vector<std::uint64_t> read_rows() const;
    /// The ids of frame 0 in these rows.
    std::vector<std::uint64_t> read_first_ids(std::uint64_t first, std::uint64_t count) const;
    /// The third edge in the latest frame; 0 before there is one.
    double read_thickness() const;

  private:
    template <class Number>
    void create_column(hid_t group, const char* name, hdf5::Dataset& value, Number fill_value = 0,
                       hsize_t width = 1);
    void create_element(hid_t group, const char* name, hid_t type, const hdf5::Extents& row,
                        const hdf5::Storage& storage, hdf5::Dataset& value);
    template <class Real>
    void create_reals(hid_t group);
    void create_radius_and_mass(hid_t group);
    void write_units(const FrameUnits& units);
    void open_elements(hid_t group);
    void open_rows(hid_t group);
    void cut_back();
    void write_radius_and_mass(Exchange& exchange, const FrameSources& block);
    template <class Real>
    void write_reals(Exchange& exchange, const FrameSources& block);
    void write_integers(Exchange& exchange, const FrameSources& block);
    void write_head(Exchange& exchange, const FrameHead& head);
    template <class Number, std::size_t width, class Field>
    void write_rows(Exchange& exchange, hdf5::Dataset& dataset, const char* name, const FrameSources& block,
                    Field field);
    template <class Number>
    std::uint64_t sum_of_rows(const char* name, std::uint64_t first, std::uint64_t width,
                              std::span<const Number> values, std::span<const std::byte> fill_value) const;
    template <class Number>
    std::span<Number> room_for(std::uint64_t count);
    template <class Number>
    void write_from_rank_0(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
                           const hdf5::Extents& row, std::span<const Number> values);

    Vec3 box_size_;
    std::uint64_t num_rows_ = 0;
    std::uint64_t num_first_rows_ = 0;
    std::optional<std::uint64_t> first_new_id_;
    bool has_changing_particles_ = false;
    Precision precision_ = Precision::float64;
    bool is_compressed_ = false;
    hdf5::Dataset step_, time_, box_edges_;
    hdf5::Dataset position_, velocity_, image_, id_, species_;
    hdf5::Dataset radius_, mass_;
    hdf5::Dataset rows_;  ///< num_rows_ as of each frame, where that grows
    std::uint64_t num_frames_ = 0;
    std::uint64_t own_sum_ = 0;
    Vec3 place_of_absent_;  ///< the position that rows without a particle show in the frame being written
    std::vector<std::byte> memory_;  ///< for one column at a time, kept from frame to frame
};

}  // namespace ricochet
