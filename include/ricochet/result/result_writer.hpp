// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the result of a run: one HDF5 file, an H5MD 1.1 trajectory with additions, written by all ranks
// together.
//
// Every dataset holds the same bytes for any number of ranks and any distribution of the particles over them.
// Frames are ordered by id, the collision log by the order of the contacts. src/result/FORMAT.md has the layout.
//
// A frame counts when the counters in the file say so. They are written last, after data, flush and checksums. So what
// a killed run leaves can be read up to them, and continued.
//
// Errors. All ranks throw foreseeable errors alike, as RunError or InputError: no space left, lost or
// duplicate particles, an existing file. The file then stays readable. An Hdf5Error may be thrown on one rank
// alone: abort the program then (core/error.hpp). The destructor closes nothing: call close().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ricochet/files/result_position.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

class ResultWriter {
  public:
    /// Creates the file, and replaces an existing one if `replace`. The file gets its name once it is whole,
    /// without frames. An earlier one of that name is unchanged until then. All arguments but `own_ids` are
    /// the same on all ranks. Throws InputError on all ranks when the path cannot be written (see
    /// check_output_path). Collective.
    ///
    /// `own_ids` are those of the particles that this rank owns at the start, in any order. They are kept where
    /// particles can come and ids have gaps. Without any, on all ranks, rows are those of the first frame.
    /// Throws RunError on all ranks when they are not num_particles different ones.
    ResultWriter(Exchange& exchange, const std::string& path, const ResultDescription& description,
                 bool replace, std::vector<ParticleId> own_ids = {});
    /// Opens the file of a run that stopped or was killed, cuts it back to `position`, and continues it. The
    /// file is then as if the run had never gone beyond. Only the texts of the input are taken from
    /// `description`; the rest is as in the file. Where particles change, description.num_particles may be
    /// that of the position.
    ///
    /// Throws InputError on all ranks, and leaves the file unchanged, when the file is missing or not of the
    /// run that description.identity names. Also throws when it holds less than `position`, or when rows up
    /// to there are damaged (result_check.hpp). Likewise when frames are asked for and their rows are not known.
    /// Collective. The ranks share the reading of these rows; `on_piece` is called now and then.
    static ResultWriter reopen(
        Exchange& exchange, const std::string& path, const ResultDescription& description,
        const ResultPosition& position, const std::function<void()>& on_piece = [] {});
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;
    ResultWriter(ResultWriter&&) noexcept;
    ResultWriter& operator=(ResultWriter&&) noexcept;
    ~ResultWriter();

    /// Appends a frame from the particles that each rank owns, in any order. It is committed, together with
    /// everything buffered, if the latest commit is description.flush_every_seconds ago. Positions must be
    /// wrapped. Throws RunError on all ranks when the particles are not num_particles different ones. Where
    /// particles change, later frames may have fewer, all of them of the first frame, and new ones from
    /// first_new_id on. Collective. O(n) per rank, and O(n log n) where ids have gaps; one exchange of the
    /// particles whose rows other ranks write.
    void write_frame(std::uint64_t step, double time, const Particles& owned);

    /// Buffers contacts of `step`, in any order. Local.
    /// Requires: each contact is passed on one rank; steps do not decrease.
    void append_contacts(std::uint64_t step, std::span<const Contact> contacts);

    /// Buffers a sample: the values of all observables, in the order of the description. Only the values of
    /// rank 0 count. Local.
    void append_observables(std::uint64_t step, double time, std::span<const double> values);

    /// Writes and commits the buffers, and waits for the disk. The moment of this changes no dataset. Collective.
    void flush();

    /// Writes and commits the buffers if some rank's have more than `max_bytes`: bounds the memory between frames.
    /// Likewise if frames wait for it since description.flush_every_seconds. Collective.
    void flush_if_due(std::size_t max_bytes = std::size_t{16} << 20);

    /// Flushes, and stores that an error of all ranks ends the run, in the words of rank 0. The file stays unfinished,
    /// and can be continued from a checkpoint. Call it once. Collective.
    void note_error(const std::string& text);

    /// Flushes, stores the wall time and further provenance, closes the file, completes the .xdmf.
    /// Collective.
    void close(double wall_time_seconds, std::span<const NamedText> provenance = {});

    /// A sentence for the user once the collision log has reached its byte budget, on all ranks. Local.
    std::optional<std::string> collision_log_notice() const;

    /// The chunks of the growing datasets, as in /ricochet/provenance. Local.
    std::string describe_chunks() const;

    std::uint64_t num_frames() const;
    /// The extent of the file as of the latest flush, the same on all ranks. Local.
    ResultPosition position() const;

  private:
    ResultWriter();

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace ricochet
