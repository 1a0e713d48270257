// SPDX-License-Identifier: BSD-3-Clause
//
// A result, finished or not, opened for reading by one rank. Only the counters of complete rows are trusted.
// Nothing is read as a whole, since frames and logs may be larger than the memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hdf5/complete_rows.hpp"
#include "hdf5/hdf5_file.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// Rows that are read at a time.
inline constexpr std::uint64_t rows_per_block = std::uint64_t{1} << 16;

struct FrameStamp {
    std::uint64_t step = 0;
    double time = 0;
};

class ResultReader {
  public:
    /// Throws InputError when the file does not exist, is no HDF5 file, or is no result of this program or of
    /// a later format. Also throws it when the file refers to other files (self_contained.hpp), or counts
    /// rows that it does not have. Throws Hdf5Error when reading fails.
    explicit ResultReader(const std::string& path);

    const std::string& path() const { return path_; }
    hid_t file() const { return file_.get(); }
    /// Title, box, bodies, species (name, count), number of particles, timestep, seed, precision, units, notes, input
    /// texts, provenance, observables, collision log options.
    const ResultDescription& description() const { return description_; }
    /// The bodies of the description, and what spheres are in those that are many.
    std::vector<Body> bodies_with_spheres() const;
    const CompleteRows& complete() const { return complete_; }
    hdf5::Dataset open(const std::string& path) const;
    FrameStamp stamp(std::uint64_t frame) const;
    /// The steps that the run has done, as far as the file tells: all of a run that has ended or stopped. Of a
    /// killed one those up to the latest frame or sample, or up to which the log is complete.
    std::uint64_t num_steps() const;
    /// The number of rows as of a complete frame, those without a particle included.
    std::uint64_t num_rows(std::uint64_t frame) const;
    /// As of the last complete frame, or of the start.
    std::uint64_t num_rows() const;

  private:
    void read_description();
    void require_complete_rows() const;
    void require_shape(const std::string& dataset, const hdf5::Extents& least) const;
    void read_species(hid_t group);
    void read_observables(hid_t group);
    void read_collision_options(hid_t group);

    std::string path_;
    hdf5::Handle file_;
    ResultDescription description_;
    CompleteRows complete_;
};

/// Opens an HDF5 file that the user has named. Throws InputError when there is none, or another kind of file, or
/// one whose run was killed while it wrote (interrupted_write.hpp).
hdf5::Handle open_named_file(const std::string& path);

/// An attribute as text; the first number of one that holds numbers.
std::string attribute_as_text(hid_t object, const char* name);
/// All string attributes of a group, in alphabetical order; numbers as text.
std::vector<NamedText> read_texts_of(hid_t group);

}  // namespace ricochet
