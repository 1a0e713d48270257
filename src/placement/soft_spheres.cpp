// SPDX-License-Identifier: BSD-3-Clause
#include "placement/soft_spheres.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "geometry/path.hpp"
#include "model/box_fit.hpp"
#include "model/rounding.hpp"
#include "parallel/collectives.hpp"
#include "parallel/id_blocks.hpp"
#include "parallel/outbox.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet::detail {

namespace {

/// The skin of the list of pairs, in mean diameters, and the steps that a list should live.
constexpr double first_skin = 0.3, least_skin = 0.04, most_skin = 0.4;
constexpr int few_steps = 8, many_steps = 25;
/// The longest path of a step along an axis, in radii.
constexpr double longest_path = 0.3;

/// The most that are drawn again at once, as a number or one in `few_of` of all; and how often that may be.
constexpr std::uint64_t most_of_few = 8, few_of = 100, most_redraws = 20;

RadiusFacts radius_facts(const Population& population, const std::optional<SoftShapes>& shapes,
                         Exchange& exchange) {
    RadiusFacts facts;
    ExactSum sum;
    for_each_id(IdBlocks(population.size(), exchange.size()), exchange, [&](ParticleId id) {
        const double radius = population.radius(id);
        facts.largest = std::max(facts.largest, radius);
        sum.add(shapes ? shapes->size(population.species_of(id), radius) : radius);
    });
    exchange.max(std::span(&facts.largest, 1));
    reduce_exact(exchange, std::span(&sum, 1));
    facts.mean = sum.value() / static_cast<double>(population.size());
    return facts;
}

}  // namespace

SoftSpheres::SoftSpheres(const Box& box, const Population& population, Exchange& exchange,
                         const BodyRoom* bodies, const ShapeTable* shapes)
    : box_(box),
      population_(population),
      exchange_(exchange),
      bodies_(bodies),
      shapes_(shapes == nullptr
                  ? std::nullopt
                  : std::optional<SoftShapes>(std::in_place, box, *shapes, population, inflation - 1)),
      places_(box, population, bodies, shapes),
      images_(box),
      strips_(box, exchange.size()),
      radii_(radius_facts(population, shapes_, exchange)),
      mean_diameter_(2 * radii_.mean),
      near_(box, radii_.largest),
      skin_(first_skin * mean_diameter_),
      copied_to_(static_cast<std::size_t>(exchange.size())) {
    std::vector<Moving> all;
    const IdBlocks blocks(population.size(), exchange.size());
    all.reserve(static_cast<std::size_t>(blocks.count(exchange.rank())));
    for_each_id(blocks, exchange, [&](ParticleId id) {
        const double radius = population.radius(id);
        all.push_back({{places_.drawn(id, radius, 0), radius}, {}, id});
    });
    renew(std::move(all));
}

/// All spheres, centres in the box.
void SoftSpheres::renew(std::vector<Moving> all) {
    migrate(std::move(all));
    list_pairs();
    list_near_bodies();
}

/// Sends spheres to the ranks whose strips they lie in.
void SoftSpheres::migrate(std::vector<Moving> leaving) {
    if (exchange_.size() > 1) {
        Outbox<Moving> outbox(exchange_);
        for (const Moving& moving : leaving) outbox.add(strips_.owner(moving.ball.centre.x), moving);
        leaving = outbox.deliver();
    }
    balls_.clear();
    ids_.clear();
    velocities_.clear();
    for (const Moving& moving : leaving) {
        balls_.push_back(moving.ball);
        ids_.push_back(moving.id);
        velocities_.push_back(moving.velocity);
    }
}

StripRange SoftSpheres::strip() const {
    const double thickness = box_.size.x / exchange_.size();
    return {thickness * exchange_.rank(), thickness};
}

/// Puts the owned spheres into the order of their cells, so that near ones are near in memory.
void SoftSpheres::sort_owned() {
    near_.sort(balls_, balls_.size(), strip(), {inflation, skin_});
    const std::vector<std::uint32_t> order = near_.order();
    const auto in_order = [&order](const auto& values) {
        auto sorted = values;
        for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = values[order[k]];
        return sorted;
    };
    balls_ = in_order(balls_);
    ids_ = in_order(ids_);
    velocities_ = in_order(velocities_);
}

