// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/shared_tree.hpp"

#include <algorithm>
#include <utility>

#include "gravity/branches.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// A cell of another rank, and what has come of it.
struct KnownCell {
    CellRecord record;
    std::uint32_t first = not_here;  ///< of its children among the known cells, or of its points
};

/// Fetches cells of other ranks that own leaves may open.
class CellFetch {
  public:
    CellFetch(Exchange& exchange, const GravityTree& own, std::span<const Vec3> images,
              std::span<const CellRecord> branches)
        : exchange_(exchange), own_(own), images_(images) {
        for (const CellRecord& branch : branches) known_.push_back({branch, not_here});
    }

    /// Collective.
    void run() {
        while (ask()) {
            ++parts_.num_rounds;
            answer();
            take();
        }
        parts_.num_cells = known_.size();
        parts_.num_points = points_.size();
    }

    const std::vector<KnownCell>& known() const { return known_; }
    const std::vector<PointMass>& points() const { return points_; }
    const FetchedParts& parts() const { return parts_; }

  private:
    /// Whether some own leaf opens the cell, or an image of it.
    bool is_opened(const CellRecord& record) const {
        return std::any_of(images_.begin(), images_.end(),
                           [&](Vec3 offset) { return is_opened(record, offset); });
    }
    bool is_opened(const CellRecord& record, Vec3 offset) const {
        const auto end = static_cast<std::uint32_t>(own_.cells.size());
        for (std::uint32_t cell = 0; cell < end;) {
            if (record.opening_squared < squared_gap(record.moments.centre, moved(own_.bounds[cell], offset)))
                cell = own_.cells[cell].next;
            else if (own_.cells[cell].count > 0)
                return true;
            else
                ++cell;
        }
        return false;
    }

    /// Lists what to ask of each rank, of the cells that came last. False when no rank asks for anything. Collective.
    bool ask() {
        const auto num_ranks = static_cast<std::size_t>(exchange_.size());
        asked_.assign(num_ranks, {});
        bool asks = false;
        for (; next_ < known_.size(); ++next_) {
            const CellRecord& record = known_[next_].record;
            if (record.rank == static_cast<std::uint32_t>(exchange_.rank()) || !is_opened(record)) continue;
            asked_[record.rank].push_back(static_cast<std::uint32_t>(next_));
            asks = true;
        }
        return exchange_.bit_or(asks ? 1 : 0) != 0;
    }

    /// Sends own cells and points to the ranks that ask for them. Collective.
    void answer() {
        std::vector<Bytes> requests(asked_.size());
        for (std::size_t rank = 0; rank < asked_.size(); ++rank)
            for (const std::uint32_t cell : asked_[rank])
                append_records(requests[rank], std::span<const std::uint32_t>(&known_[cell].record.index, 1));
        std::vector<Bytes> answers;
        for (const Bytes& request : exchange_.all_to_all(std::move(requests))) {
            std::vector<std::uint32_t> cells;
            read_records(request, cells);
            answers.push_back(answer_to(cells));
        }
        answers_ = exchange_.all_to_all(std::move(answers));
    }

    Bytes answer_to(const std::vector<std::uint32_t>& cells) const {
        Bytes message;
        for (const std::uint32_t cell : cells) {
            const GravityCell& own = own_.cells.at(cell);
            append_records(message, std::span<const PointMass>(own_.points).subspan(own.first, own.count));
            if (own.count > 0) continue;
            for (std::uint32_t child = cell + 1; child < own.next; child = own_.cells[child].next) {
                const CellRecord record = record_of(own_, child, exchange_.rank());
                append_records(message, std::span<const CellRecord>(&record, 1));
            }
        }
        return message;
    }

    void take() {
        for (std::size_t rank = 0; rank < asked_.size(); ++rank) {
            std::size_t offset = 0;
            for (const std::uint32_t cell : asked_[rank]) offset += take_parts(cell, answers_[rank], offset);
            RICOCHET_CHECK_EQ(offset, answers_[rank].size());
        }
    }
    /// Returns the bytes of the message that are read.
    std::size_t take_parts(std::uint32_t cell, const Bytes& message, std::size_t offset) {
        const CellRecord record = known_[cell].record;
        if (record.count > 0) {
            known_[cell].first = static_cast<std::uint32_t>(points_.size());
            read_records(message, offset, record.count, points_);
            return record.count * sizeof(PointMass);
        }
        known_[cell].first = static_cast<std::uint32_t>(known_.size());
        std::vector<CellRecord> children;
        read_records(message, offset, record.num_children, children);
        for (const CellRecord& child : children) known_.push_back({child, not_here});
        return record.num_children * sizeof(CellRecord);
    }

