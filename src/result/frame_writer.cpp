// SPDX-License-Identifier: BSD-3-Clause
#include "result/frame_writer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"
#include "parallel/id_blocks.hpp"
#include "result/start_ids.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

FrameRow to_row(const Motion& motion, const Attributes& attributes, const Track& track) {
    FrameRow row;
    row.id = motion.id;
    row.position = {motion.position.x, motion.position.y, motion.position.z};
    row.velocity = {motion.velocity.x, motion.velocity.y, motion.velocity.z};
    row.image = track.image;
    row.radius = attributes.radius;
    row.mass = attributes.mass;
    row.species = attributes.species;
    return row;
}

std::vector<FrameRow> to_rows(const Particles& owned) {
    std::vector<FrameRow> rows;
    rows.reserve(owned.size());
    for (std::size_t k = 0; k < owned.size(); ++k)
        rows.push_back(to_row(owned.motion[k], owned.attributes[k], owned.track[k]));
    return rows;
}

std::uint64_t id_of(const FrameRow& row) { return row.id; }

/// Rows of a frame: with these the places of all elements have different numbers (result_sums.hpp).
constexpr std::uint64_t most_rows = std::uint64_t{1} << 32;

/// Above the ids of all particles.
constexpr std::uint64_t first_missing_id = std::uint64_t{1} << 63;

std::vector<std::uint64_t> ids_of(const std::vector<FrameRow>& rows) {
    std::vector<std::uint64_t> ids;
    ids.reserve(rows.size());
    for (const FrameRow& row : rows) ids.push_back(row.id);
    return ids;
}

/// Takes the rows of particles that came after the start.
std::vector<FrameRow> take_new_rows(std::vector<FrameRow>& rows, std::optional<std::uint64_t> first_new_id) {
    const auto first_new = std::partition(rows.begin(), rows.end(), [&](const FrameRow& row) {
        return !first_new_id || row.id < *first_new_id;
    });
    std::vector<FrameRow> taken(first_new, rows.end());
    rows.erase(first_new, rows.end());
    return taken;
}

std::optional<std::string> find_duplicate(const std::vector<FrameRow>& sorted) {
    const auto same = [](const FrameRow& a, const FrameRow& b) { return a.id == b.id; };
    const auto found = std::adjacent_find(sorted.begin(), sorted.end(), same);
    if (found == sorted.end()) return std::nullopt;
    return "particle " + std::to_string(found->id) + " exists twice";
}

std::optional<std::string> find_wrong_total(std::uint64_t got, std::uint64_t expected) {
    if (got == expected) return std::nullopt;
    return "there are " + std::to_string(got) + " particles, and " + std::to_string(expected) +
           " were expected";
}

}  // namespace

FrameWriter FrameWriter::reopen(Exchange& exchange, hid_t file, const ResultDescription& description,
                                std::uint64_t num_frames, std::uint64_t own_sum) {
    FrameWriter writer;
    writer.box_ = description.box;
    writer.columns_ = FrameColumns::reopen(file, description, num_frames, own_sum);
    if (writer.has_changing_particles()) writer.find_places(exchange, file);
    return writer;
}

// The ranks share the rows of the start. All places are known where new ids follow on ids without gaps, or where
// the file tells the ids. Otherwise frame 0 tells those that have not ended before it.
// Thickness so far is that of the latest frame.
void FrameWriter::find_places(Exchange& exchange, hid_t file) {
    const std::uint64_t num_rows = columns_.num_first_rows();
    const IdBlocks blocks(num_rows, exchange.size());
    const std::uint64_t first = blocks.first(exchange.rank()), count = blocks.count(exchange.rank());
    if (columns_.first_new_id() == num_rows) {
        std::vector<std::uint64_t> ids(count);
        std::iota(ids.begin(), ids.end(), first);
        places_ = RowPlaces(exchange, std::move(ids), first);
    } else if (has_start_ids(file)) {
        places_ = RowPlaces(exchange, read_start_ids(file, first, count), first);
    } else if (num_frames() > 0) {
        places_ = RowPlaces(exchange, columns_.read_first_ids(first, count), first);
    }
    if (box_.dimension == 2) thickness_ = columns_.read_thickness();
}

std::uint64_t FrameWriter::frame_bytes(Exchange& exchange, const Particles& owned) const {
    return columns_.frame_bytes(rows_with(exchange, owned));
}