/// Makes the list of pairs anew. The centres of owned spheres lie in the box.
void SoftSpheres::list_pairs() {
    sort_owned();
    listed_at_.clear();
    for (const Ball& ball : balls_) listed_at_.push_back(ball.centre);
    const std::size_t num_owned = balls_.size();
    exchange_copies();
    near_.sort(balls_, num_owned, strip(), {inflation, skin_});
    pairs_.clear();
    near_.find(pairs_);
    work_.num_sorted += num_owned;
    work_.num_listed += pairs_.size();
    if (population_.has_passing())
        std::erase_if(pairs_, [this](const BallPair& pair) {
            return population_.may_pass(ids_[pair.first], ids_[pair.second]);
        });
    list_shaped_pairs();
    steps_of_list_ = 0;
}

/// Takes the pairs with a shape out of those of spheres. Of them it keeps those whose gaps are small, too.
void SoftSpheres::list_shaped_pairs() {
    shaped_pairs_.clear();
    parts_of_list_ = 0;
    if (!shapes_) return;
    std::erase_if(pairs_, [this](const BallPair& pair) {
        const bool is_rising = ids_[pair.first] < ids_[pair.second];
        const std::uint32_t low = is_rising ? pair.first : pair.second,
                            high = is_rising ? pair.second : pair.first;
        const ShapedPair shaped{low, high, population_.species_of(ids_[low]),
                                population_.species_of(ids_[high])};
        if (!shapes_->has_shape(shaped)) return false;
        const std::size_t num_parts = shapes_->num_parts(shaped);
        work_.num_parts += num_parts;
        const ShapedGap gap = gap_of(shaped);
        if (gap.gap < gap.largest + skin_) {
            shaped_pairs_.push_back(shaped);
            parts_of_list_ += num_parts;
        }
        return true;
    });
}

void SoftSpheres::exchange_copies() {
    if (exchange_.size() == 1) return;
    const std::size_t num_owned = balls_.size();
    const Nearness nearness{inflation, skin_};
    std::vector<std::uint64_t> num_to(copied_to_.size());
    for (auto& to_rank : copied_to_) to_rank.clear();
    Outbox<Copy> outbox(exchange_);
    for (std::size_t k = 0; k < num_owned; ++k) {
        const double reach = nearness.distance(balls_[k].radius + radii_.largest) * lookup_reach_up;
        strips_.for_each_within(balls_[k].centre.x, reach, [&](int rank) {
            if (rank == exchange_.rank()) return;
            copied_to_[static_cast<std::size_t>(rank)].push_back(static_cast<std::uint32_t>(k));
            ++num_to[static_cast<std::size_t>(rank)];
            outbox.add(rank, {balls_[k], ids_[k]});
        });
    }
    num_from_ = exchange_.all_to_all_numbers(num_to);
    for (const Copy& copy : outbox.deliver()) {
        balls_.push_back(copy.ball);
        ids_.push_back(copy.id);
    }
}

/// Moves the copies to where their spheres are.
void SoftSpheres::refresh_copies() {
    if (exchange_.size() == 1) return;
    outgoing_.clear();
    for (const auto& to_rank : copied_to_)
        for (const std::uint32_t k : to_rank) outgoing_.push_back(balls_[k].centre);
    const std::size_t num_owned = velocities_.size();
    incoming_.resize(balls_.size() - num_owned);
    std::vector<BytesView> pieces;
    std::vector<BytesRoom> rooms;
    std::size_t sent = 0, received = 0;
    for (std::size_t rank = 0; rank < copied_to_.size(); ++rank) {
        const auto num_from = static_cast<std::size_t>(num_from_[rank]);
        pieces.push_back(std::as_bytes(std::span(outgoing_).subspan(sent, copied_to_[rank].size())));
        rooms.push_back(std::as_writable_bytes(std::span(incoming_).subspan(received, num_from)));
        sent += copied_to_[rank].size();
        received += num_from;
    }
    exchange_.all_to_all_pieces(pieces, rooms);
    for (std::size_t k = 0; k < incoming_.size(); ++k) balls_[num_owned + k].centre = incoming_[k];
}

/// Lists the owned spheres that bodies may push before pairs are listed again.
void SoftSpheres::list_near_bodies() {
    near_bodies_.clear();
    if (bodies_ == nullptr) return;
    work_.num_at_bodies += velocities_.size();
    for (std::uint32_t k = 0; k < velocities_.size(); ++k) {
        const bool is_near = has_shape(k)
                                 ? !pushes_on_shape(sphere(k), margin_of(k) + skin_).empty()
                                 : !pushes_on(sphere(k), balls_[k].radius * inflation + skin_).empty();
        if (is_near) near_bodies_.push_back(k);
    }
}

