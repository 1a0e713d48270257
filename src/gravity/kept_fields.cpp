// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/kept_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

GravitySource source_of(const Particles& owned, std::size_t slot) {
    return {owned.motion[slot].position, owned.attributes[slot].mass, owned.motion[slot].id};
}

bool is_same(const GravitySource& a, const GravitySource& b) {
    return a.id == b.id && a.position == b.position && a.mass == b.mass;
}

std::string in_words(const GravityFailure& failure) {
    const std::string first = std::to_string(failure.id);
    if (!failure.other)
        return "self_gravity: particle " + first +
               " is so near to another that its acceleration is not a number; expected "
               "self_gravity.softening > 0, "
               "or particles that keep apart";
    return "self_gravity: particles " + std::to_string(std::min(failure.id, *failure.other)) + " and " +
           std::to_string(std::max(failure.id, *failure.other)) +
           " are at the same place, where their attraction has no limit; expected self_gravity.softening > "
           "0, or "
           "particles that keep apart";
}

}  // namespace

std::span<const GravityField> KeptFields::at(const Particles& owned, WithPotential potential) {
    const bool are_enough = are_there_ && (have_potential_ || potential == WithPotential::no);
    const bool fits = are_enough && take_over(owned);
    if (exchange_.bit_or(fits ? 0 : 1) != 0) find(owned, potential);
    return fields_;
}

/// Whether each particle has its field. Some that are gone from this rank are missed on the rank that has them now; one
/// that has ended is missed here.
bool KeptFields::take_over(const Particles& owned) {
    if (owned.size() != sources_.size()) return false;
    for (std::size_t slot = 0; slot < owned.size(); ++slot)
        if (!is_same(source_of(owned, slot), sources_[slot])) return take_over_by_ids(owned);
    return true;
}

bool KeptFields::take_over_by_ids(const Particles& owned) {
    std::vector<std::pair<ParticleId, std::size_t>> slots;
    slots.reserve(sources_.size());
    for (std::size_t slot = 0; slot < sources_.size(); ++slot) slots.emplace_back(sources_[slot].id, slot);
    std::sort(slots.begin(), slots.end());
    std::vector<GravitySource> sources;
    std::vector<GravityField> fields;
    sources.reserve(owned.size());
    fields.reserve(owned.size());
    for (std::size_t slot = 0; slot < owned.size(); ++slot) {
        const GravitySource source = source_of(owned, slot);
        const auto found = std::lower_bound(slots.begin(), slots.end(), std::pair{source.id, std::size_t{0}});
        if (found == slots.end() || !is_same(source, sources_[found->second])) return false;
        sources.push_back(source);
        fields.push_back(fields_[found->second]);
    }
    sources_ = std::move(sources);
    fields_ = std::move(fields);
    return true;
}

void KeptFields::find(const Particles& owned, WithPotential potential) {
    sources_.clear();
    for (std::size_t slot = 0; slot < owned.size(); ++slot) sources_.push_back(source_of(owned, slot));
    are_there_ = false;
    if (const auto failure = gravity_.find_fields(sources_, potential, fields_))
        throw RunError(in_words(*failure));
    are_there_ = true;
    have_potential_ = potential == WithPotential::yes;
    ++num_found_;
    counts_.num_points += gravity_.counts().num_points;
    counts_.num_cells += gravity_.counts().num_cells;
    counts_.num_targets += gravity_.counts().num_targets;
    for (std::size_t slot = 0; slot < sources_.size(); ++slot) {
        const Vec3 force = sources_[slot].mass * fields_[slot].acceleration;
        forces_.net = forces_.net + force;
        forces_.gross += norm(force);
    }
}

}  // namespace ricochet
