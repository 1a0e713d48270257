// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/self_gravity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gravity/direct_sum.hpp"
#include "gravity/near_images.hpp"
#include "gravity/shared_tree.hpp"
#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"
#include "parallel/outbox.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// A field on its way back.
struct SentField {
    GravityField field;
    std::uint64_t index = 0;
};

bool is_finite(const GravityField& field) {
    return std::isfinite(field.acceleration.x) && std::isfinite(field.acceleration.y) &&
           std::isfinite(field.acceleration.z) && std::isfinite(field.potential);
}

}  // namespace

SelfGravity::SelfGravity(Exchange& exchange, const Box& box, const GravitySetting& setting)
    : exchange_(exchange), box_(box), cell_keys_(box), setting_(setting), near_images_(near_images(box)) {
    RICOCHET_CHECK_GT(setting.law.constant, 0);
    RICOCHET_CHECK_GE(setting.law.softening, 0);
    RICOCHET_CHECK_GT(setting.opening, 0);
    if (near_images_.size() > 1) far_images_.emplace(box, setting.law);
}

std::optional<GravityFailure> SelfGravity::find_fields(std::span<const GravitySource> owned,
                                                       WithPotential potential,
                                                       std::vector<GravityField>& fields) {
    const GravityLaw& law = setting_.law;
    const FieldSums sums{law.form, law.softening * law.softening, potential == WithPotential::yes};
    counts_ = {};
    std::vector<SortedSource> sorted = sources_of(owned);
    if (setting_.method == GravityMethod::tree)
        sorted = sort_into_leaves(exchange_, cell_keys_, std::move(sorted));
    else
        sorted = sort_across_ranks(exchange_, std::move(sorted),
                                   [](const SortedSource& source) { return source.id; });
    counts_.num_targets = sorted.size();
    auto found =
        setting_.method == GravityMethod::tree ? fields_by_tree(sorted, sums) : fields_by_pairs(sorted, sums);
    if (far_images_) add_far_images(sorted, sums.has_potential, found);
    fields.resize(owned.size());
    send_back(sorted, found, fields);
    return agreed_failure(owned, fields);
}

std::vector<SortedSource> SelfGravity::sources_of(std::span<const GravitySource> owned) const {
    std::vector<SortedSource> sources;
    sources.reserve(owned.size());
    for (const GravitySource& source : owned) {
        RICOCHET_DCHECK_GT(source.mass, 0);
        sources.push_back({cell_keys_.key_of(source.position),
                           source.id,
                           {source.position, source.mass},
                           static_cast<std::uint32_t>(exchange_.rank()),
                           static_cast<std::uint32_t>(sources.size())});
    }
    return sources;
}

GravityField SelfGravity::scaled(const TargetBatch& targets, std::size_t k) const {
    return {setting_.law.constant * targets.sum(k), setting_.law.constant * targets.potential[k]};
}

Opening SelfGravity::opening() const {
    if (!far_images_) return Opening(setting_.opening);
    return Opening(setting_.opening, 0.25 * std::max({box_.size.x, box_.size.y, box_.size.z}));
}

std::vector<GravityField> SelfGravity::fields_by_tree(const std::vector<SortedSource>& sorted,
                                                      const FieldSums& sums) {
    const GravityTree tree = build_shared_tree(exchange_, cell_keys_, opening(), sorted, near_images_);
    std::vector<GravityField> found(sorted.size());
    TreeWalk walk(tree, sums, near_images_);
    for (std::uint32_t cell = 0; cell < tree.cells.size(); ++cell) {
        if (!tree.is_target_leaf(cell)) continue;
        walk.for_each_batch(cell, [&](std::uint32_t first, const TargetBatch& targets) {
            for (std::size_t k = 0; k < targets.count; ++k) found[first + k] = scaled(targets, k);
        });
    }
    counts_.num_points = walk.num_points();
    counts_.num_cells = walk.num_cells();
    return found;
}

std::vector<GravityField> SelfGravity::fields_by_pairs(const std::vector<SortedSource>& sorted,
                                                       const FieldSums& sums) {
    std::vector<PointMass> points;
    points.reserve(sorted.size());
    for (const SortedSource& source : sorted) points.push_back(source.point);
    std::vector<GravityField> found;
    for (const TargetBatch& targets : sum_directly(exchange_, sums, points, near_images_))
        for (std::size_t k = 0; k < targets.count; ++k) found.push_back(scaled(targets, k));
    counts_.num_points = points.size() * (near_images_.size() * sum_of_ranks(exchange_, points.size()) - 1);
    return found;
}

void SelfGravity::add_far_images(const std::vector<SortedSource>& sorted, bool with_potential,
                                 std::vector<GravityField>& found) {
    std::vector<PointMass> points;
    points.reserve(sorted.size());
    for (const SortedSource& source : sorted) points.push_back(source.point);
    far_images_->set_masses(exchange_, points);
    for (std::size_t k = 0; k < points.size(); ++k) {
        const FarField far = far_images_->at(points[k].position);
        found[k].acceleration = found[k].acceleration + setting_.law.constant * far.acceleration;
        if (with_potential) found[k].potential += setting_.law.constant * far.potential;
    }
}

void SelfGravity::send_back(const std::vector<SortedSource>& sorted, const std::vector<GravityField>& found,
                            std::vector<GravityField>& fields) const {
    const auto own = static_cast<std::uint32_t>(exchange_.rank());
    detail::Outbox<SentField> outbox(exchange_);
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        if (sorted[k].rank == own)
            fields[sorted[k].index] = found[k];
        else
            outbox.add(static_cast<int>(sorted[k].rank), {found[k], sorted[k].index});
    }
    if (exchange_.size() == 1) return;
    for (const SentField& sent : outbox.deliver()) fields[sent.index] = sent.field;
}

std::optional<GravityFailure> SelfGravity::agreed_failure(std::span<const GravitySource> owned,
                                                          const std::vector<GravityField>& fields) const {
    std::vector<GravitySource> failed;
    for (std::size_t k = 0; k < owned.size(); ++k)
        if (!is_finite(fields[k]) && (failed.empty() || owned[k].id < failed.front().id))
            failed.assign(1, owned[k]);
    if (exchange_.bit_or(failed.empty() ? 0 : 1) == 0) return std::nullopt;
    failed = all_gather_records<GravitySource>(exchange_, failed);
    const auto by_id = [](const GravitySource& a, const GravitySource& b) { return a.id < b.id; };
    const GravitySource first = *std::min_element(failed.begin(), failed.end(), by_id);

    std::vector<ParticleId> others;
    for (const GravitySource& source : owned)
        if (source.position == first.position && source.id != first.id &&
            (others.empty() || source.id < others.front()))
            others.assign(1, source.id);
    others = all_gather_records<ParticleId>(exchange_, others);
    GravityFailure failure{first.id, std::nullopt};
    if (!others.empty()) failure.other = *std::min_element(others.begin(), others.end());
    return failure;
}

}  // namespace ricochet