/// The surfaces that are nearer than `reach`. Valid until the next call.
std::span<const BodyPush> SoftSpheres::pushes_on(const Sphere& own, double reach) {
    pushes_.clear();
    bodies_->add_pushes(own.centre, reach, population_.species_of(own.id), pushes_);
    return pushes_;
}

std::span<const BodyPush> SoftSpheres::pushes_on_shape(const Sphere& own, double reach) {
    pushes_.clear();
    bodies_->add_pushes_on_shape(own.centre, reach, population_.species_of(own.id), pushes_);
    return pushes_;
}

/// By the test of random placement.
bool SoftSpheres::overlaps_body(const Sphere& own) const {
    return !bodies_->keeps_off(own.centre, own.radius, population_.species_of(own.id));
}

double SoftSpheres::shape_off_walls(std::size_t k, int axis, double x) const {
    return places_.shape_off_walls(population_.species_of(ids_[k]), balls_[k].radius, axis, x);
}

/// The force without what presses into a wall.
Vec3 SoftSpheres::force_on(std::size_t k) const {
    const Force& sum = forces_[k];
    Vec3 force{static_cast<double>(sum.x) * force_unit, static_cast<double>(sum.y) * force_unit,
               static_cast<double>(sum.z) * force_unit};
    for (int axis = 0; axis < box_.dimension; ++axis) {
        if (!box_.has_walls(axis)) continue;
        const double x = balls_[k].centre[axis], length = box_.size[axis];
        if ((force[axis] < 0 && x <= off_walls(k, axis, 0)) ||
            (force[axis] > 0 && x >= off_walls(k, axis, length)))
            force[axis] = 0;
    }
    return force;
}

/// The owned spheres that have left their skin.
std::uint64_t SoftSpheres::num_far() const {
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < listed_at_.size(); ++k) {
        const Vec3 path = balls_[k].centre - listed_at_[k];
        count += 4 * dot(path, path) > skin_ * skin_ ? 1 : 0;
    }
    return count;
}

SoftSums SoftSpheres::summed(std::uint64_t& num_far) const {
    std::array<ExactSum, 3> sums;
    {
        TermBuffer power(sums[0]), velocity_squared(sums[1]), force_squared(sums[2]);
        for (std::size_t k = 0; k < forces_.size(); ++k) {
            const Vec3 force = force_on(k), velocity = velocities_[k];
            power.add(dot(force, velocity));
            velocity_squared.add(dot(velocity, velocity));
            force_squared.add(dot(force, force));
        }
    }
    std::vector<std::int64_t> all{touching_, overlapping_, depth_, static_cast<std::int64_t>(num_far)};
    for (const ExactSum& sum : sums) {
        const ExactSum::Limbs limbs = sum.limbs();
        all.insert(all.end(), limbs.begin(), limbs.end());
    }
    exchange_.sum(all);
    std::array<double, 3> values{};
    for (std::size_t k = 0; k < values.size(); ++k) {
        ExactSum::Limbs limbs;
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(4 + k * limbs.size()), limbs.size(),
                    limbs.begin());
        values[k] = ExactSum::from_limbs(limbs).value();
    }
    num_far = static_cast<std::uint64_t>(all[3]);
    const double num_touching = static_cast<double>(std::max<std::int64_t>(all[0], 1));
    return {values[0],
            values[1],
            values[2],
            static_cast<std::uint64_t>(all[0] / 2),
            static_cast<std::uint64_t>(all[1] / 2),
            static_cast<double>(all[2]) / per_depth_unit / num_touching};
}

SoftSums SoftSpheres::push() {
    std::uint64_t far = num_far();
    refresh_copies();
    add_forces();
    SoftSums sums = summed(far);
    ++steps_of_list_;
    if (far == 0) return sums;
    if (steps_of_list_ < few_steps) skin_ = std::min(1.4 * skin_, most_skin * mean_diameter_);
    if (steps_of_list_ > many_steps) skin_ = std::max(0.7 * skin_, least_skin * mean_diameter_);
    renew(taken_out());
    add_forces();
    far = 0;
    return summed(far);
}

/// The owned spheres, centres in the box.
std::vector<SoftSpheres::Moving> SoftSpheres::taken_out() const {
    std::vector<Moving> all;
    all.reserve(velocities_.size());
    for (std::size_t k = 0; k < velocities_.size(); ++k)
        all.push_back({{sphere(k).centre, balls_[k].radius}, velocities_[k], ids_[k]});
    return all;
}