    Exchange& exchange_;
    const GravityTree& own_;
    std::span<const Vec3> images_;
    std::vector<KnownCell> known_;  ///< the branches of all ranks first
    std::vector<PointMass> points_;
    std::vector<std::vector<std::uint32_t>> asked_;  ///< known cells, by owner
    std::vector<Bytes> answers_;
    std::size_t next_ = 0;  ///< the first known cell that is not yet looked at
    FetchedParts parts_;
};

/// Puts branches, cells above them and fetched cells together.
class TreeAssembly {
  public:
    TreeAssembly(const CellKeys& cell_keys, const Opening& opening, int rank, GravityTree own,
                 const CellFetch& fetch)
        : cell_keys_(cell_keys),
          opening_(opening),
          rank_(static_cast<std::uint32_t>(rank)),
          own_(std::move(own)),
          known_(fetch.known()) {
        tree_.points = std::move(own_.points);
        tree_.num_targets = static_cast<std::uint32_t>(tree_.points.size());
        tree_.points.insert(tree_.points.end(), fetch.points().begin(), fetch.points().end());
        RICOCHET_CHECK_LT(tree_.points.size(), not_here);
    }

    GravityTree assembled(std::size_t num_branches) {
        if (num_branches > 0) add_above(0, num_branches);
        return std::move(tree_);
    }

  private:
    /// The smallest cell that contains these branches, as TreeBuilder::add_cell.
    void add_above(std::size_t begin, std::size_t end) {
        if (end - begin == 1) return add_known(begin);
        const std::uint32_t cell = tree_.add({}, {}, {});
        const int shift =
            cell_keys_.shift_of_first_difference(known_[begin].record.key, known_[end - 1].record.key);
        while (begin < end) {
            const CellKey digits = known_[begin].record.key >> shift;
            std::size_t child_end = begin + 1;
            while (child_end < end && known_[child_end].record.key >> shift == digits) ++child_end;
            add_above(begin, child_end);
            begin = child_end;
        }
        close_cell(tree_, cell, opening_);
    }

    void add_known(std::size_t index) {
        const KnownCell& known = known_[index];
        const CellRecord& record = known.record;
        if (record.rank == rank_) return add_own(record.index);
        const bool is_here = known.first != not_here, is_leaf = record.count > 0;
        const std::uint32_t cell =
            tree_.add({.centre = record.moments.centre,
                       .opening_squared = record.opening_squared,
                       .first = is_leaf && is_here ? tree_.num_targets + known.first : 0,
                       .count = is_here ? record.count : not_here},
                      record.moments, record.bounds);
        if (is_leaf || !is_here) return;
        for (std::uint32_t child = 0; child < record.num_children; ++child) add_known(known.first + child);
        tree_.cells[cell].next = static_cast<std::uint32_t>(tree_.cells.size());
    }

    void add_own(std::uint32_t branch) {
        const std::uint32_t end = own_.cells[branch].next;
        for (std::uint32_t cell = branch; cell < end; ++cell) {
            const std::uint32_t length = own_.cells[cell].next - cell;
            const std::uint32_t added = tree_.add(own_.cells[cell], own_.moments[cell], own_.bounds[cell]);
            tree_.cells[added].next = added + length;
        }
    }

    const CellKeys& cell_keys_;
    Opening opening_;
    std::uint32_t rank_;
    GravityTree own_, tree_;
    const std::vector<KnownCell>& known_;
};

}  // namespace

GravityTree build_shared_tree(Exchange& exchange, const CellKeys& cell_keys, const Opening& opening,
                              std::span<const SortedSource> sorted, std::span<const Vec3> images,
                              FetchedParts* fetched) {
    GravityTree own;
    std::vector<CellKey> keys;
    own.points.reserve(sorted.size());
    keys.reserve(sorted.size());
    for (const SortedSource& source : sorted) {
        own.points.push_back(source.point);
        keys.push_back(source.key);
    }
    RICOCHET_CHECK_LT(own.points.size(), not_here);
    const ForeignKeys foreign = foreign_keys(key_ranges(exchange, sorted), exchange.rank());
    const auto own_branches = add_branches(cell_keys, opening, foreign, keys, exchange.rank(), own);
    own.num_targets = static_cast<std::uint32_t>(own.points.size());
    if (exchange.size() == 1) return own;
    const auto branches = all_gather_records<CellRecord>(exchange, own_branches);
    CellFetch fetch(exchange, own, images, branches);
    fetch.run();
    if (fetched) *fetched = fetch.parts();
    return TreeAssembly(cell_keys, opening, exchange.rank(), std::move(own), fetch)
        .assembled(branches.size());
}

}  // namespace ricochet
