// SPDX-License-Identifier: BSD-3-Clause
#include "result/frame_writer.hpp"

#include <algorithm>
#include <utility>

#include "parallel/collectives.hpp"
#include "parallel/id_blocks.hpp"
#include "result/start_ids.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Rows of a frame: with these the places of all elements have different numbers (result_sums.hpp).
constexpr std::uint64_t most_rows = std::uint64_t{1} << 32;

std::vector<std::uint64_t> ids_within(const IdRange& range, const Particles& owned) {
    std::vector<std::uint64_t> ids;
    ids.reserve(owned.size());
    for (const Motion& motion : owned.motion)
        if (range.contains(motion.id)) ids.push_back(motion.id);
    return ids;
}

std::uint64_t count_within(const IdRange& range, const Particles& owned) {
    return static_cast<std::uint64_t>(
        std::count_if(owned.motion.begin(), owned.motion.end(),
                      [&](const Motion& motion) { return range.contains(motion.id); }));
}

/// Particles may have ended before the first frame, as in a run that was continued with frames. Their ids are unknown
/// if no particle can come. Their rows are the last ones, for good. The ranks share them; until they are sorted they
/// have ids that no particle has.
void add_missing(Exchange& exchange, std::uint64_t num_missing, std::vector<std::uint64_t>& ids) {
    const IdBlocks missing(num_missing, exchange.size());
    for (std::uint64_t k = missing.first(exchange.rank()); k < missing.last(exchange.rank()); ++k)
        ids.push_back(first_missing_id + k);
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

// All places are known where new ids follow on ids without gaps, or where the file tells the ids. Otherwise frame 0
// tells those that have not ended before it. Thickness so far is that of the latest frame.
void FrameWriter::find_places(Exchange& exchange, hid_t file) {
    const std::uint64_t num_rows = columns_.num_first_rows();
    const IdBlocks blocks(num_rows, exchange.size());
    const std::uint64_t first = blocks.first(exchange.rank()), count = blocks.count(exchange.rank());
    if (columns_.first_new_id() == num_rows)
        places_ = DenseRows(exchange, 0, num_rows, 0);
    else if (has_start_ids(file))
        places_ = ListedRows(exchange, read_start_ids(file, first, count), first);
    else if (num_frames() > 0)
        places_ = ListedRows(exchange, columns_.read_first_ids(first, count), first);
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
    const std::span<const FrameSources> blocks = collect_rows(exchange, step, num_rows, owned);
    if (has_changing_particles() || thickness_ == 0) agree_on_thickness(exchange, owned);
    const double height = box_.dimension == 3 ? box_.size.z : thickness_;
    columns_.append(exchange, {step, time, {box_.size.x, 0, 0, 0, box_.size.y, 0, 0, 0, height}}, blocks,
                    num_rows);
}

// The ids of the particles of the start.
IdRange FrameWriter::first_ids() const { return {0, columns_.first_new_id().value_or(absent_id)}; }

// The rows that this rank writes, of the first particles and of new ones. Throws RunError on all ranks.
std::span<const FrameSources> FrameWriter::collect_rows(Exchange& exchange, std::uint64_t step,
                                                        std::uint64_t num_rows, const Particles& owned) {
    const std::uint64_t total = sum_of_ranks(exchange, count_within(first_ids(), owned));
    std::optional<RowPlaces> found;
    if (!places_) found = places_of(exchange, ids_within(first_ids(), owned), total);
    std::optional<std::string> problem = find_wrong_total(total, step);
    auto& [first, later] = sources_;
    first.collect(exchange, owned, first_ids(), found ? *found : *places_);
    WrongIds wrong = first.wrong_ids();
    const std::uint64_t num_new = num_rows - columns_.num_first_rows();
    if (num_new > 0) {
        const std::uint64_t first_new_id = columns_.first_new_id().value();
        later.collect(exchange, owned, {first_new_id, absent_id},
                      DenseRows(exchange, first_new_id, num_new, columns_.num_first_rows()));
        wrong.merge(later.wrong_ids());
    }
    if (!problem) problem = describe_wrong_ids(exchange, wrong);
    if (problem) throw RunError("frame of step " + std::to_string(step) + ": " + *problem);
    if (found) places_ = std::move(found);
    return std::span(sources_).first(num_new > 0 ? 2 : 1);
}

// Places in the order of the ids of the first particles, of which there are `total`. Collective.
RowPlaces FrameWriter::places_of(Exchange& exchange, std::vector<std::uint64_t> ids,
                                 std::uint64_t total) const {
    const std::uint64_t expected = columns_.num_first_rows();
    if (has_changing_particles()) add_missing(exchange, expected - std::min(total, expected), ids);
    return places_in_order(exchange, std::move(ids));
}

// The same on all ranks. Where places are known, surplus particles are found one by one.
std::optional<std::string> FrameWriter::find_wrong_total(std::uint64_t total, std::uint64_t step) const {
    const std::uint64_t expected = columns_.num_first_rows();
    const bool may_be_fewer = has_changing_particles() && (step > 0 || num_frames() > 0);
    if (total == expected || (may_be_fewer && (total < expected || places_))) return std::nullopt;
    return "there are " + std::to_string(total) + " particles, and " + std::to_string(expected) +
           " were expected";
}

void FrameWriter::agree_on_thickness(Exchange& exchange, const Particles& owned) {
    double largest = 0;
    for (std::size_t k = 0; k < owned.size(); ++k) largest = std::max(largest, owned.attributes[k].radius);
    exchange.max(std::span(&largest, 1));
    thickness_ = std::max(thickness_, 2 * largest);
}

}  // namespace ricochet
