// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/delaunay3.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr std::uint32_t none = Tetrahedra::none;
/// How far vertices are out of place along each axis, at most, over r_min^2 / r.
constexpr double most_displacement = 1e-4;

/// Names a facet to the queue.
std::uint32_t name_of(Facet facet) { return 4 * facet.tetrahedron + facet.corner; }
Facet facet_of(std::uint32_t name) { return {name / 4, name % 4}; }

/// The corner's number among those of a facet: the other three, ascending.
std::array<std::uint32_t, 3> corners_of(std::uint32_t opposite) {
    std::array<std::uint32_t, 3> corners{};
    std::size_t next = 0;
    for (std::uint32_t k = 0; k < 4; ++k)
        if (k != opposite) corners[next++] = k;
    return corners;
}

}  // namespace

Delaunay3::Delaunay3(const Box& box, const EngineOptions&) {
    state_.frame = std::make_shared<const Frame>(Frame{.torus = TorusFrame(box)});
}

// --- the torus ---------------------------------------------------------------------------------------------

MovingSphere Delaunay3::sphere(std::uint32_t vertex, PeriodOffset offset, double now) const {
    const Frame& frame = *state_.frame;
    const Path& path = state_.paths[frame.slots[vertex]];
    Vec3 at = advanced(path.position, path.velocity, now - path.time) + frame.shifts[vertex];
    for (int axis = 0; axis < 3; ++axis)
        at[axis] += offset[static_cast<std::size_t>(axis)] * frame.period[axis];
    return {at, path.velocity, frame.weights[vertex]};
}

/// With the least number of copies that is known to be needed.
Delaunay3::Frame Delaunay3::frame_on(const TorusFrame& torus) const {
    Frame frame{.torus = torus, .period = torus.period(), .copies = least_copies_};
    for (int axis = 0; axis < 3; ++axis) frame.period[axis] *= frame.copies[static_cast<std::size_t>(axis)];
    frame.first_vertex.assign(torus.size(), none);
    for (Slot slot = 0; slot < torus.size(); ++slot) {
        if (!torus.is_present(slot)) continue;
        frame.first_vertex[slot] = static_cast<std::uint32_t>(frame.slots.size());
        for (std::uint32_t copy = 0; copy < frame.num_copies(); ++copy) add_copy(frame, slot, copy);
    }
    return frame;
}

/// All are a little out of place. Else flips of centres that remain in one plane, as those of rows do, or of two
/// particles and their copies, would have no volume.
void Delaunay3::add_copy(Frame& frame, Slot slot, std::uint32_t copy) const {
    constexpr std::uint64_t copies_apart = 1 << 20, numbers_per_copy = 4;
    const TorusFrame& torus = frame.torus;
    const ParticleId id = setting_.motion[slot].id;
    const std::uint64_t first = numbers_per_copy * (copy + copies_apart * num_failed_);
    const double radius = setting_.attributes[slot].radius;
    const Vec3 at = torus.at(setting_, slot, setting_.now).position, period = torus.period();
    const double displacement = most_displacement * torus.least_radius() * (torus.least_radius() / radius);
    const auto& copies = frame.copies;
    const std::array<std::uint32_t, 3> place{copy / copies[2] / copies[1], copy / copies[2] % copies[1],
                                             copy % copies[2]};
    Vec3 shift = torus.shift(slot);
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const double own = displacement * scattered(id, first + 1 + k);
        // The laps of all copies are those of the undisplaced centre. Near a face two would else come to one place.
        double laps = place[k] - std::floor(at[axis] / period[axis]);
        const double there = at[axis] + laps * period[axis] + own;
        laps -= copies[k] * std::floor(there / frame.period[axis]);
        shift[axis] += laps * period[axis] + own;
    }
    frame.slots.push_back(slot);
    frame.shifts.push_back(shift);
    frame.weights.push_back(radius * radius + torus.most_added() * scattered(id, first));
}

BuildResult Delaunay3::build(const Frame& frame) {
    std::vector<WeightedPoint> points;
    points.reserve(frame.slots.size());
    for (std::uint32_t vertex = 0; vertex < frame.slots.size(); ++vertex) {
        const MovingSphere here = sphere(vertex, {}, setting_.now);
        points.push_back({here.position, here.weight});
    }
    return build_tetrahedra(points, frame.period, state_.tetrahedra);
}

