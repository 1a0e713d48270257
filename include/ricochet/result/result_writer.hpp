// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the result of a run: one HDF5 file, an H5MD 1.1 trajectory with additions, written by all ranks
// together.
//
// Every dataset holds the same bytes for any number of ranks and any distribution of the particles over them.
// Frames are ordered by id, the collision log by the order of the contacts. The layout of the HDF5 file
// around the datasets may differ.
//
// THE FILE (format version 2; that of runs whose contacts only bounce has version 1). T frames, N particles, R logged
// collisions, S samples. Numbers are little-endian; u64, i64, u32 are integers, f64 floating point; "real" is f64, or
// f32 when so chosen.
//
//   /h5md                               H5MD: attributes version (1, 1); author/name; creator/name, version
//   /particles/trajectory/              one H5MD particles group, rows in ascending id in every frame
//                                       (but see "Particles that change")
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
//     Attribute unit of time, position/value, velocity/value, box/edges/value and radius: where MDAnalysis
//     knows the words of the input (result/units.hpp)
//   /ricochet                           attributes: format_version, title, dimension (2 or 3), size f64[3],
//                                       boundary ("periodic" or "reflecting" per axis), num_particles,
//                                       timestep, seed, precision ("float64" or "float32");
//                                       changing_particles (1), where particles change;
//                                       first_new_id u64, where particles can come later
//   /ricochet/complete                  one record of u64 {frames, collisions, samples, steps}, see below
//   /ricochet/checksums                 [2], records of u64: serial, the four counters, sum_frames,
//                                       sum_collisions, sum_samples, description, own: see below
//   /ricochet/species                   attributes name, count (one entry per species)
//   /ricochet/units, /ricochet/notes    attributes: words on units, and on what the numbers mean
//   /ricochet/input                     attributes text (the input file), effective (with all defaults)
//   /ricochet/identity                  attributes: run_id, input_hash, start_hash (files/run_identity.hpp)
//   /ricochet/collisions                [R], one record per contact:
//       step u64                        the step of the contact
//       time f64                        since the beginning of the step; since step 0: step * timestep + time
//       generation u64
//       a u64, b u64                    ids, a < b; the wall of face f = 2 axis + side has id 2^63 + f
//       species_a u32, species_b u32    2^32 - 1 for a wall
//       point f64[3]                    where the surfaces touch
//       normal f64[3]                   unit vector from a to b
//       impulse f64                     given to b along the normal; negative where a tether pulls
//       speed f64                       relative normal speed of approach
//     and where contacts do more than bounce (version 2):
//       rule u32                        place in the input's list contacts.pairs; 2^32 - 1: in none
//       outcome u32                     index into the attribute outcomes: what came of the contact
//       product_a u32, product_b u32    species that a and b have afterwards; 2^32 - 1: ended, or a wall
//     An id keeps its name: what continues partner a is a itself. So ends are the rows with species_a and
//     without product_a, likewise of b. Rows of "let_pass", two wedged ones that did not rebound, and of
//     "pass" have impulse 0.
//     Decays have rows with the outcome "decay" if all contacts are logged. Their rule is the place in the input's
//     list decays; impulse and speed are 0. Time is 0 before the drive, and the timestep after the drift. One id is the
//     parent's. The other is the newborn's, with species 2^32 - 1 before; without a second product b is 2^64 - 1, with
//     product_b 2^32 - 1. So births minus ends is the change of the number of particles. Tethers that form, pull and
//     break have the outcomes "stick", "hold" and "part". A "hold" has negative impulse and speed; its point is on the
//     surface of a, towards b. A "part" is no contact: it has time 0, the centre of a for its point, and 0 for normal,
//     impulse and speed. So the rows of a pair tell from when to when it was tethered. Records are in chronological
//     order: by (step, time, generation, a, b), which no two contacts share. Rows of "part", and of decays at time 0,
//     come first in their step, in the order of (a, b). Attributes: sorted (1), timestep f64, meaning_of_time (words),
//     selection ("all", "none" or "pairs"), pairs u32 [n][2], byte_budget; outcomes (words), where rows tell them. Also
//     first_missing_step and stopped_because, when the budget ended the log; units, one word per field.
//   /ricochet/observables/<name>/       step u64 [S], time f64 [S] (one dataset each, linked into all), value
//                                       f64 [S] or [S][k]; attributes meaning, labels (of the k components)
//   /observables                        the same group, where there is one sample per frame and no other
//   /ricochet/provenance                attributes, left out by compare. From the library: program, git,
//                                       compiler, compiler_flags, libraries, ranks, chunks.
//                                       From the program: command, date, cpu and search of the first part;
//                                       part_2, part_3, ... have those of later parts.
//                                       At the end: wall_time_seconds, and from the program parts,
//                                       seconds_per_phase, computing_seconds (run/report.hpp), end;
//                                       start: what has become of a lattice by step 0.
//                                       Times are those of all parts of a run that was continued.
//
// Particles that change (version 2, attribute changing_particles). Where contacts change species, radius and
// mass, and particles end, N is the number at the start. Every particle of frame 0 keeps its row for good.
// Rows without a particle hold the fill values: id 2^64 - 1 (H5MD's mark, -1), species 2^32 - 1, and 0 for all
// else. Radius and mass are elements like the others:
//       radius, mass/{step,time,value}  f64 [T][N]
// The second axis of all these elements has no limit. If particles ended before the first frame and none can
// come, their rows are the last. The edge of a layer of discs is the largest diameter so far. Readers of a constant
// number of particles, such as MDAnalysis, see absent ones as resting at 0, and tell them by the species.
//
// Particles that come later (attribute first_new_id). All ids of the start are below it. New ids begin with it
// and have no gaps. New particle i has row N + i - first_new_id for good; N stays the number at the start. The
// second axis grows when a frame has a particle beyond it:
//       /ricochet/rows                  u64 [T], the number of rows as of each frame
//       /ricochet/start_ids             u64 [N], ascending: the ids of rows 0 to N - 1; left out if first_new_id
//                                       is N, where row i is that of id i. Counts in sum_frames
// Earlier frames hold fill values in new rows. An id that ended may come back to its row, also when it ended
// before the first frame. Files of earlier versions have no start_ids: their rows are those of frame 0.
//
// Chunks. Growing datasets (all with a T, R or S above) are stored in chunks, chosen by the size of a row. A
// row is one frame of one element, one record, or one sample. Rows of less than 64 KiB share a chunk of at
// most 64 KiB. A row of up to 1 MiB is one chunk. A larger row is cut along the particles into equal chunks
// of at most 1 MiB. Where particles can come later, a chunk has room for 256 or more. Packed chunks (gzip)
// never have more than one row. The provenance lists the chunks, as does the log with --verbose: extents in
// rows, particles, axes, and the size in bytes.
//
// Complete rows. A frame counts when all of it is in the file. Data are written first, then flushed, then the
// counters in /ricochet/complete follow. This is a raw write of 32 bytes, visible at once, that touches no
// metadata. Rows beyond the counters are void; a killed run leaves such rows. The collision log is complete
// for all steps below `steps`. Readers trust only the counters. MDAnalysis and others do not know them, and
// may see void rows at the end of a killed run's file.
//
// Kills. HDF5 overwrites its metadata in place. While a run has the file open, <file>.undo keeps what has been
// overwritten since the latest flush (src/files/undo_journal.hpp). A continued run puts it back before it reads.
//
// Checksums. Before the counters each flush writes checksums of all complete rows and of the description: all
// attributes, shapes and types. They replace the older of two records. `ricochet info --verify` and continued
// runs compare the file with the record that fits the counters (src/result/result_seal.hpp, result_sums.hpp).
//
// Why H5MD in this form: MDAnalysis 2.4 reads only groups named "trajectory", dimension 3, time-dependent
// edges 3x3, and explicit step and time arrays. It takes row k of /observables for frame k, whatever their
// steps are. So samples are stored in /ricochet/observables, and linked as /observables only where that is
// right. It refuses unit attributes that it does not know. Without them it opens the file by
// MDAnalysis.Universe(path, n_atoms=N, convert_units=False). It does not read ids, which are in file order.
//
// Discs have z = 0, the third boundary "none", and as third edge the largest diameter, the thickness of the
// layer. ParaView opens the .xdmf file that is kept beside the .h5md.
//
// Rows are ordered by id, so that the file is the same for all rank counts, and a particle keeps its row.
// Disadvantage: every frame crosses the network once (104 bytes per particle). Absent rows cost room: 100 bytes
// each in every frame, next to nothing if packed.
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
    /// to there are damaged (result_check.hpp). Likewise when frames are asked for and nobody knows their rows.
    /// Collective. The ranks share the reading of these rows; `on_piece` is called now and then.
    static ResultWriter reopen(
        Exchange& exchange, const std::string& path, const ResultDescription& description,
        const ResultPosition& position, const std::function<void()>& on_piece = [] {});
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;
    ResultWriter(ResultWriter&&) noexcept;
    ResultWriter& operator=(ResultWriter&&) noexcept;
    ~ResultWriter();

    /// Appends a frame from the particles that each rank owns, in any order, and commits it together with
    /// everything buffered. Positions must be wrapped. Throws RunError on all ranks when the particles are
    /// not num_particles different ones. Where particles change, later frames may have fewer, all of them of
    /// the first frame, and new ones from first_new_id on. Collective. O(n log n) per rank, one exchange of
    /// all particles.
    void write_frame(std::uint64_t step, double time, const Particles& owned);

    /// Buffers contacts of `step`, in any order. Each contact is passed on one rank; steps must not decrease.
    /// Local.
    void append_contacts(std::uint64_t step, std::span<const Contact> contacts);

    /// Buffers a sample: the values of all observables, in the order of the description. Only the values of
    /// rank 0 count. Local.
    void append_observables(std::uint64_t step, double time, std::span<const double> values);

    /// Writes and commits the buffers. The moment of this changes no dataset. Collective.
    void flush();

    /// flush() if some rank buffers more than `max_bytes`: bounds the memory between frames. Collective.
    void flush_if_full(std::size_t max_bytes = std::size_t{64} << 20);

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
