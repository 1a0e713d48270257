// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/directory.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "parallel/outbox.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// A bijection of the words, so that keys in a row go to any ranks (the finalizer of MurmurHash3).
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 33)) * 0xff51afd7ed558ccdu;
    word = (word ^ (word >> 33)) * 0xc4ceb9fe1a85ec53u;
    return word ^ (word >> 33);
}

std::vector<std::uint64_t> each_once(std::span<const std::uint64_t> keys) {
    std::vector<std::uint64_t> once(keys.begin(), keys.end());
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    return once;
}

}  // namespace

int Directory::rank_of(const Exchange& exchange, std::uint64_t key) {
    return static_cast<int>(mixed(key) % static_cast<std::uint64_t>(exchange.size()));
}

Directory::Directory(Exchange& exchange, std::span<const Entry> entries) : exchange_(exchange) {
    detail::Outbox<Entry> outbox(exchange);
    for (const Entry& entry : entries) outbox.add(rank_of(exchange, entry.key), entry);
    kept_ = outbox.deliver();
    ++num_exchanges_;
    std::sort(kept_.begin(), kept_.end());
}

Directory::Entry& Directory::kept(std::uint64_t key) {
    const auto found = std::lower_bound(kept_.begin(), kept_.end(), Entry{key, 0});
    RICOCHET_CHECK(found != kept_.end() && found->key == key);
    return *found;
}

/// Answers come in the order of the questions.
std::vector<std::uint64_t> Directory::values_of(std::span<const std::uint64_t> keys) {
    const std::vector<std::uint64_t> asked = each_once(keys);
    std::vector<Bytes> questions(static_cast<std::size_t>(exchange_.size()));
    for (const std::uint64_t& key : asked)
        append_records(questions[static_cast<std::size_t>(rank_of(exchange_, key))], std::span(&key, 1));
    std::vector<Bytes> messages = exchange_.all_to_all(std::move(questions));
    std::vector<std::uint64_t> words;
    for (Bytes& message : messages) {
        words.clear();
        read_records(std::span<const std::byte>(message), words);
        for (std::uint64_t& word : words) word = kept(word).value;
        message.clear();
        append_records(message, std::span<const std::uint64_t>(words));
    }
    const std::vector<Bytes> answers = exchange_.all_to_all(std::move(messages));
    num_exchanges_ += 2;
    std::vector<std::uint64_t> found;
    found.reserve(asked.size());
    std::vector<std::size_t> next(answers.size());
    for (const std::uint64_t key : asked) {
        const auto rank = static_cast<std::size_t>(rank_of(exchange_, key));
        read_records(std::span<const std::byte>(answers[rank]), next[rank], 1, found);
        next[rank] += sizeof(std::uint64_t);
    }
    std::vector<std::uint64_t> values;
    values.reserve(keys.size());
    for (const std::uint64_t key : keys)
        values.push_back(found[static_cast<std::size_t>(std::lower_bound(asked.begin(), asked.end(), key) -
                                                        asked.begin())]);
    return values;
}

}  // namespace ricochet
