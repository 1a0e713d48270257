// SPDX-License-Identifier: BSD-3-Clause
#include "search/octree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "ricochet/core/check.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_octree(const Box& box, const SearchOptions& options) {
    return std::make_unique<Octree>(box, options);
}

bool Octree::Node::contains(const FixedPosition& position) const {
    for (std::size_t a = 0; a < 3; ++a)
        if (std::int64_t{position[a] - lower[a]} >= size(a)) return false;
    return true;
}

bool Octree::meets(const FixedSphere& sphere, const Node& node) const {
    for (std::size_t a = 0; a < 3; ++a)
        if (!fixed().meets(sphere, a, node.lower[a], node.size(a))) return false;
    return true;
}

void Octree::divide(SearchDomain /*domain*/, std::vector<std::uint32_t>& starts, std::vector<Slot>& slots) {
    starts_ = &starts;
    slots_ = &slots;
    starts.assign(1, 0);
    slots.clear();
    leaves_.clear();
    nodes_.assign(1, Node());
    pending_.clear();
    for (Slot slot = 0; slot < fixed_spheres().size(); ++slot) pending_.push_back(slot);
    grow(0, 0, 0);
}

/// Those that are longer than half of the longest one.
std::uint8_t Octree::axes_to_divide(const Node& node) const {
    const auto edge = [&](std::size_t a) {
        const int axis = static_cast<int>(a);
        return axis < box().dimension ? std::ldexp(box().size[axis], node.bits[a] - 32) : 0;
    };
    const double longest = std::max({edge(0), edge(1), edge(2)});
    unsigned axes = 0;
    for (std::size_t a = 0; a < 3; ++a)
        if (2 * edge(a) > longest && node.bits[a] > 0) axes |= 1u << a;
    return static_cast<std::uint8_t>(axes);
}

/// Returns the first of the children, which follow each other.
std::uint32_t Octree::add_children(std::uint32_t parent, std::uint8_t axes) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    Node half = nodes_[parent];
    for (std::size_t a = 0; a < 3; ++a)
        if ((axes >> a & 1) != 0) --half.bits[a];
    const int num_children = 1 << std::popcount(axes);
    for (int child = 0; child < num_children; ++child) {
        Node node = half;
        int bit = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            if ((axes >> a & 1) == 0) continue;
            if ((child >> bit++ & 1) != 0) node.lower[a] += static_cast<std::uint32_t>(half.size(a));
        }
        nodes_.push_back(node);
    }
    return first;
}

/// Divides the node, whose entries are pending from `begin` on, and takes these from the stack.
void Octree::grow(std::uint32_t node, std::uint64_t depth, std::size_t begin) {
    const std::size_t end = pending_.size();
    if (end - begin <= most_in_leaf_) return make_leaf(node, LeafReason::few, begin);
    const std::uint8_t axes = axes_to_divide(nodes_[node]);
    if (depth >= deepest_ || axes == 0) return make_leaf(node, LeafReason::deepest, begin);
    const std::uint32_t first = add_children(node, axes);
    const int num_children = 1 << std::popcount(axes);
    if (!sort_into_children(first, num_children, begin)) {
        pending_.resize(end);
        nodes_.resize(first);
        return make_leaf(node, LeafReason::useless, begin);
    }
    nodes_[node].divided_axes = axes;
    nodes_[node].first = first;
    std::array<std::size_t, 8> counts{};
    for (int child = 0; child < num_children; ++child) {
        counts[static_cast<std::size_t>(child)] = pending_.back();
        pending_.pop_back();
    }
    for (int child = 0; child < num_children; ++child)
        grow(first + static_cast<std::uint32_t>(num_children - 1 - child), depth + 1,
             pending_.size() - counts[static_cast<std::size_t>(child)]);
    pending_.resize(begin);
}

/// As bits. The first and the last child lie in opposite corners, so these two tell the halves along each axis.
std::uint8_t Octree::children_entered(const FixedSphere& sphere, std::uint32_t first,
                                      int num_children) const {
    constexpr std::array<unsigned, 3> lower_halves{0x55, 0x33, 0x0f};
    const Node &low = nodes_[first], &high = nodes_[first + static_cast<std::uint32_t>(num_children) - 1];
    unsigned children = 0xff;
    std::size_t bit = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        if (low.lower[a] == high.lower[a]) continue;
        const unsigned in_low = fixed().meets(sphere, a, low.lower[a], low.size(a)) ? lower_halves[bit] : 0;
        const unsigned in_high =
            fixed().meets(sphere, a, high.lower[a], high.size(a)) ? ~lower_halves[bit] : 0;
        children &= in_low | in_high;
        ++bit;
    }
    return static_cast<std::uint8_t>(children);
}

/// Pushes the entries of the children, one child after the other, and then their counts. False if that is no use: a
/// sphere enters f of k children on average, so each has a share f/k of the spheres. All children together then have
/// k (f/k)^2 times as many pairs as the node.
bool Octree::sort_into_children(std::uint32_t first, int num_children, std::size_t begin) {
    const std::size_t end = pending_.size();
    const auto num_entered = static_cast<double>(end - begin);
    const auto most = static_cast<std::size_t>(std::sqrt(static_cast<double>(num_children)) * num_entered);
    entered_.clear();
    for (std::size_t k = begin; k < end; ++k)
        entered_.push_back(children_entered(fixed_spheres()[pending_[k]], first, num_children));
    std::array<std::size_t, 8> counts{};
    for (int child = 0; child < num_children; ++child) {
        const std::size_t before = pending_.size();
        for (std::size_t k = begin; k < end; ++k)
            if ((entered_[k - begin] >> child & 1) != 0) pending_.push_back(Slot{pending_[k]});
        counts[static_cast<std::size_t>(child)] = pending_.size() - before;
        if (pending_.size() - end > most) return false;
    }
    for (int child = 0; child < num_children; ++child)
        pending_.push_back(static_cast<Slot>(counts[static_cast<std::size_t>(child)]));
    return true;
}

void Octree::make_leaf(std::uint32_t node, LeafReason reason, std::size_t begin) {
    nodes_[node].reason = reason;
    nodes_[node].first = static_cast<std::uint32_t>(leaves_.size());
    leaves_.push_back(node);
    slots_->insert(slots_->end(), pending_.begin() + static_cast<std::ptrdiff_t>(begin), pending_.end());
    RICOCHET_CHECK_LE(slots_->size(), std::numeric_limits<std::uint32_t>::max());
    starts_->push_back(static_cast<std::uint32_t>(slots_->size()));
    pending_.resize(begin);
}

void Octree::find_buckets(const FixedSphere& sphere, std::vector<std::uint32_t>& buckets) const {
    find_leaves(0, sphere, buckets);
}

void Octree::find_leaves(std::uint32_t node, const FixedSphere& sphere,
                         std::vector<std::uint32_t>& leaves) const {
    const Node& at = nodes_[node];
    if (at.divided_axes == 0) {
        leaves.push_back(at.first);
        return;
    }
    const std::uint32_t num_children = 1u << std::popcount(at.divided_axes);
    for (std::uint32_t child = at.first; child < at.first + num_children; ++child)
        if (meets(sphere, nodes_[child])) find_leaves(child, sphere, leaves);
}

}  // namespace ricochet
