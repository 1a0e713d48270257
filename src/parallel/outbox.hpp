// SPDX-License-Identifier: BSD-3-Clause
//
// Records of one type that are to be sent to any ranks.
#pragma once

#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::detail {

template <class Record>
class Outbox {
  public:
    explicit Outbox(Exchange& exchange)
        : exchange_(exchange), rank_(exchange.rank()), messages_(static_cast<std::size_t>(exchange.size())) {}

    /// Makes room for records from this rank to itself, in large pages. For speed only.
    void reserve_own(std::size_t num_records) { reserve_in_large_pages(own_, num_records); }
    void add(int rank, const Record& record) {
        RICOCHET_DCHECK_GE(rank, 0);
        RICOCHET_DCHECK_LT(rank, messages_.size());
        if (rank == rank_) return own_.push_back(record);
        append_records(messages_[static_cast<std::size_t>(rank)], std::span<const Record>(&record, 1));
    }
    /// Sends everything; returns the records that arrived, in the order of the ranks that sent them.
    /// Collective.
    std::vector<Record> deliver() {
        std::vector<Bytes> incoming = exchange_.all_to_all(std::move(messages_));
        if (exchange_.size() == 1) return std::move(own_);
        std::size_t num_bytes = 0;
        for (const Bytes& message : incoming) num_bytes += message.size();
        std::vector<Record> arrived;
        reserve_in_large_pages(arrived, own_.size() + num_bytes / sizeof(Record));
        for (std::size_t rank = 0; rank < incoming.size(); ++rank) {
            if (rank == static_cast<std::size_t>(rank_))
                arrived.insert(arrived.end(), own_.begin(), own_.end());
            read_records(std::span<const std::byte>(incoming[rank]), arrived);
            Bytes().swap(incoming[rank]);
        }
        std::vector<Record>().swap(own_);
        return arrived;
    }

  private:
    Exchange& exchange_;
    int rank_;
    std::vector<Bytes> messages_;  ///< to other ranks
    std::vector<Record> own_;      ///< from this rank to itself
};

}  // namespace ricochet::detail
