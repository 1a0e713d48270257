// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/tetrahedra.hpp"

#include <algorithm>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

constexpr std::uint32_t no_corner = 4;

std::uint32_t find_corner(const Tetrahedron& tetrahedron, std::uint32_t vertex) {
    for (std::uint32_t k = 0; k < 4; ++k)
        if (tetrahedron.vertex[k] == vertex) return k;
    return no_corner;
}

PeriodOffset sum(PeriodOffset a, PeriodOffset b) {
    for (std::size_t k = 0; k < 3; ++k) a[k] = static_cast<std::int8_t>(a[k] + b[k]);
    return a;
}
PeriodOffset difference(PeriodOffset a, PeriodOffset b) {
    for (std::size_t k = 0; k < 3; ++k) a[k] = static_cast<std::int8_t>(a[k] - b[k]);
    return a;
}

}  // namespace

void Tetrahedra::clear(std::size_t num_vertices) {
    tetrahedra_.clear();
    unused_.clear();
    one_of_.assign(num_vertices, none);
}

/// Offsets are counted from the first corner: they would else grow from flip to flip.
std::uint32_t Tetrahedra::add(const std::array<std::uint32_t, 4>& vertex,
                              const std::array<PeriodOffset, 4>& offset) {
    std::uint32_t t = static_cast<std::uint32_t>(tetrahedra_.size());
    if (unused_.empty()) {
        tetrahedra_.emplace_back();
    } else {
        t = unused_.back();
        unused_.pop_back();
    }
    Tetrahedron& added = tetrahedra_[t];
    added = {vertex, {none, none, none, none}, {}, {}};
    for (std::size_t k = 0; k < 4; ++k) {
        added.offset[k] = difference(offset[k], offset[0]);
        one_of_[vertex[k]] = t;
    }
    return t;
}

void Tetrahedra::link(Facet a, Facet b) {
    tetrahedra_[a.tetrahedron].neighbour[a.corner] = b.tetrahedron;
    tetrahedra_[b.tetrahedron].neighbour[b.corner] = a.tetrahedron;
}

std::uint32_t Tetrahedra::corner_of(std::uint32_t t, std::uint32_t vertex) const {
    const std::uint32_t k = find_corner(tetrahedra_[t], vertex);
    RICOCHET_DCHECK(k != no_corner);
    return k;
}

std::optional<FacetView> Tetrahedra::view(Facet facet) const {
    const Tetrahedron& here = tetrahedra_[facet.tetrahedron];
    FacetView seen{facet.tetrahedron, facet.corner, here.neighbour[facet.corner], none, {}};
    const Tetrahedron& there = tetrahedra_[seen.beyond];
    for (std::uint32_t k = 0; k < 4; ++k) {
        if (find_corner(here, there.vertex[k]) != no_corner) continue;
        seen.apex = there.vertex[k];
        const std::uint32_t shared = facet.corner == 0 ? 1 : 0;  // a corner of the facet
        const std::uint32_t same = corner_of(seen.beyond, here.vertex[shared]);
        seen.apex_offset = sum(there.offset[k], difference(here.offset[shared], there.offset[same]));
        return seen;
    }
    return std::nullopt;
}

std::uint32_t& Tetrahedra::stamp_beyond(const FacetView& facet) {
    return tetrahedra_[facet.beyond].stamp[corner_of(facet.beyond, facet.apex)];
}

void Tetrahedra::append_star(std::uint32_t vertex, std::vector<std::uint32_t>& star) const {
    if (++num_walks_ == 0 || latest_walk_.size() < tetrahedra_.size()) {
        latest_walk_.assign(tetrahedra_.size() + tetrahedra_.size() / 8, 0);
        num_walks_ = 1;
    }
    const auto come_to = [&](std::uint32_t t) {
        if (latest_walk_[t] == num_walks_) return;
        latest_walk_[t] = num_walks_;
        star.push_back(t);
    };
    std::size_t next = star.size();
    come_to(one_of_[vertex]);
    for (; next < star.size(); ++next) {
        const std::uint32_t here = star[next];
        for (std::uint32_t k = 0; k < 4; ++k)
            if (tetrahedra_[here].vertex[k] != vertex) come_to(tetrahedra_[here].neighbour[k]);
    }
}

