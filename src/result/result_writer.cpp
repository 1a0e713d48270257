// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/result/result_writer.hpp"

#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "files/output_lock.hpp"
#include "files/output_path.hpp"
#include "files/output_watch.hpp"
#include "hdf5/complete_rows.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_description.hpp"
#include "hdf5/output_in_progress.hpp"
#include "hdf5/recovery.hpp"
#include "hdf5/reserved_room.hpp"
#include "hdf5/storage_note.hpp"
#include "parallel/collectives.hpp"
#include "result/collision_log.hpp"
#include "result/description_writer.hpp"
#include "result/frame_writer.hpp"
#include "result/observable_writer.hpp"
#include "result/result_check.hpp"
#include "result/result_creation.hpp"
#include "result/result_reader.hpp"
#include "result/result_seal.hpp"
#include "result/result_sums.hpp"
#include "result/start_ids.hpp"
#include "result/units.hpp"
#include "result/xdmf.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// More must not wait for one flush: HDF5 holds the index of its chunks in memory until then (hdf5_file.cpp).
constexpr std::uint64_t most_uncommitted_bytes = std::uint64_t{64} << 20;
/// The least room that is reserved at a time. Many small frames then share it.
constexpr std::uint64_t least_room = std::uint64_t{4} << 20;

std::string name_of(const RunIdentity& identity) {
    return identity.run_id.empty() ? "(unknown)" : identity.run_id;
}

/// Room in the file for the notes at the end of a run, in bytes.
constexpr std::uint64_t notes_bytes = 1 << 16;

constexpr const char* rows_are_unknown =
    ": has no frames and does not tell the ids of the start, as an earlier version of ricochet wrote it, so "
    "frames cannot begin now: continue with output.trajectory_every: 0, or give --force to start anew";

// Whether the first frame is yet to come, and those that have ended may come back to rows that are not known.
bool has_unknown_rows(const ResultReader& reader, const ResultPosition& position) {
    return needs_start_ids(reader.description()) && !has_start_ids(reader.file()) && position.frames == 0 &&
           position.log_end_step > 0;
}

// A sentence when the file is not that of the run, or cannot be cut back to the position.
std::optional<std::string> find_reason_against(const std::string& path, const ResultDescription& expected,
                                               const ResultPosition& position) {
    try {
        const ResultReader reader(path);
        const CompleteRows& complete = reader.complete();
        const ResultDescription& found = reader.description();
        if (found.identity != expected.identity)
            return path + ": is the result of run " + name_of(found.identity) +
                   ", and its checkpoint is of run " + name_of(expected.identity) +
                   "; move one of them away, or give --force to start anew";
        // Where particles end, the checkpoint may have fewer.
        if (!found.has_changing_particles && found.num_particles != expected.num_particles)
            return path + ": is of " + std::to_string(found.num_particles) +
                   " particles, but its checkpoint is of " + std::to_string(expected.num_particles);
        if (complete.frames < position.frames || complete.collisions < position.collisions ||
            complete.samples < position.samples)
            return path +
                   ": holds less than its checkpoint says; it is not the file that was written with it";
        if (expected.wants_frames && has_unknown_rows(reader, position)) return path + rows_are_unknown;
        return find_damage_of_structure(path);
    } catch (const InputError& error) {
        return error.what();
    } catch (const RunError& error) {
        return error.what();
    }
}

void require_continuable(Exchange& exchange, const std::string& path, const ResultDescription& expected,
                         const ResultPosition& position, const std::function<void()>& on_piece) {
    check_output_path(exchange, path, true);
    recover_output(exchange, path);
    heal_output_of_earlier_version(exchange, path, expected.identity.run_id);
    std::optional<std::string> problem;
    if (exchange.rank() == 0) problem = find_reason_against(path, expected, position);
    throw_together<InputError>(exchange, problem);
    if (const auto damage = find_damage_of_rows(exchange, path, position, on_piece))
        throw InputError(*damage + "; move it away, or give --force to start anew");
}

}  // namespace

struct ResultWriter::Parts {
    Exchange* exchange = nullptr;
    std::string path;
    Precision precision = Precision::float64;
    hdf5::ParallelFile file;
    hdf5::Dataset complete, seals;
    ResultSeal seal;                  ///< as of the latest commit
    bool description_changes = true;  ///< since the latest commit
    FrameWriter frames;
    CollisionLog collisions;
    ObservableWriter observables;
    std::uint64_t num_frames = 0;                     ///< committed
    std::optional<std::string> collision_log_notice;  ///< as of the latest commit
    /// For the .xdmf file.
    std::vector<double> frame_times;
    std::vector<std::uint64_t> frame_rows;
    bool has_changing_particles = false;
    std::size_t num_frames_in_xdmf = 0;

