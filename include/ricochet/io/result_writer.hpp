// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the result of a run: one HDF5 file, an H5MD 1.1 trajectory with more beside it, written by all ranks
// together. Every dataset holds the same bytes for any number of ranks and any spread of the particles over
// them: frames are ordered by id, the collision log by the order of the contacts. The layout of the HDF5 file
// around the datasets is not part of that promise.
//
// THE FILE (format version 1). T frames, N particles, R logged collisions, S samples. Numbers are
// little-endian; u64, i64, u32 are integers, f64 floating point; "real" is f64, or f32 when so chosen.
//
//   /h5md                               H5MD: attributes version (1, 1); author/name; creator/name, version
//   /particles/trajectory/              one H5MD particles group, rows in ascending id in every frame
//       box                             attributes dimension (3), boundary ("periodic" or "none" per axis;
//                                       a pair of walls is "none"); see below for discs
//       box/edges/{step,time,value}     f64 [T][3][3], diagonal
//       position/{step,time,value}      real [T][N][3], in [0, L)
//       velocity/{step,time,value}      real [T][N][3]
//       image/{step,time,value}         i64 [T][N][3], unwrapped position = position + image * L
//       id/{step,time,value}            u64 [T][N], ascending
//       species/{step,time,value}       u32 [T][N], index into /ricochet/species
//       radius, mass                    f64 [N], for all frames, in the order of frame 0
//     step u64 [T] and time f64 [T] are one dataset each, linked into every element.
//     attribute unit of time, position/value, velocity/value, box/edges/value and radius: where MDAnalysis
//     knows the words of the input (io/units.hpp)
//   /ricochet                           attributes: format_version, title, dimension (2 or 3), size f64[3],
//                                       boundary ("periodic" or "reflecting" per axis), num_particles,
//                                       timestep, seed, precision ("float64" or "float32")
//   /ricochet/complete                  one record of u64 {frames, collisions, samples, steps}, see below
//   /ricochet/checksums                 [2], records of u64: serial, the four counters, sum_frames,
//                                       sum_collisions, sum_samples, description, own: see below
//   /ricochet/species                   attributes name, count (one entry per species)
//   /ricochet/units, /ricochet/notes    attributes: words on units, and on what the numbers mean
//   /ricochet/input                     attributes text (the input file), effective (with all defaults)
//   /ricochet/identity                  attributes: run_id, input_hash, start_hash (io/run_identity.hpp)
//   /ricochet/collisions                [R], one record per contact, of the lowest rank with both
//       step u64, time f64 (within the step), generation u64, a u64, b u64 (ids, a < b; the wall of face f =
//       2 axis + side is 2^63 + f), species_a u32, species_b u32 (2^32 - 1: wall), point f64[3] (where the
//       surfaces touch), normal f64[3] (unit, from a to b), impulse f64 (given to b along the normal),
//       speed f64 (relative normal speed of approach)
//     in chronological order: by (step, time, generation, a, b), which no two records share.
//     attributes: sorted (1), selection ("all", "none" or "pairs"), pairs u32 [n][2], byte_budget; and when
//     the budget ended the log, first_missing_step and stopped_because; units, one word per field
//   /ricochet/observables/<name>/       step u64 [S], time f64 [S] (one dataset each, linked into all), value
//                                       f64 [S] or [S][k]; attributes meaning, labels (of the k components)
//   /observables                        the same group, where there is one sample per frame and no other
//   /ricochet/provenance                attributes: program, git, compiler, compiler_flags, libraries, ranks,
//                                       chunks, from the program command, date, cpu and search of the first
//                                       part (of the others in part_2, part_3, ...): what compare leaves out;
//                                       at the end wall_time_seconds, and from the program parts,
//                                       seconds_per_phase, computing_seconds (app/report.hpp), end; times are
//                                       those of all parts of a run that was continued
//
// Chunks. What grows (all with a T, R or S above) is stored in chunks, chosen by size: where a row (one frame
// of one element, one record, one sample) has less than 64 KiB, a chunk has as many rows as fit into 64 KiB;
// a row of up to 1 MiB is one chunk; a larger one is cut along the particles into equal chunks of at most 1
// MiB. Packed ones (gzip) never have more than one row. The chunks of a file stand in /ricochet/provenance,
// attribute chunks, and in the log at its creation: extents in rows, particles, axes, and the size of a
// chunk.
//
// Complete rows. A frame counts when all of it is in the file: data first, then a flush, then the counters in
// /ricochet/complete (a raw write of 32 bytes that is visible at once, without touching any metadata). What
// lies beyond the counters is void: a killed run leaves such rows. The collision log is complete for all
// steps below `steps`. Readers trust only the counters; MDAnalysis and others, which do not know them, may
// see void rows at the end of a killed run's file.
//
// Checksums. Before the counters each flush writes checksums of all complete rows and of the description (all
// attributes, shapes and types) over the older of two records. `ricochet info --verify` and a run that goes
// on hold the file against the one that fits the counters (src/io/result_seal.hpp, result_sums.hpp).
//
// Why H5MD in this form: MDAnalysis 2.4 reads only groups named "trajectory", dimension 3, time-dependent
// edges 3x3, explicit step and time arrays. It takes row k of /observables for frame k, whatever their steps
// are (hence /ricochet/observables, and /observables only where that is right), and refuses unit attributes
// that it does not know. Without them it opens the file by MDAnalysis.Universe(path, n_atoms=N,
// convert_units=False). It does not read ids, which are in file order. Discs: z = 0, the third boundary
// "none", the third edge the largest diameter (the thickness of the layer). ParaView opens the .xdmf file
// that is kept beside the .h5md.
//
// Why rows by id: the file is the same for all rank counts, and a particle keeps its row. Disadvantage: every
// frame crosses the network once (104 bytes per particle).
//
// Errors: what can be foreseen (no space left, lost or duplicate particles, an existing file) is thrown by
// all ranks alike as RunError or InputError, and the file stays readable. An Hdf5Error may be thrown on one
// rank alone: abort the program then (hdf5_error.hpp). The destructor closes nothing: call close().
#pragma once

