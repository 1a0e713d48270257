// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/sphere_links.hpp"

#include <algorithm>

#include "geometry/path.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

SphereLinks::SphereLinks(const Box& box, const EngineOptions& options)
    : box_(box), search_(make_search(options.search, box, options.search_options)) {}

/// The sphere of the path from now to the end of the step; for an absent slot, one that holds nothing.
BoundingSphere SphereLinks::sphere_of(Slot slot) const {
    Motion motion = setting_.motion[slot];
    motion.position = advanced(motion.position, motion.velocity, setting_.now - motion.time);
    const double rest = setting_.end - setting_.now;
    const Vec3 midpoint = PathMidpoint(box_, rest)(motion);
    if (!is_present(slot)) return bounding_sphere(midpoint, 0);
    const double half_path = 0.5 * rest * norm(motion.velocity);
    const double radius = setting_.attributes[slot].radius + setting_.reach;
    return bounding_sphere(midpoint, std::min((half_path + radius) * path_reach_up, reach_of_box(box_)));
}

void SphereLinks::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    setting_ = setting;
    queue.clear();
    const auto num_slots = static_cast<Slot>(setting.motion.size());
    spheres_.resize(num_slots);
    for (Slot slot = 0; slot < num_slots; ++slot) spheres_[slot] = sphere_of(slot);
    for (std::vector<Slot>& links : links_) links.clear();
    links_.resize(num_slots);
    search_->build(spheres_, setting.domain);
    search_->collect_pairs(pairs_);
    pairs_.consume([this](const PairSpan& pairs) {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            links_[pairs.first[k]].push_back(pairs.second[k]);
            links_[pairs.second[k]].push_back(pairs.first[k]);
        }
    });
}

void SphereLinks::link(Slot slot, Slot other) {
    std::vector<Slot>& links = links_[slot];
    if (std::find(links.begin(), links.end(), other) != links.end()) return;
    links.push_back(other);
    links_[other].push_back(slot);
}

bool SphereLinks::changed(Slot slot, double /*now*/, TopologicalQueue& /*queue*/) {
    if (!is_present(slot)) return true;
    const Motion& motion = setting_.motion[slot];
    const PathPart path{motion.position,
                        advanced(motion.position, motion.velocity, setting_.end - motion.time)};
    const double radius = setting_.attributes[slot].radius + setting_.reach;
    if (!search_->outgrows(spheres_[slot], path, radius)) return true;
    found_.clear();
    search_->enlarge(slot, path, radius, found_);
    for (const Slot other : found_)
        if (other != slot) link(slot, other);
    return true;
}

void SphereLinks::neighbours(Slot slot, std::vector<Slot>& found) const {
    for (const Slot other : links_[slot])
        if (is_present(other)) found.push_back(other);
}

void SphereLinks::append_order(std::vector<Slot>& order) const {
    for (const Slot slot : search_->order())
        if (is_present(slot)) order.push_back(slot);
}

std::size_t SphereLinks::memory_bytes() const {
    std::size_t sum = search_->memory_bytes() + bytes_of(spheres_) + bytes_of(links_);
    for (const std::vector<Slot>& links : links_) sum += bytes_of(links);
    return sum;
}

}  // namespace ricochet