/// By more than vertices may be out of place.
bool Delaunay3::has_overlaps() const {
    const Frame& frame = *state_.frame;
    const double allowed = 2 * most_displacement * frame.torus.least_radius();
    for (std::uint32_t t = 0; t < state_.tetrahedra.size(); ++t) {
        const Tetrahedron& of = state_.tetrahedra[t];
        std::array<Vec3, 4> at;
        std::array<double, 4> radius;
        for (std::size_t k = 0; k < 4; ++k) {
            at[k] = sphere(of.vertex[k], of.offset[k], setting_.now).position;
            radius[k] = setting_.attributes[frame.slots[of.vertex[k]]].radius;
        }
        for (std::size_t a = 0; a < 4; ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (overlap_deeply(at[a] - at[b], radius[a] + radius[b], allowed)) return true;
    }
    return false;
}

/// Along the axis on which all copies together are shortest.
void Delaunay3::add_copies(const TorusFrame& torus) {
    std::size_t shortest = 0;
    const auto length = [&](std::size_t k) { return torus.period()[static_cast<int>(k)] * least_copies_[k]; };
    for (std::size_t k = 1; k < 3; ++k)
        if (length(k) < length(shortest)) shortest = k;
    ++least_copies_[shortest];
}

/// Copies that were needed on another torus, or for fewer spheres, may be far too many.
void Delaunay3::choose_first_copies(const TorusFrame& torus) {
    constexpr double most_change = 2;
    const auto differ = [](double a, double b) { return a > most_change * b || b > most_change * a; };
    const auto num_present = static_cast<double>(torus.num_present());
    bool is_another = differ(num_present, num_with_copies_);
    for (int axis = 0; axis < 3; ++axis)
        is_another = is_another || differ(torus.period()[axis], period_with_copies_[axis]);
    if (!is_another) return;
    num_with_copies_ = num_present;
    period_with_copies_ = torus.period();
    least_copies_ = {1, 1, 1};
}

/// False where there is none, or it would take too many copies. At the time of a flip, five centres may be on one
/// sphere to the last digit, so that a build fails. It is tried again with other random numbers.
bool Delaunay3::build_on(const TorusFrame& torus) {
    constexpr std::uint32_t always_allowed = 32, most_copies = 400;
    constexpr std::size_t most_vertices = 10'000;
    constexpr std::uint32_t most_failed = 2;
    for (num_failed_ = 0; num_failed_ < most_failed;) {
        state_.frame = std::make_shared<const Frame>(frame_on(torus));
        const std::uint32_t num_copies = state_.frame->num_copies();
        const bool has_many_vertices = state_.frame->slots.size() > most_vertices;
        if (num_copies > (has_many_vertices ? always_allowed : most_copies)) return false;
        const BuildResult result = build(*state_.frame);
        if (result == BuildResult::done) return true;
        if (result == BuildResult::torus_too_small)
            add_copies(torus);
        else
            ++num_failed_;
    }
    return false;
}

bool Delaunay3::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    setting_ = setting;
    if (!setting.is_rebuilt) latest_stamp_ = 0;
    queue.clear();
    state_.waiting.clear();
    state_.paths.clear();
    for (const Motion& motion : setting.motion)
        state_.paths.push_back({motion.position, motion.velocity, motion.time});
    TorusFrame torus = state_.frame->torus;
    torus.begin(setting);
    if (torus.num_present() == 0) return false;
    if (is_too_small_) add_copies(torus);
    if (!setting.is_rebuilt) choose_first_copies(torus);
    is_broken_ = is_too_small_ = false;
    flip_count_.clear();
    if (!build_on(torus) || has_overlaps()) return false;
    for (std::uint32_t t = 0; t < state_.tetrahedra.size(); ++t)
        for (std::uint32_t corner = 0; corner < 4; ++corner)
            if (t <= state_.tetrahedra[t].neighbour[corner] && !schedule({t, corner}, setting.now, queue))
                return false;
    return true;
}

// --- certificates ------------------------------------------------------------------------------------------

/// Those of the tetrahedron, then the apex.
std::array<MovingSphere, 5> Delaunay3::spheres(const FacetView& facet, double now) const {
    const Tetrahedron& of = state_.tetrahedra[facet.tetrahedron];
    std::array<MovingSphere, 5> five;
    for (std::size_t k = 0; k < 4; ++k) five[k] = sphere(of.vertex[k], of.offset[k], now);
    five[4] = sphere(facet.apex, facet.apex_offset, now);
    return five;
}

