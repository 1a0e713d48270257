// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/delaunay2.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kinetic/triangles_builder.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

Delaunay2::Delaunay2(const Box& box, const EngineOptions& /*options*/)
    : state_{TorusFrame(box), {}}, saved_{state_} {}

// --- the start ---------------------------------------------------------------------------------------------

bool Delaunay2::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    setting_ = setting;
    if (!setting.is_rebuilt) latest_stamp_ = 0;
    is_broken_ = false;
    flip_count_.clear();
    queue.clear();
    state_.frame.begin(setting);
    if (state_.frame.num_present() == 0 || !build() || has_overlaps(setting.now)) return false;
    for (EdgeName edge = 0; edge < 3 * state_.triangles.size(); ++edge)
        if (edge < state_.triangles.twin(edge)) schedule(edge, setting.now, queue);
    return true;
}

bool Delaunay2::build() {
    const TorusFrame& frame = state_.frame;
    std::vector<WeightedPoint2> points(frame.size());
    for (Slot slot = 0; slot < points.size(); ++slot)
        if (frame.is_present(slot))
            points[slot] = {frame.at(setting_, slot, setting_.now).position, frame.weight(slot)};
    order_.clear();
    return build_triangles(points, frame, state_.triangles, order_);
}

bool Delaunay2::has_overlaps(double now) const {
    const Triangles& triangles = state_.triangles;
    for (EdgeName edge = 0; edge < 3 * triangles.size(); ++edge) {
        const Corner &a = triangles.corner(Triangles::after(edge)),
                     &b = triangles.corner(Triangles::before(edge));
        const double radii = setting_.attributes[a.slot].radius + setting_.attributes[b.slot].radius;
        if (overlap_deeply(disc(a, now).position - disc(b, now).position, radii)) return true;
    }
    return false;
}

// --- certificates ------------------------------------------------------------------------------------------

MovingDisc Delaunay2::disc(const Corner& corner, double now) const {
    MovingDisc disc = state_.frame.at(setting_, corner.slot, now);
    disc.position = place_of(corner, disc.position, state_.frame.period());
    return disc;
}

Polynomial<4> Delaunay2::certificate(EdgeName edge, double now) const {
    const auto [left, begin, end, right] = state_.triangles.quadrilateral(edge);
    std::array<Corner, 4> corners{right, left, begin, end};
    bool is_odd = false;
    for (std::size_t k = 1; k < 4; ++k)
        for (std::size_t j = k; j > 0 && corners[j] < corners[j - 1]; --j) {
            std::swap(corners[j], corners[j - 1]);
            is_odd = !is_odd;
        }
    // In the frame of the first one, so that a certificate does not depend on the triangle that asks for it.
    std::array<MovingDisc, 4> discs;
    const Corner first = corners[0], origin{first.slot, 0, 0};
    for (std::size_t k = 0; k < 4; ++k) discs[k] = disc(shifted(corners[k], first, origin), now);
    const Polynomial<4> determinant = power_determinant(discs);
    return is_odd ? determinant : -determinant;
}

/// Whatever was scheduled for the edge before is void.
void Delaunay2::schedule(EdgeName edge, double now, TopologicalQueue& queue) {
    if (latest_stamp_ == std::numeric_limits<std::uint32_t>::max())
        throw RunError(
            "more than 2^32 certificates of edges on one rank in one step: use a smaller run.timestep");
    const EdgeName name = state_.triangles.set_stamp(edge, ++latest_stamp_);
    ++num_certificates_;
    const double time = first_fall(certificate(name, now), setting_.end - now);
    if (time < setting_.end - now) queue.push({now + time, name, latest_stamp_});
}

// --- events ------------------------------------------------------------------------------------------------

/// Whether both diagonals of the quadrilateral lie inside.
bool Delaunay2::is_convex(const Quadrilateral& corners, double now) const {
    const auto at = [&](std::size_t k) { return disc(corners[k], now).position; };
    const Vec3 a = at(0), b = at(1), c = at(2), d = at(3);
    return two_areas(a, b, d) > 0 && two_areas(d, c, a) > 0;
}

std::optional<Slot> Delaunay2::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                       std::vector<Slot>& found) {
    Triangles& triangles = state_.triangles;
    const EdgeName edge = event.name;
    if (triangles.stamp(edge) != event.stamp) return std::nullopt;
    const Quadrilateral corners = triangles.quadrilateral(edge);
    if (!is_convex(corners, event.time) || flip_count_.is_endless(event.time, triangles.size())) {
        is_broken_ = true;
        return std::nullopt;
    }
    const std::uint32_t left = edge / 3, right = triangles.twin(edge) / 3;
    triangles.flip(edge);
    for (const EdgeName next : {3 * left, 3 * left + 1, 3 * left + 2, 3 * right, 3 * right + 2})
        schedule(next, event.time, queue);
    if (corners[0].slot != corners[3].slot) found.push_back(corners[3].slot);
    return corners[0].slot;
}

bool Delaunay2::changed(Slot slot, double now, TopologicalQueue& queue) {
    if (is_absent(setting_.attributes[slot]) || !state_.frame.holds(setting_, slot)) return false;
    state_.triangles.for_each_opposite(slot, [&](EdgeName edge) {
        schedule(edge, now, queue);
        schedule(Triangles::after(edge), now, queue);
    });
    return true;
}

// --- neighbours --------------------------------------------------------------------------------------------

void Delaunay2::neighbours(Slot slot, std::vector<Slot>& found) const {
    const Triangles& triangles = state_.triangles;
    triangles.for_each_opposite(slot, [&](EdgeName edge) {
        const Slot other = triangles.corner(Triangles::after(edge)).slot;
        if (other != slot) found.push_back(other);
    });
}

void Delaunay2::append_order(std::vector<Slot>& order) const {
    order.insert(order.end(), order_.begin(), order_.end());
}

std::size_t Delaunay2::memory_bytes() const {
    const auto of_state = [](const State& state) {
        return state.frame.memory_bytes() + state.triangles.memory_bytes();
    };
    return of_state(state_) + of_state(saved_) + bytes_of(order_);
}

}  // namespace ricochet