#include <boost/mpi/communicator.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ricochet/core/particles.hpp"
#include "ricochet/events/contact.hpp"
#include "ricochet/io/result_description.hpp"
#include "ricochet/io/run_state.hpp"

namespace ricochet {

class ResultWriter {
  public:
    /// Creates the file, and replaces an existing one if `replace`. The file gets its name once it is whole,
    /// without frames; an earlier one of that name stays untouched until then. All arguments are the same on
    /// all ranks. Throws InputError on all ranks when the path cannot be written (see check_output_path).
    /// Collective.
    ResultWriter(const boost::mpi::communicator& ranks, const std::string& path,
                 const ResultDescription& description, bool replace);
    /// Opens the file of a run that stopped or was killed, cuts it back to `position`, and goes on from
    /// there: the file is then as if the run had never gone beyond. `description` is that of the run that
    /// goes on; only the input's texts are taken from it, the rest is as in the file. Throws InputError on
    /// all ranks, and leaves the file as it is, when there is none, when it is not of the run that
    /// description.identity names, when it holds less than `position`, or when what it holds up to there is
    /// not what was written (result_check.hpp). Collective. Reads all of these rows, which the ranks share;
    /// `on_piece` is called now and then.
    static ResultWriter reopen(
        const boost::mpi::communicator& ranks, const std::string& path, const ResultDescription& description,
        const ResultPosition& position, const std::function<void()>& on_piece = [] {});
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;
    ResultWriter(ResultWriter&&) noexcept;
    ResultWriter& operator=(ResultWriter&&) noexcept;
    ~ResultWriter();

    /// Appends a frame from the particles that each rank owns, in any order, and commits it together with
    /// everything buffered. Positions must be wrapped. Throws RunError on all ranks when the particles are
    /// not num_particles different ones. Collective. O(n log n) per rank, one exchange of all particles.
    void write_frame(std::uint64_t step, double time, const Particles& owned);

    /// Notes contacts of `step` that no other rank notes, in any order; steps must not decrease. Local.
    void append_contacts(std::uint64_t step, std::span<const Contact> contacts);

    /// Notes a sample: the values of all observables one after another, in the order of the description.
    /// Only what rank 0 passes counts. Local.
    void append_observables(std::uint64_t step, double time, std::span<const double> values);

    /// Writes and commits what is buffered. When this happens changes no dataset. Collective.
    void flush();

    /// flush() if some rank buffers more than `max_bytes`: bounds the memory between frames. Collective.
    void flush_if_full(std::size_t max_bytes = std::size_t{64} << 20);

    /// Flushes, notes the wall time and further provenance, closes the file, completes the .xdmf. Collective.
    void close(double wall_time_seconds, std::span<const NamedText> provenance = {});

    /// A sentence for the user once the collision log has met its byte budget, on all ranks. Local.
    std::optional<std::string> collision_log_notice() const;

    /// The chunks of the growing datasets, as in /ricochet/provenance. Local.
    std::string describe_chunks() const;

    std::uint64_t num_frames() const;
    /// What the file holds as of the latest flush, the same on all ranks. Local.
    ResultPosition position() const;

  private:
    ResultWriter();

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace ricochet