    Seconds commit_every{}, sync_every{};
    Clock::time_point latest_commit, latest_sync;
    std::uint64_t uncommitted_bytes = 0;  ///< of frames that are written
    std::uint64_t room = 0;               ///< bytes that are reserved for them and for what comes

    OutputWatch watch;  ///< on rank 0

    bool is_root() const { return exchange->rank() == 0; }
    void create(const ResultDescription& description, bool replace, std::vector<ParticleId> own_ids);
    void reopen(const ResultDescription& description, const ResultPosition& position,
                const std::function<void()>& on_piece);
    template <class Change>
    void open(const ResultDescription& description, const ResultPosition& position, const Change& change);
    std::size_t buffered_bytes() const { return collisions.buffered_bytes() + observables.buffered_bytes(); }
    std::uint64_t output_bytes(std::uint64_t frame_bytes) const;
    void require_own_file() const;
    void provide_room(std::uint64_t num_bytes);
    template <class Write>
    void output(std::uint64_t num_bytes, const Write& write, bool is_durable = false);
    bool is_commit_due(std::uint64_t num_bytes) const;
    void write_frame(std::uint64_t step, double time, const Particles& owned);
    void write_buffered();
    void flush(bool is_durable);
    void announce_change_of_description();
    hdf5::FlushTo place_of_flush(bool is_durable);
    void commit(bool is_durable);
    void note_end(double wall_time_seconds, std::span<const NamedText> provenance);
    void update_xdmf();
    void close_objects();
};

void ResultWriter::Parts::create(const ResultDescription& description, bool replace,
                                 std::vector<ParticleId> own_ids) {
    ResultPosition position;
    position.sums = create_empty_result(*exchange, path, description, replace, std::move(own_ids));
    open(description, position, [](hid_t) {});
}

void ResultWriter::Parts::reopen(const ResultDescription& description, const ResultPosition& position,
                                 const std::function<void()>& on_piece) {
    require_continuable(*exchange, path, description, position, on_piece);
    open(description, position, [&](hid_t group) {
        rewrite_input(group, description);
        note_continuation(file.get(), description);
        remove_end(group);
        if (!description.is_sampled_with_frames) unlink_observables(file.get());
    });
    frame_times = frames.read_times();
    frame_rows = frames.read_rows();
}

// The counters are reset first, so that rows are void before they are cut off.
template <class Change>
void ResultWriter::Parts::open(const ResultDescription& description, const ResultPosition& position,
                               const Change& change) {
    const OutputInProgress opening(path);
    precision = description.precision;
    commit_every = Seconds(description.survives_power_loss ? 0 : description.flush_every_seconds);
    sync_every = Seconds(description.survives_power_loss ? 0 : description.sync_every_seconds);
    latest_commit = latest_sync = Clock::now();
    file = hdf5::ParallelFile::reopen(*exchange, path,
                                      {description.identity.run_id, description.survives_power_loss});
    if (is_root()) watch = OutputWatch(path, description.identity.run_id);
    const hdf5::Handle group = hdf5::open_group(file.get(), "ricochet");
    complete = hdf5::Dataset::open(group.get(), "complete");
    seals = hdf5::Dataset::open(group.get(), "checksums");
    seal = read_seal(seals, untorn(read_complete_rows(complete), seals)).value_or(ResultSeal{});
    seal.complete = {position.frames, position.collisions, position.samples,
                     position.first_missing_step.value_or(position.log_end_step)};
    seal.sums = position.sums;
    announce_change_of_description();
    write_complete_rows(*exchange, complete, seal.complete);
    const ResultSums own = is_root() ? position.sums : ResultSums{};
    output(description.input_text.size() + description.effective_input.size(), [&] {
        change(group.get());
        frames = FrameWriter::reopen(*exchange, file.get(), description, position.frames, own.frames);
        collisions = CollisionLog::reopen(group.get(), description.collisions, position, own.collisions);
        observables =
            ObservableWriter::reopen(group.get(), description.observables, position.samples, own.samples);
    });
    has_changing_particles = frames.has_changing_particles();
}

/// Collective.
std::uint64_t ResultWriter::Parts::output_bytes(std::uint64_t frame_bytes) const {
    return frame_bytes + sum_of_ranks(*exchange, buffered_bytes());
}

