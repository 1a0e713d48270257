// SPDX-License-Identifier: BSD-3-Clause
#include "search/kept_order.hpp"

#include <algorithm>

namespace ricochet {

std::span<const KeptOrder::Item> KeptOrder::sort(std::span<const std::uint32_t> keys) {
    strays_.clear();
    if (items_.size() == keys.size())
        set_strays_apart(keys);
    else
        take_order_of_labels(keys);
    if (!sort_by_insertion()) {
        ++num_full_sorts_;
        std::sort(items_.begin(), items_.end());
    }
    merge_strays();
    return items_;
}

void KeptOrder::take_order_of_labels(std::span<const std::uint32_t> keys) {
    resize_for_overwrite(items_, keys.size());
    for (std::uint32_t label = 0; label < keys.size(); ++label) items_[label] = item(keys[label], label);
}

/// Gives the kept labels their new keys. Where the labels' own order has fewer descents, that is taken.
void KeptOrder::set_strays_apart(std::span<const std::uint32_t> keys) {
    std::size_t kept_descents = 0, own_descents = 0;
    for (std::size_t k = 1; k < items_.size(); ++k) {
        kept_descents += keys[label_of(items_[k - 1])] > keys[label_of(items_[k])] ? 1 : 0;
        own_descents += keys[k - 1] > keys[k] ? 1 : 0;
    }
    if (own_descents < kept_descents) return take_order_of_labels(keys);
    constexpr std::uint32_t half = 1u << 31;
    std::size_t num_kept = 0;
    for (const Item before : items_) {
        const std::uint32_t label = label_of(before), was = key_of(before), is = keys[label];
        if ((was > is ? was - is : is - was) > half)
            strays_.push_back(item(is, label));
        else
            items_[num_kept++] = item(is, label);
    }
    items_.resize(num_kept);
}

/// False if that would take too many moves; nothing is lost.
bool KeptOrder::sort_by_insertion() {
    constexpr std::size_t most_per_item = 16;
    std::size_t moves_left = most_per_item * items_.size();
    for (std::size_t k = 1; k < items_.size(); ++k) {
        const Item moving = items_[k];
        std::size_t place = k;
        for (; place > 0 && items_[place - 1] > moving; --place) items_[place] = items_[place - 1];
        items_[place] = moving;
        if (k - place > moves_left) return false;
        moves_left -= k - place;
    }
    return true;
}

void KeptOrder::merge_strays() {
    if (strays_.empty()) return;
    std::sort(strays_.begin(), strays_.end());
    const auto num_kept = static_cast<std::ptrdiff_t>(items_.size());
    items_.insert(items_.end(), strays_.begin(), strays_.end());
    std::inplace_merge(items_.begin(), items_.begin() + num_kept, items_.end());
}

}  // namespace ricochet