/// Whatever was scheduled for the facet before, from either side, is void. False where the torus is too small.
bool Delaunay3::schedule(Facet facet, double now, TopologicalQueue& queue) {
    const auto view = state_.tetrahedra.view(facet);
    if (!view) {
        is_broken_ = is_too_small_ = true;
        return false;
    }
    ++counts_.certificates;
    std::uint32_t& stamp = state_.tetrahedra[facet.tetrahedron].stamp[facet.corner];
    stamp = 0;
    state_.tetrahedra.stamp_beyond(*view) = 0;
    const double rest = setting_.end - now;
    const double soonest = time_to_fail(power_certificate(spheres(*view, now)), rest);
    if (!(soonest < rest)) return true;
    if (latest_stamp_ == std::numeric_limits<std::uint32_t>::max())
        throw RunError("more than 2^32 flips predicted on one rank in one step: use a smaller run.timestep");
    stamp = ++latest_stamp_;
    queue.push({now + soonest, name_of(facet), stamp});
    return true;
}

/// All facets whose certificate depends on the vertex, each once.
bool Delaunay3::schedule_around(std::uint32_t vertex, double now, TopologicalQueue& queue) {
    star_.clear();
    state_.tetrahedra.append_star(vertex, star_);
    for (const std::uint32_t t : star_)
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            const std::uint32_t other = state_.tetrahedra[t].neighbour[corner];
            const bool is_opposite = state_.tetrahedra[t].vertex[corner] == vertex;
            if ((is_opposite || t < other) && !schedule({t, corner}, now, queue)) return false;
        }
    return true;
}

bool Delaunay3::schedule_made(std::span<const std::uint32_t> made, double now, TopologicalQueue& queue) {
    for (const std::uint32_t t : made)
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            const std::uint32_t other = state_.tetrahedra[t].neighbour[corner];
            const bool is_between = std::find(made.begin(), made.end(), other) != made.end();
            if ((!is_between || t < other) && !schedule({t, corner}, now, queue)) return false;
        }
    return true;
}

bool Delaunay3::changed(Slot slot, double now, TopologicalQueue& queue) {
    if (is_broken_) return false;
    const Frame& frame = *state_.frame;
    const Motion& motion = setting_.motion[slot];
    Path& path = state_.paths[slot];
    const Attributes& attributes = setting_.attributes[slot];
    const std::uint32_t first = frame.first_vertex[slot];
    constexpr double most_jump = 1e-6;
    const Vec3 jump = advanced(motion.position, motion.velocity, now - motion.time) -
                      advanced(path.position, path.velocity, now - path.time);
    path = {motion.position, motion.velocity, motion.time};
    if (first == none) return is_absent(attributes);
    const double least_square = attributes.radius * attributes.radius;
    const bool fits = frame.weights[first] >= least_square &&
                      frame.weights[first] <= least_square + frame.torus.most_added() &&
                      frame.torus.holds(setting_, slot);
    if (is_absent(attributes) || !fits || !(norm(jump) < most_jump * frame.torus.least_radius()))
        return false;
    for (std::uint32_t copy = 0; copy < frame.num_copies(); ++copy)
        if (!schedule_around(first + copy, now, queue)) return false;
    return true;
}

// --- flips -------------------------------------------------------------------------------------------------

/// The flip that the five spheres allow now, if any. Returns the new tetrahedra.
std::span<const std::uint32_t> Delaunay3::flip(const FacetView& facet, double now) {
    const std::array<MovingSphere, 5> five = spheres(facet, now);
    const std::array<std::uint32_t, 3> corners = corners_of(facet.corner);
    std::array<std::uint32_t, 3> kept{};
    std::size_t num_kept = 0;
    for (const std::uint32_t corner : corners) {
        std::array<Vec3, 4> at{five[0].position, five[1].position, five[2].position, five[3].position};
        at[corner] = five[4].position;
        if (six_volumes(at[0], at[1], at[2], at[3]) > 0) kept[num_kept++] = corner;
    }
    if (num_kept < 2) return {};
    const std::uint32_t omitted = 6 - facet.corner - kept[0] - kept[1];
    if (num_kept == 2 && !state_.tetrahedra.has_three(facet, omitted)) return {};
    return state_.tetrahedra.flip(facet, {kept.data(), num_kept});
}

