// SPDX-License-Identifier: BSD-3-Clause
#include "result/collision_log.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "hdf5/hdf5_attribute.hpp"
#include "parallel/global_sort.hpp"
#include "result/result_sums.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

const char* mode_name(CollisionSelection::Mode mode) {
    switch (mode) {
        case CollisionSelection::Mode::all:
            return "all";
        case CollisionSelection::Mode::none:
            return "none";
        default:
            return "pairs";
    }
}

void write_selection(hid_t dataset, const CollisionSelection& selection) {
    hdf5::write_attribute(dataset, "selection", std::string(mode_name(selection.mode)));
    std::vector<std::uint32_t> flat;
    for (const auto& [a, b] : selection.pairs)
        flat.insert(flat.end(), {species_in_file(a), species_in_file(b)});
    if (!flat.empty()) hdf5::write_attribute(dataset, "pairs", std::span<const std::uint32_t>(flat));
}

// About 448 kiB: few chunks in a long log, and little waste in a short one.
constexpr hsize_t rows_per_chunk = 4096;

/// The first row of `step` or a later one.
template <class Row>
auto begin_of_step(const std::vector<Row>& rows, std::uint64_t step) {
    return std::lower_bound(rows.begin(), rows.end(), step,
                            [](const Row& row, std::uint64_t s) { return step_of(row) < s; });
}

/// Taken for the time since step 0, the column would put contacts into the wrong places.
constexpr std::string_view meaning_of_time =
    "time since the beginning of the step; since step 0: step * timestep + time";

void write_outcome_names(hid_t dataset) {
    hdf5::write_attribute(dataset, "outcomes",
                          std::vector<std::string>(outcome_names.begin(), outcome_names.end()));
}

}  // namespace

bool CollisionSelection::accepts(SpeciesIndex a, SpeciesIndex b) const {
    if (mode != Mode::pairs) return mode == Mode::all;
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const Pair& pair) { return pair == Pair(a, b) || pair == Pair(b, a); });
}

CollisionLog::CollisionLog(hid_t parent, const CollisionLogOptions& options, double timestep,
                           const std::vector<std::string>& units)
    : options_(options), row_type_(collision_row_type(options.has_outcomes)) {
    if (options.has_outcomes) buffer_ = RowBuffer<OutcomeRow>();
    dataset_ = hdf5::Dataset::create_growing(parent, "collisions", row_type_.get(), {},
                                             {.rows_per_chunk = rows_per_chunk});
    hdf5::write_attribute(dataset_.get(), "sorted", std::int32_t{1});
    hdf5::write_attribute(dataset_.get(), "units", units);
    hdf5::write_attribute(dataset_.get(), "timestep", timestep);
    hdf5::write_attribute(dataset_.get(), "meaning_of_time", std::string(meaning_of_time));
    hdf5::write_attribute(dataset_.get(), "byte_budget", options.byte_budget);
    write_selection(dataset_.get(), options.selection);
    if (options.has_outcomes) write_outcome_names(dataset_.get());
}

CollisionLog CollisionLog::reopen(hid_t parent, const CollisionLogOptions& options,
                                  const ResultPosition& position, std::uint64_t own_sum) {
    CollisionLog log;
    log.options_ = options;
    log.dataset_ = hdf5::Dataset::open(parent, "collisions");
    log.options_.has_outcomes = has_outcomes(log.dataset_);
    log.row_type_ = collision_row_type(log.options_.has_outcomes);
    if (log.options_.has_outcomes) log.buffer_ = RowBuffer<OutcomeRow>();
    log.dataset_.resize(position.collisions);
    log.num_rows_ = position.collisions;
    log.own_sum_ = own_sum;
    log.end_step_ = position.log_end_step;
    log.first_missing_step_ = position.first_missing_step;
    if (!log.first_missing_step_)
        for (const char* name : {"first_missing_step", "stopped_because"})
            hdf5::remove_attribute(log.dataset_.get(), name);
    return log;
}

void CollisionLog::append(std::uint64_t step, std::span<const Contact> contacts) {
    RICOCHET_CHECK_GE(step + 1, end_step_);
    end_step_ = std::max(end_step_, step + 1);
    if (first_missing_step_ || options_.selection.mode == CollisionSelection::Mode::none) return;
    std::visit([&](auto& buffer) { append_to(buffer, step, contacts); }, buffer_);
}

/// The rows of a step follow those of earlier ones. What is added later to the same step does not.
template <class Row>
void CollisionLog::append_to(RowBuffer<Row>& buffer, std::uint64_t step, std::span<const Contact> contacts) {
    constexpr std::size_t ahead = 8;  // the contacts of a step have left the near caches
    const auto places = order_of(contacts);
    std::vector<Row>& rows = buffer.rows;
    const std::size_t size_after = rows.size() + places.size();
    if (size_after > rows.capacity()) reserve_in_large_pages(rows, std::max(size_after, 2 * rows.capacity()));
    if (!rows.empty() && step_of(rows.back()) == step) buffer.is_in_order = false;
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (k + ahead < places.size()) {
            const Contact& later = contacts[places[k + ahead].index];
            prefetch(&later.key);
            prefetch(&later.impulse);
        }
        rows.push_back(to_row<Row>(step, contacts[places[k].index]));
    }
}

