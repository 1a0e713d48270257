// SPDX-License-Identifier: BSD-3-Clause
//
// Records of one type that are to be sent to any ranks.
#pragma once

#include <utility>
#include <vector>

#include "ricochet/core/check.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::detail {

template <class Record>
class Outbox {
  public:
    explicit Outbox(Exchange& exchange)
        : exchange_(exchange), messages_(static_cast<std::size_t>(exchange.size())) {}

    void add(int rank, const Record& record) {
        RICOCHET_DCHECK_GE(rank, 0);
        RICOCHET_DCHECK_LT(rank, messages_.size());
        append_records(messages_[static_cast<std::size_t>(rank)], std::span<const Record>(&record, 1));
    }
    /// Sends everything; returns the records that arrived, in the order of the ranks that sent them.
    /// Collective.
    std::vector<Record> deliver() {
        std::vector<Record> arrived;
        std::vector<Bytes> incoming = exchange_.all_to_all(std::move(messages_));
        std::size_t num_bytes = 0;
        for (const Bytes& message : incoming) num_bytes += message.size();
        arrived.reserve(num_bytes / sizeof(Record));
        for (Bytes& message : incoming) {
            read_records(std::span<const std::byte>(message), arrived);
            Bytes().swap(message);
        }
        return arrived;
    }

  private:
    Exchange& exchange_;
    std::vector<Bytes> messages_;
};

}  // namespace ricochet::detail
