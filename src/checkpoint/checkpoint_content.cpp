// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/checkpoint_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/checkpoint_rows.hpp"
#include "core/hash.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/identity_attributes.hpp"
#include "hdf5/output_in_progress.hpp"
#include "hdf5/reserved_room.hpp"
#include "parallel/collectives.hpp"
#include "parallel/id_blocks.hpp"
#include "parallel/row_places.hpp"
#include "parallel/row_sources.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/version.hpp"

namespace ricochet {
namespace {

/// The number of rows that are written or read at a time.
constexpr std::uint64_t rows_at_once = std::uint64_t{1} << 15;

constexpr const char* kind_text = "ricochet checkpoint";
/// The observer that every run has. Its state keeps the place from before there were others.
constexpr const char* basic_observer = "observables";

/// The checksum of a list that is the same on all ranks, as one row.
std::array<std::uint64_t, 2> checksum_of(std::span<const std::int64_t> values) {
    Fingerprint sum;
    sum.add(std::as_bytes(values));
    return {sum.first, sum.second};
}

/// Collective.
std::array<std::uint64_t, 2> over_ranks(Exchange& exchange, const Fingerprint& own) {
    std::array<std::uint64_t, 2> sums{own.first, own.second};
    sum_over_ranks(exchange, sums);
    return sums;
}

void write_checksum(hid_t dataset, const std::array<std::uint64_t, 2>& checksum) {
    hdf5::write_attribute(dataset, "checksum", std::span<const std::uint64_t>(checksum));
}

void require_checksum(hid_t dataset, const char* name, const std::array<std::uint64_t, 2>& found) {
    const auto expected = hdf5::read_numbers<std::uint64_t>(dataset, "checksum");
    if (!std::equal(expected.begin(), expected.end(), found.begin(), found.end()))
        throw RunError(std::string("the checksum of its dataset ") + name + " is wrong");
}

// --- writing ---

/// This rank's rows of all pieces. Returns its part of their checksum. Collective.
template <class Row>
Fingerprint write_pieces(Exchange& exchange, hdf5::Dataset& dataset, const RowSources<Row>& rows,
                         bool has_births) {
    const std::size_t bytes = row_bytes<Row>(has_births);
    const hdf5::Handle type = row_type<Row>(has_births, bytes);
    const std::uint64_t longest = max_of_ranks(exchange, rows.num_rows());
    Fingerprint sum;
    std::vector<std::byte> piece;
    for (std::uint64_t begin = 0; begin < longest; begin += rows_at_once) {
        const std::uint64_t first = std::min(begin, rows.num_rows());
        const std::uint64_t count = std::min(rows_at_once, rows.num_rows() - first);
        piece.resize(count * bytes);
        for (std::uint64_t k = 0; k < count; ++k) {
            const Row row = rows.value(first + k, [](const Row& one) { return one; });
            const auto place = std::span(piece).subspan(k * bytes, bytes);
            std::memcpy(place.data(), &row, bytes);
            sum.add(place);
        }
        dataset.write(exchange, {{rows.first_row() + first}, {count}}, type.get(), piece.data());
    }
    return sum;
}

template <class Row>
void write_rows(Exchange& exchange, hid_t file, const CheckpointHeader& header, const Particles& owned) {
    std::vector<std::uint64_t> ids;
    ids.reserve(owned.size());
    for (const Motion& motion : owned.motion) ids.push_back(motion.id);
    const std::uint64_t total = sum_of_ranks(exchange, owned.size());
    std::optional<std::string> problem;
    if (total != header.num_particles)
        problem = fmt::format("there are {} particles, and {} were expected", total, header.num_particles);
    RowSources<Row> rows;
    rows.collect(exchange, owned, {}, places_in_order(exchange, std::move(ids)));
    if (!problem) problem = describe_wrong_ids(exchange, rows.wrong_ids());
    if (problem) throw RunError(fmt::format("checkpoint of step {}: {}", header.state.step, *problem));
    const bool has_births = header.state.next_id.has_value();
    const hdf5::Handle type = row_type<Row>(has_births, row_bytes<Row>(has_births));
    auto dataset = hdf5::Dataset::create_fixed(file, "particles", type.get(), {total});
    const Fingerprint sum = write_pieces(exchange, dataset, rows, has_births);
    write_checksum(dataset.get(), over_ranks(exchange, sum));
}

void write_particles(Exchange& exchange, hid_t file, const CheckpointHeader& header, const Particles& owned) {
    if (owned.track.keeps_tethers())
        write_rows<TetheredRow>(exchange, file, header, owned);
    else
        write_rows<ParticleRow>(exchange, file, header, owned);
}

/// Writes values that rank 0 has.
void write_integers(Exchange& exchange, hid_t group, const char* name,
                    const std::vector<std::int64_t>& values) {
    const hid_t type = hdf5::number_type<std::int64_t>();
    auto dataset = hdf5::Dataset::create_fixed(group, name, type, {values.size()});
    dataset.write(exchange, {{0}, {exchange.rank() == 0 ? values.size() : 0}}, type, values.data());
    write_checksum(dataset.get(), checksum_of(values));
}

/// Empty before step 0.
ObserverState basic_state(const RunState& state) {
    const auto found = state.observers.find(basic_observer);
    return found == state.observers.end() ? ObserverState{{}, {}, {0}} : found->second;
}

void write_observables(Exchange& exchange, hid_t file, const RunState& state) {
    const hdf5::Handle group = hdf5::create_group(file, "observables");
    const ObserverState basic = basic_state(state);
    write_integers(exchange, group.get(), "sums", basic.sums);
    write_integers(exchange, group.get(), "contacts", basic.integers);
}

void write_other_observers(Exchange& exchange, hid_t file, const RunState& state) {
    hdf5::Handle all;
    for (const auto& [name, observer] : state.observers) {
        if (name == basic_observer) continue;
        if (!all.is_open()) all = hdf5::create_group(file, "observers");
        const hdf5::Handle group = hdf5::create_group(all.get(), name.c_str());
        write_integers(exchange, group.get(), "sums", observer.sums);
        write_integers(exchange, group.get(), "memory", observer.integers);
        if (!observer.numbers.empty())
            hdf5::write_attribute(group.get(), "numbers", std::span<const double>(observer.numbers));
    }
}

void write_optional(hid_t group, const char* name, const std::optional<std::uint64_t>& value) {
    if (value) hdf5::write_attribute(group, name, *value);
}

void write_equilibration(hid_t group, const EquilibrationState& state) {
    hdf5::write_attribute(group, "equilibration_steps", state.num_steps);
    hdf5::write_attribute(group, "equilibration_collisions", state.num_collisions);
    hdf5::write_attribute(group, "equilibration_latest_collision", state.latest_collision);
    if (state.num_sites > 0) hdf5::write_attribute(group, "equilibration_sites", state.num_sites);
    if (state.marks.empty()) return;
    std::vector<std::uint64_t> steps;
    std::vector<std::int64_t> collisions;
    for (const EquilibrationMark& mark : state.marks) {
        steps.push_back(mark.num_steps);
        collisions.push_back(mark.num_collisions);
    }
    hdf5::write_attribute(group, "equilibration_mark_steps", std::span<const std::uint64_t>(steps));
    hdf5::write_attribute(group, "equilibration_mark_collisions", std::span<const std::int64_t>(collisions));
}

std::vector<EquilibrationMark> read_marks(hid_t group) {
    std::vector<EquilibrationMark> marks;
    if (!hdf5::has_attribute(group, "equilibration_mark_steps")) return marks;
    const auto steps = hdf5::read_numbers<std::uint64_t>(group, "equilibration_mark_steps");
    const auto collisions = hdf5::read_numbers<std::int64_t>(group, "equilibration_mark_collisions");
    if (steps.size() != collisions.size()) throw RunError("its equilibration_mark_* differ in length");
    for (std::size_t k = 0; k < steps.size(); ++k) marks.push_back({steps[k], collisions[k]});
    return marks;
}

void write_times(hid_t group, const RunTimes& times) {
    hdf5::write_attribute(group, "num_parts", times.num_parts);
    hdf5::write_attribute(group, "wall_seconds", times.wall_seconds);
    if (!times.phase_seconds.empty())
        hdf5::write_attribute(group, "phase_seconds", std::span<const double>(times.phase_seconds));
}

void write_box(hid_t group, const FoundBox& found) {
    const std::array<double, 3> size{found.size.x, found.size.y, found.size.z};
    hdf5::write_attribute(group, "box_size", std::span<const double>(size));
    hdf5::write_attribute(group, "start_pressure", found.pressure);
}

void write_state(hid_t file, const CheckpointHeader& header) {
    const hdf5::Handle group = hdf5::create_group(file, "state");
    const RunState& state = header.state;
    const ResultPosition& result = header.result;
    hdf5::write_attribute(group.get(), "step", state.step);
    if (state.previous_sample_time)
        hdf5::write_attribute(group.get(), "previous_sample_time", *state.previous_sample_time);
    write_optional(group.get(), "next_id", state.next_id);
    hdf5::write_attribute(group.get(), "previous_temperature", basic_state(state).numbers.at(0));
    hdf5::write_attribute(group.get(), "result_frames", result.frames);
    hdf5::write_attribute(group.get(), "result_collisions", result.collisions);
    hdf5::write_attribute(group.get(), "result_samples", result.samples);
    hdf5::write_attribute(group.get(), "result_log_end_step", result.log_end_step);
    write_optional(group.get(), "result_first_missing_step", result.first_missing_step);
    const std::array<std::uint64_t, 3> sums{result.sums.frames, result.sums.collisions, result.sums.samples};
    hdf5::write_attribute(group.get(), "result_sums", std::span<const std::uint64_t>(sums));
    if (state.equilibration) write_equilibration(group.get(), *state.equilibration);
    if (!state.start_note.empty()) hdf5::write_attribute(group.get(), "start_note", state.start_note);
    if (state.found_box) write_box(group.get(), *state.found_box);
    write_times(group.get(), state.times);
    write_identity(group.get(), header.identity);
    hdf5::write_attribute(group.get(), "effective_input", header.effective_input);
}

void write_heading(hid_t file) {
    hdf5::write_attribute(file, "kind", std::string(kind_text));
    hdf5::write_attribute(file, "format_version", checkpoint_format_version);
    hdf5::write_attribute(file, "program", std::string("ricochet ") + version());
    hdf5::write_attribute(file, "git", std::string(git_id()));
}

// --- reading ---

void require_known_format(const std::string& path, hid_t file) {
    if (!hdf5::has_attribute(file, "kind") || hdf5::read_text(file, "kind") != kind_text)
        throw RunError("it is not a checkpoint of ricochet");
    const auto version = hdf5::read_number<std::uint32_t>(file, "format_version");
    if (version != checkpoint_format_version)
        throw InputError(
            fmt::format("{}: has format version {}, and this program goes on from version {} only", path,
                        version, checkpoint_format_version));
}

std::vector<std::int64_t> read_integers(hid_t file, const char* name) {
    const auto dataset = hdf5::Dataset::open(file, name);
    std::vector<std::int64_t> values(dataset.shape().at(0));
    dataset.read({{0}, {values.size()}}, hdf5::number_type<std::int64_t>(), values.data());
    require_checksum(dataset.get(), name, checksum_of(values));
    return values;
}

template <class Number>
std::optional<Number> read_optional(hid_t group, const char* name) {
    if (!hdf5::has_attribute(group, name)) return std::nullopt;
    return hdf5::read_number<Number>(group, name);
}

/// Reads the times; none from a checkpoint of an earlier version without times.
RunTimes read_times(hid_t group) {
    RunTimes times;
    times.num_parts = read_optional<std::uint64_t>(group, "num_parts").value_or(0);
    times.wall_seconds = read_optional<double>(group, "wall_seconds").value_or(0);
    if (hdf5::has_attribute(group, "phase_seconds"))
        times.phase_seconds = hdf5::read_numbers<double>(group, "phase_seconds");
    return times;
}

ResultSums read_sums(hid_t group) {
    const auto sums = hdf5::read_numbers<std::uint64_t>(group, "result_sums");
    if (sums.size() != 3) throw RunError("its result_sums are not three numbers");
    return {sums[0], sums[1], sums[2]};
}

void read_basic_observer(hid_t file, hid_t state_group, RunState& state) {
    ObserverState basic{read_integers(file, "observables/sums"),
                        read_integers(file, "observables/contacts"),
                        {hdf5::read_number<double>(state_group, "previous_temperature")}};
    if (!basic.sums.empty()) state.observers[basic_observer] = std::move(basic);
}

void read_other_observers(hid_t file, RunState& state) {
    if (!hdf5::has_object(file, "observers")) return;
    const hdf5::Handle all = hdf5::open_group(file, "observers");
    for (const std::string& name : hdf5::link_names(all.get())) {
        const hdf5::Handle group = hdf5::open_group(all.get(), name.c_str());
        ObserverState& observer = state.observers[name];
        observer = {read_integers(group.get(), "sums"), read_integers(group.get(), "memory"), {}};
        if (hdf5::has_attribute(group.get(), "numbers"))
            observer.numbers = hdf5::read_numbers<double>(group.get(), "numbers");
    }
}

FoundBox read_box(hid_t group) {
    const auto size = hdf5::read_numbers<double>(group, "box_size");
    return {{size.at(0), size.at(1), size.at(2)}, hdf5::read_number<double>(group, "start_pressure")};
}

void read_state(hid_t file, Checkpoint& checkpoint) {
    const hdf5::Handle group = hdf5::open_group(file, "state");
    const auto u64 = [&](const char* name) { return hdf5::read_number<std::uint64_t>(group.get(), name); };
    RunState& state = checkpoint.state;
    state.step = u64("step");
    state.previous_sample_time = read_optional<double>(group.get(), "previous_sample_time");
    state.next_id = read_optional<std::uint64_t>(group.get(), "next_id");
    checkpoint.result = {u64("result_frames"),
                         u64("result_collisions"),
                         u64("result_samples"),
                         u64("result_log_end_step"),
                         read_optional<std::uint64_t>(group.get(), "result_first_missing_step"),
                         read_sums(group.get())};
    if (hdf5::has_attribute(group.get(), "equilibration_steps"))
        state.equilibration = {u64("equilibration_steps"),
                               hdf5::read_number<std::int64_t>(group.get(), "equilibration_collisions"),
                               u64("equilibration_latest_collision"), read_marks(group.get()),
                               read_optional<std::uint64_t>(group.get(), "equilibration_sites").value_or(0)};
    if (hdf5::has_attribute(group.get(), "start_note"))
        state.start_note = hdf5::read_text(group.get(), "start_note");
    if (hdf5::has_attribute(group.get(), "box_size")) state.found_box = read_box(group.get());
    state.times = read_times(group.get());
    checkpoint.identity = read_identity(group.get());
    checkpoint.effective_input = hdf5::read_text(group.get(), "effective_input");
    read_basic_observer(file, group.get(), state);
    read_other_observers(file, state);
}

/// What this rank has read of a checkpoint.
struct OwnPart {
    hdf5::Handle file;
    hdf5::Dataset particles;
    Fingerprint sum;  ///< of its rows
    bool has_wrong_row = false;
};

/// Reads this rank's rows, an equal share in the order of the file, and adds them to `particles`, if there are any.
template <class Row>
void read_own_rows(Exchange& exchange, bool has_births, OwnPart& own, Particles* particles) {
    const IdBlocks blocks(own.particles.shape().at(0), exchange.size());
    const std::size_t bytes = row_bytes<Row>(has_births);
    const hdf5::Handle type = row_type<Row>(has_births, bytes);
    if (particles != nullptr) make_room_for<Row>(*particles, blocks.count(exchange.rank()));
    std::vector<std::byte> piece;
    const std::uint64_t end = blocks.last(exchange.rank());
    for (std::uint64_t first = blocks.first(exchange.rank()); first < end; first += rows_at_once) {
        const std::uint64_t count = std::min(rows_at_once, end - first);
        piece.resize(count * bytes);
        own.particles.read({{first}, {count}}, type.get(), piece.data());
        for (std::uint64_t k = 0; k < count; ++k) {
            const auto place = std::span<const std::byte>(piece).subspan(k * bytes, bytes);
            own.sum.add(place);
            if (particles == nullptr || own.has_wrong_row) continue;
            Row row;
            std::memcpy(&row, place.data(), bytes);
            own.has_wrong_row = !add_particle(*particles, row);
        }
    }
}

/// Reads everything that needs no other rank, so that ranks can agree on a failure afterwards.
OwnPart read_own_part(Exchange& exchange, const std::string& path, Checkpoint& checkpoint,
                      bool wants_particles) {
    OwnPart own;
    own.file = hdf5::open_for_reading(path);
    require_known_format(path, own.file.get());
    read_state(own.file.get(), checkpoint);
    own.particles = hdf5::Dataset::open(own.file.get(), "particles");
    checkpoint.num_particles = own.particles.shape().at(0);
    const bool has_births = checkpoint.state.next_id.has_value();
    Particles* const particles = wants_particles ? &checkpoint.particles : nullptr;
    if (has_tethers(own.particles))
        read_own_rows<TetheredRow>(exchange, has_births, own, particles);
    else
        read_own_rows<ParticleRow>(exchange, has_births, own, particles);
    return own;
}

Checkpoint read_content(Exchange& exchange, const std::string& path, bool wants_particles) {
    Checkpoint checkpoint;
    OwnPart own;
    std::optional<std::string> problem, newer;
    try {
        own = read_own_part(exchange, path, checkpoint, wants_particles);
    } catch (const InputError& error) {
        newer = error.what();
    } catch (const RunError& error) {
        problem = error.what();
    }
    throw_together<InputError>(exchange, newer);
    throw_together<RunError>(exchange, problem);
    const auto found = over_ranks(exchange, own.sum);
    try {
        require_checksum(own.particles.get(), "particles", found);
        if (own.has_wrong_row) problem = "a particle has more tethers than it can have";
    } catch (const RunError& error) {
        problem = error.what();
    }
    throw_together<RunError>(exchange, problem);
    return checkpoint;
}

}  // namespace

void write_checkpoint_content(Exchange& exchange, const std::string& path, const CheckpointHeader& header,
                              const Particles& owned) {
    hdf5::ParallelFile file(exchange, path, true);
    const std::uint64_t num_bytes = checkpoint_bytes(header.num_particles, owned.track.keeps_tethers());
    reserve_room(exchange, path, num_bytes);
    write_within(path, num_bytes, [&] {
        write_heading(file.get());
        write_state(file.get(), header);
        write_particles(exchange, file.get(), header, owned);
        write_observables(exchange, file.get(), header.state);
        write_other_observers(exchange, file.get(), header.state);
        file.flush();
        release_room(exchange, path);
        file.close();
    });
}

Checkpoint read_checkpoint_content(Exchange& exchange, const std::string& path) {
    return read_content(exchange, path, true);
}

CheckpointHeader verify_checkpoint_content(Exchange& exchange, const std::string& path) {
    return static_cast<const CheckpointHeader&>(read_content(exchange, path, false));
}

}  // namespace ricochet