std::optional<Slot> Delaunay3::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                       std::vector<Slot>& found) {
    const Facet facet = facet_of(event.name);
    if (is_broken_ || !is_valid(facet, event.stamp)) return std::nullopt;
    const auto view = state_.tetrahedra.view(facet);
    RICOCHET_CHECK(view.has_value());
    const Slot opposite = state_.frame->slots[state_.tetrahedra[facet.tetrahedron].vertex[facet.corner]];
    const Slot apex = state_.frame->slots[view->apex];
    const auto made = flip(*view, event.time);
    if (made.empty()) {
        wait(event, *view, queue);
        return std::nullopt;
    }
    ++counts_.flips;
    is_broken_ = flip_count_.is_endless(event.time, state_.tetrahedra.size());
    schedule_made(made, event.time, queue);
    constexpr std::size_t of_two_to_three = 3;
    if (made.size() == of_two_to_three && apex != opposite) found.push_back(apex);
    return opposite;
}

/// A little later, by ever more: the others are due at the same time but for rounding. Where too many wait, or one
/// waits too long, it must be built anew.
void Delaunay3::wait(const TopologicalEvent& event, const FacetView& facet, TopologicalQueue& queue) {
    constexpr double first_wait = 1e-9, growth = 8;  // of the time in which two move by a radius
    constexpr std::uint32_t most_tries = 9;
    constexpr std::size_t most_waiting = 64;
    ++counts_.retries;
    auto& waiting = state_.waiting;
    auto entry = std::find_if(waiting.begin(), waiting.end(),
                              [&](const Waiting& other) { return other.stamp == event.stamp; });
    if (entry == waiting.end()) {
        if (waiting.size() == most_waiting)
            std::erase_if(waiting,
                          [this](const Waiting& other) { return !is_valid(other.facet, other.stamp); });
        entry = waiting.insert(waiting.end(), {facet_of(event.name), event.stamp, 0});
    }
    if (++entry->num_tries > most_tries || waiting.size() > most_waiting) {
        is_broken_ = true;
        return;
    }
    double speed = 0;
    for (const MovingSphere& sphere : spheres(facet, event.time))
        speed = std::max(speed, norm(sphere.velocity));
    const double later =
        first_wait * std::pow(growth, entry->num_tries) * state_.frame->torus.least_radius() / (2 * speed);
    const double time = std::max(event.time + later, std::nextafter(event.time, setting_.end));
    if (time < setting_.end) queue.push({time, event.name, event.stamp});
}

void Delaunay3::restore() {
    state_ = saved_;
    is_broken_ = is_too_small_ = false;
}

// --- neighbours --------------------------------------------------------------------------------------------

/// Those of the first copy: the others are like it.
void Delaunay3::neighbours(Slot slot, std::vector<Slot>& found) const {
    const Frame& frame = *state_.frame;
    const std::uint32_t vertex = frame.first_vertex[slot];
    if (vertex == none) return;
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    star_.clear();
    state_.tetrahedra.append_star(vertex, star_);
    for (const std::uint32_t t : star_)
        for (const std::uint32_t other : state_.tetrahedra[t].vertex)
            if (frame.slots[other] != slot) found.push_back(frame.slots[other]);
    std::sort(found.begin() + first, found.end());
    found.erase(std::unique(found.begin() + first, found.end()), found.end());
}

void Delaunay3::append_order(std::vector<Slot>& order) const {
    std::vector<char> is_there(state_.paths.size(), 0);
    for (std::uint32_t t = 0; t < state_.tetrahedra.size(); ++t) {
        if (!state_.tetrahedra.is_used(t)) continue;
        for (const std::uint32_t vertex : state_.tetrahedra[t].vertex) {
            const Slot slot = state_.frame->slots[vertex];
            if (!is_there[slot]) order.push_back(slot);
            is_there[slot] = 1;
        }
    }
}

std::size_t Delaunay3::memory_bytes() const {
    const Frame& frame = *state_.frame;
    return state_.tetrahedra.memory_bytes() + saved_.tetrahedra.memory_bytes() +
           bytes_of(state_.paths, saved_.paths) +
           bytes_of(frame.slots, frame.first_vertex, frame.shifts, frame.weights) +
           frame.torus.memory_bytes();
}

}  // namespace ricochet