std::span<const ContactOrder::Place> CollisionLog::order_of(std::span<const Contact> contacts) {
    if (options_.selection.mode == CollisionSelection::Mode::all)
        return order_.sort(contacts, [](const Contact&) { return true; });
    return order_.sort(contacts, [this](const Contact& contact) { return accepts(contact); });
}

/// Pairs of species select contacts. A decay is none.
bool CollisionLog::accepts(const Contact& contact) const {
    if (contact.effect == ContactEffect::decay)
        return options_.selection.mode == CollisionSelection::Mode::all;
    return options_.selection.accepts(contact.species_low, contact.species_high);
}

std::size_t CollisionLog::buffered_bytes() const {
    return std::visit([](const auto& buffer) { return std::as_bytes(std::span(buffer.rows)).size(); },
                      buffer_);
}

std::uint64_t CollisionLog::max_rows() const {
    return options_.byte_budget / (options_.has_outcomes ? sizeof(OutcomeRow) : sizeof(CollisionRow));
}

void CollisionLog::write_buffered(Exchange& exchange) {
    end_step_ = max_of_ranks(exchange, end_step_);
    std::visit([&](auto& buffer) { write_rows(exchange, buffer); }, buffer_);
}

template <class Row>
void CollisionLog::write_rows(Exchange& exchange, RowBuffer<Row>& buffer) {
    std::vector<Row>& rows = buffer.rows;
    if (num_rows_ + sum_of_ranks(exchange, rows.size()) > max_rows()) stop_at(exchange);
    const auto order_of = [](const Row& row) { return row.order(); };
    if (!std::exchange(buffer.is_in_order, true)) rows = detail::sorted_by_key(rows, order_of);
    merge_across_ranks(exchange, rows, buffer.spare, order_of);
    const GlobalRows place = locate_rows(exchange, rows.size());
    if (place.total > 0) {
        dataset_.resize(num_rows_ + place.total);
        dataset_.write(exchange, {{num_rows_ + place.first}, {rows.size()}}, row_type_.get(), rows.data());
        own_sum_ += sum_of_elements("collisions", num_rows_ + place.first, std::span<const Row>(rows));
        num_rows_ += place.total;
    }
    rows.clear();
}

std::uint64_t CollisionLog::count_through(Exchange& exchange, std::uint64_t step) const {
    const auto count = [&](const auto& buffer) {
        return begin_of_step(buffer.rows, step + 1) - buffer.rows.begin();
    };
    return sum_of_ranks(exchange, static_cast<std::uint64_t>(std::visit(count, buffer_)));
}

/// 2^63 - 1 without rows.
std::uint64_t CollisionLog::first_buffered_step() const {
    constexpr std::uint64_t none = std::numeric_limits<std::int64_t>::max();
    return std::visit(
        [](const auto& buffer) { return buffer.rows.empty() ? none : step_of(buffer.rows.front()); },
        buffer_);
}

// The least step s such that the rows of all steps up to s exceed the budget.
std::uint64_t CollisionLog::find_first_missing_step(Exchange& exchange) const {
    std::int64_t minus_first = -static_cast<std::int64_t>(first_buffered_step());
    exchange.max(std::span(&minus_first, 1));
    auto low = static_cast<std::uint64_t>(-minus_first);
    std::uint64_t high = end_step_;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (num_rows_ + count_through(exchange, middle) > max_rows())
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void CollisionLog::stop_at(Exchange& exchange) {
    first_missing_step_ = find_first_missing_step(exchange);
    std::visit(
        [&]<class Row>(RowBuffer<Row>& buffer) {
            buffer.rows.erase(begin_of_step(buffer.rows, *first_missing_step_), buffer.rows.end());
        },
        buffer_);
    has_unwritten_notice_ = true;
}

void CollisionLog::write_notice() {
    hdf5::write_attribute(dataset_.get(), "first_missing_step", *first_missing_step_);
    hdf5::write_attribute(dataset_.get(), "stopped_because", *notice());
    has_unwritten_notice_ = false;
}

std::uint64_t CollisionLog::num_complete_steps() const {
    return first_missing_step_ ? *first_missing_step_ : end_step_;
}

std::optional<std::string> CollisionLog::notice() const {
    if (!first_missing_step_) return std::nullopt;
    return "collision log: its budget of " + std::to_string(options_.byte_budget) +
           " bytes is used up; contacts from step " + std::to_string(*first_missing_step_) +
           " on are not logged";
}

}  // namespace ricochet