bool SoftSpheres::redraw_stuck() {
    if (bodies_ == nullptr || num_redraws_ == most_redraws) return false;
    std::vector<std::uint32_t> stuck;
    for (const std::uint32_t k : near_bodies_)
        if (overlaps_body(sphere(k))) stuck.push_back(k);
    auto count = static_cast<std::int64_t>(stuck.size());
    exchange_.sum(std::span(&count, 1));
    const auto num_stuck = static_cast<std::uint64_t>(count);
    if (num_stuck == 0 || num_stuck > std::max(most_of_few, population_.size() / few_of)) return false;
    ++num_redraws_;
    std::vector<Moving> all = taken_out();
    for (Moving& moving : all) moving.velocity = {};
    for (const std::uint32_t k : stuck)
        all[k].ball.centre = places_.drawn(all[k].id, all[k].ball.radius, num_redraws_);
    renew(std::move(all));
    return true;
}

void SoftSpheres::move(const SoftStep& step) {
    for (std::size_t k = 0; k < velocities_.size(); ++k) {
        const Vec3 force = force_on(k), old = velocities_[k];
        Ball& ball = balls_[k];
        const double longest = longest_path * size_of(k);
        for (int axis = 0; axis < box_.dimension; ++axis) {
            double v = step.keep * old[axis] + step.push * force[axis];
            const double path = (step.back * old[axis] + step.duration * v) * mean_diameter_;
            double x = ball.centre[axis] + std::clamp(path, -longest, longest);
            if (box_.has_walls(axis)) {
                const double inside = off_walls(k, axis, x);
                if (inside != x) v = 0;
                x = inside;
            }
            ball.centre[axis] = x;
            velocities_[k][axis] = v;
        }
    }
}

Sphere SoftSpheres::sphere(std::size_t k) const {
    Vec3 centre = balls_[k].centre;
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (box_.is_periodic(axis)) centre[axis] = wrapped(centre[axis], box_.size[axis]);
    return {centre, balls_[k].radius, ids_[k]};
}

bool SoftSpheres::are_apart() {
    std::uint64_t overlaps = 0;
    for (const BallPair& pair : pairs_)
        overlaps |= overlapping(sphere(pair.first), sphere(pair.second), images_, apart_up) ? 1U : 0U;
    for (const ShapedPair& pair : shaped_pairs_) {
        const Sphere low = sphere(pair.low), high = sphere(pair.high);
        const ShapedGap gap = shapes_->gap_of(pair, {low.centre, low.radius}, {high.centre, high.radius});
        overlaps |= gap.is_overlap() ? 1U : 0U;
    }
    for (const std::uint32_t k : near_bodies_) overlaps |= overlaps_body(sphere(k)) ? 1U : 0U;
    return exchange_.bit_or(overlaps) == 0;
}

double SoftSpheres::largest_overlap() {
    double largest = 0;
    for (const BallPair& pair : pairs_) {
        const Ball& a = balls_[pair.first];
        const Ball& b = balls_[pair.second];
        const double distance = norm(minimum_image(b.centre - a.centre, images_));
        largest = std::max(largest, 1 - distance / (a.radius + b.radius));
    }
    for (const ShapedPair& pair : shaped_pairs_) {
        const double part = shapes_->overlap_part(pair, balls_[pair.low], balls_[pair.high]);
        largest = std::max(largest, part);
    }
    for (const std::uint32_t k : near_bodies_) {
        if (has_shape(k)) {
            const SpeciesIndex species = population_.species_of(ids_[k]);
            for (const BodyPush& push : pushes_on_shape(sphere(k), 0))
                largest = std::max(largest, std::min(shapes_->overlap_part(species, push), 1.0));
            continue;
        }
        for (const BodyPush& push : pushes_on(sphere(k), balls_[k].radius))
            largest = std::max(largest, std::min(1 - push.clearance / balls_[k].radius, 1.0));
    }
    exchange_.max(std::span(&largest, 1));
    return largest;
}

std::vector<Sphere> SoftSpheres::owned() const {
    std::vector<Sphere> result;
    result.reserve(velocities_.size());
    for (std::size_t k = 0; k < velocities_.size(); ++k) result.push_back(sphere(k));
    std::sort(result.begin(), result.end(), [](const Sphere& a, const Sphere& b) { return a.id < b.id; });
    return result;
}

}  // namespace ricochet::detail