/// Ends all ranks when the name or the lock of the file belongs to another run by now, as after a failed call
/// of HDF5. MPI_Finalize would let HDF5 write to that file. Collective.
void ResultWriter::Parts::require_own_file() const {
    std::optional<std::string> problem;
    if (is_root()) problem = watch.problem();
    if (is_root() && !problem) problem = lock_of_this_process().problem();
    throw_together<Hdf5Error>(*exchange, problem);
}

/// Reserves room for `num_bytes` beyond what is written already. Collective.
void ResultWriter::Parts::provide_room(std::uint64_t num_bytes) {
    if (num_bytes <= room) return;
    const std::uint64_t num_ahead = std::max(num_bytes, least_room);
    require_free_space(*exchange, path, num_bytes);
    reserve_room(*exchange, path, uncommitted_bytes + num_ahead, watch);
    room = num_ahead;
}

// Writes and commits, in room that has been reserved. If `is_durable`, the disk has it afterwards. Collective.
template <class Write>
void ResultWriter::Parts::output(std::uint64_t num_bytes, const Write& write, bool is_durable) {
    RICOCHET_CHECK(file.is_open());
    require_own_file();
    provide_room(num_bytes);
    write_within(path, num_bytes, [&] {
        write();
        commit(is_durable);
    });
}

/// Whether to commit at once what is written, with `num_bytes` more. By the clock of rank 0. Collective.
bool ResultWriter::Parts::is_commit_due(std::uint64_t num_bytes) const {
    const bool is_due = Clock::now() - latest_commit >= commit_every ||
                        uncommitted_bytes + num_bytes > most_uncommitted_bytes;
    return exchange->bit_or(is_root() && is_due ? 1 : 0) != 0;
}

void ResultWriter::Parts::write_frame(std::uint64_t step, double time, const Particles& owned) {
    const std::uint64_t frame_bytes = frames.frame_bytes(*exchange, owned);
    const auto write = [&] {
        frames.write(*exchange, step, time, owned);
        frame_times.push_back(time);
        frame_rows.push_back(frames.num_rows());
    };
    if (is_commit_due(frame_bytes)) {
        output(output_bytes(frame_bytes), [&] {
            write();
            write_buffered();
        });
        return;
    }
    require_own_file();
    provide_room(frame_bytes);
    write_within(path, frame_bytes, write);
    uncommitted_bytes += frame_bytes;
    room -= frame_bytes;
}

void ResultWriter::Parts::write_buffered() {
    collisions.write_buffered(*exchange);
    observables.write_buffered(*exchange);
    if (!collisions.has_unwritten_notice()) return;
    announce_change_of_description();
    collisions.write_notice();
}

void ResultWriter::Parts::flush(bool is_durable) {
    output(
        output_bytes(0), [&] { write_buffered(); }, is_durable);
}

/// Before it: a run may be killed in the middle of the change. Collective.
void ResultWriter::Parts::announce_change_of_description() {
    description_changes = true;
    seal.description = 0;
    write_seal(*exchange, seals, seal);
}

/// Kills need no sync of the disk, and one takes longer than most frames. By the clock of rank 0. Collective.
hdf5::FlushTo ResultWriter::Parts::place_of_flush(bool is_durable) {
    const bool is_due = is_durable || Clock::now() - latest_sync >= sync_every;
    if (exchange->bit_or(is_root() && is_due ? 1 : 0) == 0) return hdf5::FlushTo::system;
    latest_sync = Clock::now();
    return hdf5::FlushTo::disk;
}

// Data before counters: checksums and counters are written only after the flush of the data and all metadata
// has ended.
void ResultWriter::Parts::commit(bool is_durable) {
    file.flush(place_of_flush(is_durable));
    release_room(*exchange, path, watch);
    latest_commit = Clock::now();
    uncommitted_bytes = room = 0;
    if (is_root()) watch.remember_length();
    seal.complete = {frames.num_frames(), collisions.num_rows(), observables.num_samples(),
                     collisions.num_complete_steps()};
    seal.sums = sum_over(*exchange, {frames.own_sum(), collisions.own_sum(), observables.own_sum()});
    const bool description_has_changed = std::exchange(description_changes, false);
    if (description_has_changed) seal.description = hdf5::hash_of_description(file.get());
    write_seal(*exchange, seals, seal);
    write_complete_rows(*exchange, complete, seal.complete);
    // Overwrites the record that announced the change; it fits the counters too.
    if (description_has_changed) write_seal(*exchange, seals, seal);
    num_frames = frames.num_frames();
    collision_log_notice = collisions.notice();
    if (8 * frame_times.size() >= 9 * num_frames_in_xdmf + 8) update_xdmf();
}