bool Tetrahedra::has_three(const FacetView& facet, std::uint32_t k) const {
    const Tetrahedron& here = tetrahedra_[facet.tetrahedron];
    const std::uint32_t third = here.neighbour[k];
    if (third == facet.beyond || third == facet.tetrahedron) return false;
    if (tetrahedra_[facet.beyond].neighbour[corner_of(facet.beyond, here.vertex[k])] != third) return false;
    const auto seen = view({facet.tetrahedron, k});
    return seen && seen->apex == facet.apex && seen->apex_offset == facet.apex_offset;
}

std::optional<Tetrahedra::Outside> Tetrahedra::outside_of_flip(const FacetView& facet,
                                                               std::span<const std::uint32_t> corners,
                                                               std::uint32_t third) const {
    const Tetrahedron &here = tetrahedra_[facet.tetrahedron], &there = tetrahedra_[facet.beyond];
    const std::uint32_t omitted = 6 - facet.corner - corners[0] - corners[1];
    const auto outside = [&](std::uint32_t i, std::uint32_t j) {
        if (j == i) return here.neighbour[i];
        if (j == facet.corner) return there.neighbour[corner_of(facet.beyond, here.vertex[i])];
        if (third != none && j == omitted)
            return tetrahedra_[third].neighbour[corner_of(third, here.vertex[i])];
        return none;
    };
    Outside found{};
    for (std::size_t n = 0; n < corners.size(); ++n)
        for (std::uint32_t j = 0; j < 4; ++j) {
            const std::uint32_t t = outside(corners[n], j);
            if (t != none && (t == facet.tetrahedron || t == facet.beyond || t == third)) return std::nullopt;
            found[n][j] = t;
        }
    return found;
}

void Tetrahedra::remove(std::uint32_t t) {
    tetrahedra_[t].vertex[0] = none;
    tetrahedra_[t].stamp = {};
    unused_.push_back(t);
}

void Tetrahedra::link_to(Facet made, std::uint32_t other) {
    std::uint32_t k = 0;  // of the other's corners the one that is not of the facet
    for (std::uint32_t l = 0; l < 4; ++l) {
        const std::uint32_t at = find_corner(tetrahedra_[made.tetrahedron], tetrahedra_[other].vertex[l]);
        if (at == no_corner || at == made.corner) k = l;
    }
    link(made, {other, k});
}

std::span<const std::uint32_t> Tetrahedra::flip(const FacetView& facet,
                                                std::span<const std::uint32_t> corners) {
    const Tetrahedron here = tetrahedra_[facet.tetrahedron];
    const bool is_two_to_three = corners.size() == 3;
    const std::uint32_t third =
        is_two_to_three ? none : here.neighbour[6 - facet.corner - corners[0] - corners[1]];
    const auto outside = outside_of_flip(facet, corners, third);
    if (!outside) return {};
    for (const std::uint32_t old : {facet.tetrahedron, facet.beyond, third})
        if (old != none) remove(old);
    for (std::size_t n = 0; n < corners.size(); ++n) {
        auto vertex = here.vertex;
        auto offset = here.offset;
        vertex[corners[n]] = facet.apex;
        offset[corners[n]] = facet.apex_offset;
        made_[n] = add(vertex, offset);
    }
    for (std::size_t n = 0; n < corners.size(); ++n) {
        for (std::uint32_t j = 0; j < 4; ++j)
            if ((*outside)[n][j] != none) link_to({made_[n], j}, (*outside)[n][j]);
        for (std::size_t m = 0; m < n; ++m) link({made_[n], corners[m]}, {made_[m], corners[n]});
    }
    return {made_.data(), corners.size()};
}

}  // namespace ricochet
