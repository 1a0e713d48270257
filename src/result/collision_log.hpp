// SPDX-License-Identifier: BSD-3-Clause
//
// The collision log while it is written. Each rank buffers the rows of its contacts, step by step in chronological
// order. Once per flush the ranks merge their rows. This suffices because flushes happen at step ends.
//
// A contact becomes a row once, in the place that it keeps on one rank. Buffers stay for the whole run: fresh memory
// would cost more than what is done with it (note 60 of tests/bench/notes.md).
//
// The byte budget: the log ends with the last step of which all rows fit. The first step that does not fit is
// found by bisection over the buffered steps, with a sum over all ranks per probe. It follows from the
// contacts alone, and depends neither on the number of ranks nor on the flushes. From then on nothing is
// buffered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "result/collision_row.hpp"
#include "result/contact_order.hpp"
#include "ricochet/files/result_position.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// Rows that wait to be written.
template <class Row>
struct RowBuffer {
    std::vector<Row> rows;    ///< steps ascending
    std::vector<Row> spare;   ///< memory to merge them with those of other ranks
    bool is_in_order = true;  ///< whether the rows are in chronological order
};

class CollisionLog {
  public:
    CollisionLog() = default;
    /// Creates the empty dataset with its attributes. `timestep`: the length of a step, in units of time. Collective.
    CollisionLog(hid_t parent, const CollisionLogOptions& options, double timestep,
                 const std::vector<std::string>& units);
    /// Opens an existing log and cuts it back to a position. `own_sum` is this rank's part of the checksum of
    /// its rows. Collective.
    static CollisionLog reopen(hid_t parent, const CollisionLogOptions& options,
                               const ResultPosition& position, std::uint64_t own_sum);

    /// Buffers the contacts that the selection accepts, in any order. Local. O(n) for a whole step at a time.
    /// Requires: steps do not decrease.
    void append(std::uint64_t step, std::span<const Contact> contacts);
    /// Merges the buffered rows of all ranks and writes them, up to the budget. Collective.
    void write_buffered(Exchange& exchange);

    /// Whether the budget has ended the log, and the file does not state it yet.
    bool has_unwritten_notice() const { return has_unwritten_notice_; }
    /// Stores in the file where the log ends and why. Collective.
    void write_notice();

    std::size_t buffered_bytes() const;
    std::uint64_t num_rows() const { return num_rows_; }
    /// This rank's part of ResultSums::collisions.
    std::uint64_t own_sum() const { return own_sum_; }
    std::uint64_t end_step() const { return end_step_; }
    std::optional<std::uint64_t> first_missing_step() const { return first_missing_step_; }
    /// The step below which the log holds all accepted contacts.
    std::uint64_t num_complete_steps() const;
    std::optional<std::string> notice() const;

  private:
    bool accepts(const Contact& contact) const;
    std::span<const ContactOrder::Place> order_of(std::span<const Contact> contacts);
    template <class Row>
    void append_to(RowBuffer<Row>& buffer, std::uint64_t step, std::span<const Contact> contacts);
    template <class Row>
    void write_rows(Exchange& exchange, RowBuffer<Row>& buffer);
    std::uint64_t max_rows() const;
    std::uint64_t first_buffered_step() const;
    std::uint64_t find_first_missing_step(Exchange& exchange) const;
    std::uint64_t count_through(Exchange& exchange, std::uint64_t step) const;
    void stop_at(Exchange& exchange);

    CollisionLogOptions options_;
    hdf5::Dataset dataset_;
    hdf5::Handle row_type_;
    std::variant<RowBuffer<CollisionRow>, RowBuffer<OutcomeRow>> buffer_;
    ContactOrder order_;
    std::uint64_t num_rows_ = 0;  ///< in the file
    std::uint64_t end_step_ = 0;  ///< one past the latest step passed to this rank
    std::uint64_t own_sum_ = 0;
    std::optional<std::uint64_t> first_missing_step_;
    bool has_unwritten_notice_ = false;
};

}  // namespace ricochet