void ResultWriter::Parts::note_end(double wall_time_seconds, std::span<const NamedText> provenance) {
    const hdf5::Handle group = hdf5::open_group(file.get(), "/ricochet/provenance");
    hdf5::write_attribute(group.get(), "wall_time_seconds", wall_time_seconds);
    hdf5::write_attribute(group.get(), "num_steps", collisions.end_step());
    write_texts(group.get(), provenance);
}

void ResultWriter::Parts::update_xdmf() {
    num_frames_in_xdmf = frame_times.size();
    run_on_root<RunError>(*exchange, [&] {
        const std::uint64_t num_stored = frame_rows.empty() ? 0 : frame_rows.back();
        write_xdmf(path, {num_stored, has_changing_particles, precision, frame_times, frame_rows});
    });
}

// HDF5 refuses to close a parallel file of which objects are open.
void ResultWriter::Parts::close_objects() {
    complete = {};
    seals = {};
    frames = {};
    collisions = {};
    observables = {};
}

ResultWriter::ResultWriter(Exchange& exchange, const std::string& path, const ResultDescription& description,
                           bool replace, std::vector<ParticleId> own_ids)
    : parts_(std::make_unique<Parts>()) {
    parts_->exchange = &exchange;
    parts_->path = path;
    parts_->create(description, replace, std::move(own_ids));
}

ResultWriter::ResultWriter() : parts_(std::make_unique<Parts>()) {}

ResultWriter ResultWriter::reopen(Exchange& exchange, const std::string& path,
                                  const ResultDescription& description, const ResultPosition& position,
                                  const std::function<void()>& on_piece) {
    ResultWriter writer;
    writer.parts_->exchange = &exchange;
    writer.parts_->path = path;
    writer.parts_->reopen(description, position, on_piece);
    return writer;
}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;
ResultWriter::~ResultWriter() = default;

void ResultWriter::write_frame(std::uint64_t step, double time, const Particles& owned) {
    parts_->write_frame(step, time, owned);
}

void ResultWriter::append_contacts(std::uint64_t step, std::span<const Contact> contacts) {
    parts_->collisions.append(step, contacts);
}

void ResultWriter::append_observables(std::uint64_t step, double time, std::span<const double> values) {
    if (parts_->is_root()) parts_->observables.append(step, time, values);
}

void ResultWriter::flush() { parts_->flush(true); }

void ResultWriter::flush_if_due(std::size_t max_bytes) {
    const bool frames_wait = parts_->uncommitted_bytes > 0 && parts_->is_commit_due(0);
    const bool is_full = max_of_ranks(*parts_->exchange, parts_->buffered_bytes()) > max_bytes;
    if (frames_wait || is_full) parts_->flush(false);
}

void ResultWriter::note_error(const std::string& text) {
    const std::string of_root = broadcast_text(*parts_->exchange, as_message(in_one_line(text)));
    const std::array<NamedText, 1> end{{{std::string(name_of_error), of_root}}};
    const auto write_end = [&] {
        parts_->write_buffered();
        parts_->announce_change_of_description();
        write_texts(hdf5::open_group(parts_->file.get(), "/ricochet/provenance").get(), end);
    };
    parts_->output(parts_->output_bytes(notes_bytes), write_end, true);
}

void ResultWriter::close(double wall_time_seconds, std::span<const NamedText> provenance) {
    const auto write_end = [&] {
        parts_->write_buffered();
        parts_->announce_change_of_description();
        parts_->note_end(wall_time_seconds, provenance);
    };
    parts_->output(parts_->output_bytes(notes_bytes), write_end, true);
    parts_->close_objects();
    parts_->file.close();
    parts_->update_xdmf();
}

std::optional<std::string> ResultWriter::collision_log_notice() const { return parts_->collision_log_notice; }

std::string ResultWriter::describe_chunks() const { return describe_storage(parts_->file.get()); }

std::uint64_t ResultWriter::num_frames() const { return parts_->num_frames; }

ResultPosition ResultWriter::position() const {
    return {parts_->num_frames,
            parts_->collisions.num_rows(),
            parts_->observables.num_samples(),
            parts_->collisions.end_step(),
            parts_->collisions.first_missing_step(),
            parts_->seal.sums};
}

}  // namespace ricochet