// The number of rows of a frame of these particles, no fewer than so far.
std::uint64_t FrameWriter::rows_with(Exchange& exchange, const Particles& owned) const {
    const auto first_new_id = columns_.first_new_id();
    if (!first_new_id) return num_rows();
    const std::uint64_t num_first = columns_.num_first_rows();
    std::uint64_t num_new = 0;
    for (const Motion& motion : owned.motion)
        if (motion.id >= *first_new_id) num_new = std::max(num_new, motion.id - *first_new_id + 1);
    num_new = max_of_ranks(exchange, num_new);
    if (num_new > most_rows - std::min(num_first, most_rows))
        throw RunError("particle " + std::to_string(*first_new_id + num_new - 1) +
                       " is beyond the 4294967296 rows that a frame can have");
    return std::max(num_rows(), num_first + num_new);
}

void FrameWriter::write(Exchange& exchange, std::uint64_t step, double time, const Particles& owned) {
    const std::uint64_t num_rows = rows_with(exchange, owned);
    const std::vector<RowBlock> blocks = rows_in_place(exchange, step, num_rows, to_rows(owned));
    if (has_changing_particles() || thickness_ == 0) agree_on_thickness(exchange, owned);
    const double height = box_.dimension == 3 ? box_.size.z : thickness_;
    columns_.append(exchange, {step, time, {box_.size.x, 0, 0, 0, box_.size.y, 0, 0, 0, height}}, blocks,
                    num_rows);
}

// The rows that this rank writes, of the first particles and of new ones. Throws RunError on all ranks.
std::vector<RowBlock> FrameWriter::rows_in_place(Exchange& exchange, std::uint64_t step,
                                                 std::uint64_t num_rows, std::vector<FrameRow> rows) {
    const std::uint64_t num_first = columns_.num_first_rows();
    std::vector<FrameRow> new_rows = take_new_rows(rows, columns_.first_new_id());
    std::optional<std::string> problem;
    std::vector<RowBlock> blocks{first_rows(exchange, step, std::move(rows), problem)};
    if (num_rows > num_first)
        blocks.push_back(arrange_new_rows(exchange, std::move(new_rows), *columns_.first_new_id(), num_first,
                                          num_rows, problem));
    if (problem) problem = "frame of step " + std::to_string(step) + ": " + *problem;
    throw_together<RunError>(exchange, problem);
    if (has_changing_particles() && !places_.are_known())
        places_ = RowPlaces(exchange, ids_of(blocks.front().rows), blocks.front().first);
    return blocks;
}

// The rows of the particles of the start.
RowBlock FrameWriter::first_rows(Exchange& exchange, std::uint64_t step, std::vector<FrameRow> rows,
                                 std::optional<std::string>& problem) const {
    if (!places_.are_known()) {
        if (has_changing_particles() && step > 0) add_missing(exchange, rows);
        return sorted_rows(exchange, std::move(rows), problem);
    }
    if (num_frames() == 0 && step == 0)
        problem = find_wrong_total(sum_of_ranks(exchange, rows.size()), columns_.num_first_rows());
    return places_.arrange(exchange, std::move(rows), problem);
}

// Rows in the order of ids, then those of add_missing.
RowBlock FrameWriter::sorted_rows(Exchange& exchange, std::vector<FrameRow> rows,
                                  std::optional<std::string>& problem) const {
    rows = sort_across_ranks(exchange, std::move(rows), id_of);
    const GlobalRows place = locate_rows(exchange, rows.size());
    problem = find_wrong_total(place.total, columns_.num_first_rows());
    if (!problem) problem = find_duplicate(rows);
    for (FrameRow& row : rows)
        if (row.id >= first_missing_id) row = absent_row();
    return {place.first, std::move(rows)};
}

// Particles may have ended before the first frame, as in a run that was continued with frames. Their ids are unknown if
// no particle can come. Their rows are the last ones, for good. The ranks share them; until they are sorted they have
// ids that no particle has.
void FrameWriter::add_missing(Exchange& exchange, std::vector<FrameRow>& rows) const {
    const std::uint64_t total = sum_of_ranks(exchange, rows.size());
    const std::uint64_t expected = columns_.num_first_rows();
    const IdBlocks missing(expected - std::min(total, expected), exchange.size());
    FrameRow row;
    for (std::uint64_t k = missing.first(exchange.rank()); k < missing.last(exchange.rank()); ++k) {
        row.id = first_missing_id + k;
        rows.push_back(row);
    }
}

void FrameWriter::agree_on_thickness(Exchange& exchange, const Particles& owned) {
    double largest = 0;
    for (std::size_t k = 0; k < owned.size(); ++k) largest = std::max(largest, owned.attributes[k].radius);
    exchange.max(std::span(&largest, 1));
    thickness_ = std::max(thickness_, 2 * largest);
}

}  // namespace ricochet
