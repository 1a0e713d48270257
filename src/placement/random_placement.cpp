// SPDX-License-Identifier: BSD-3-Clause
#include "placement/random_placement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/random_batch.hpp"
#include "geometry/path.hpp"
#include "geometry/sphere_grid.hpp"
#include "model/box_fit.hpp"
#include "model/particle_memory.hpp"
#include "model/rounding.hpp"
#include "parallel/id_blocks.hpp"
#include "parallel/outbox.hpp"
#include "parallel/strips.hpp"
#include "placement/covered_places.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

namespace {

using detail::CoveredPlaces;
using detail::Outbox;
using detail::Strips;

/// Proposals per particle after which placement gives up. At 0.9 of saturation about 200 are needed.
constexpr std::uint64_t budget_per_particle = 1000;
constexpr std::uint64_t smallest_budget = 1 << 20;
/// After as many without a single free one, particles are taken to have no room between bodies.
constexpr std::uint64_t most_without_room = 1 << 21;
/// Where bodies leave less of the box, the budget does not grow further.
constexpr double least_free_part = 1e-3;
constexpr std::uint64_t no_attempt = std::numeric_limits<std::uint64_t>::max();

/// Bits per particle for the places that are covered.
constexpr std::uint64_t bits_per_particle = 400;

/// The factor of radii from one stage to the next. Finer stages leave more room (a large particle among small
/// ones finds none), and need more rounds.
constexpr double stage_ratio = 0.9;
constexpr int num_stages = 256;

double stage_top(int stage, double largest) {
    for (int k = 0; k < stage; ++k) largest *= stage_ratio;
    return largest;
}

/// Stage k has radii in (stage_top(k + 1), stage_top(k)], the last one all smaller ones too.
int stage_of(double radius, double largest) {
    int stage = 0;
    for (double bound = largest * stage_ratio; radius <= bound && stage < num_stages - 1;
         bound *= stage_ratio)
        ++stage;
    return stage;
}

struct Proposal {
    Sphere sphere;
    std::uint64_t attempt = 0;
};

struct FreeAttempt {
    ParticleId id = 0;
    std::uint64_t attempt = 0;
};

/// Counts of one round over all ranks.
struct Round {
    std::uint64_t num_free = 0;        ///< proposals without overlap
    std::uint64_t num_candidates = 0;  ///< ids with such a proposal
    std::uint64_t num_accepted = 0;
};

/// How many proposals each id makes per round, and when to give up. Depends on global counts only.
class Effort {
  public:
    /// Proposals that bodies are in the way of do not count against the budget, on average.
    Effort(std::uint64_t count, double free_part)
        : num_live_(count),
          proposals_left_(static_cast<std::uint64_t>(
              static_cast<double>(std::max(budget_per_particle * count, smallest_budget)) /
              std::clamp(free_part, least_free_part, 1.0))),
          largest_round_(std::max<std::uint64_t>(count, 1 << 16)) {}

    std::uint64_t num_live() const { return num_live_; }
    std::uint64_t attempts_per_round() const { return attempts_per_round_; }
    bool is_hopeless() const { return is_hopeless_; }

    void account(const Round& round) {
        const std::uint64_t proposals = num_live_ * attempts_per_round_;
        window_proposals_ += proposals;
        window_free_ += round.num_free;
        num_proposals_ += proposals;
        num_free_ += round.num_free;
        proposals_left_ -= std::min(proposals_left_, proposals);
        const bool few_found_room = 2 * round.num_candidates < num_live_;
        num_live_ -= round.num_accepted;
        // Proposals needed at the present chance of a free one, which is estimated 10 events too high.
        const double needed = static_cast<double>(num_live_) * static_cast<double>(window_proposals_) /
                              static_cast<double>(window_free_ + 10);
        const bool has_no_room = num_free_ == 0 && num_proposals_ > most_without_room;
        is_hopeless_ = num_live_ > 0 && (has_no_room || needed > static_cast<double>(proposals_left_));
        if (window_free_ >= 100) window_proposals_ = window_free_ = 0;
        if (few_found_room) attempts_per_round_ *= 2;
        while (attempts_per_round_ > 1 && attempts_per_round_ * num_live_ > largest_round_)
            attempts_per_round_ /= 2;
    }

  private:
    std::uint64_t num_live_;
    std::uint64_t proposals_left_;
    std::uint64_t largest_round_;
    std::uint64_t attempts_per_round_ = 1;
    std::uint64_t window_proposals_ = 0, window_free_ = 0;  ///< since the chance was last estimated
    std::uint64_t num_proposals_ = 0, num_free_ = 0;        ///< since the stage began
    bool is_hopeless_ = false;
};

class Placer {
  public:
    Placer(const Box& box, const Population& population, Exchange& exchange, const RoomAtRandom& room);
    bool place_stage(int stage);
    /// The outcome without the particles.
    RandomPlacement result() const;
    /// The particles placed in this strip, by ascending ids.
    std::vector<Sphere> owned() const;

  private:
    static double global_largest(const std::vector<double>& radii, Exchange& exchange);
    std::vector<std::int64_t> global_counts(int num_kinds, int (*kind)(double radius, double largest)) const;
    std::array<std::uint64_t, num_size_classes> expected_here() const;
    CoveredPlaces nothing_covered() const;
    void place(const Sphere& sphere);
    Vec3 place_of(ParticleId id, const std::array<std::uint64_t, 3>& words) const;
    Sphere proposal(ParticleId id, std::uint64_t attempt) const;
    void send_proposals(RandomBatch& batch, std::size_t count, Outbox<Proposal>& outbox) const;
    bool exclude_each_other(const Sphere& a, const Sphere& b) const {
        return overlapping(a, b, images_, apart_up) && !population_.may_pass(a.id, b.id) &&
               (room_.shapes == nullptr || are_shapes_overlapping(a, b));
    }
    bool are_shapes_overlapping(const Sphere& a, const Sphere& b) const;
    double room_at_wall(ParticleId id, int axis) const;
    bool keeps_off_bodies(Vec3 centre, double radius, ParticleId id) const {
        return room_.bodies == nullptr || room_.bodies->keeps_off(centre, radius, population_.species_of(id));
    }
    std::size_t slot(ParticleId id) const { return static_cast<std::size_t>(id - first_id_); }

    Round run_round(std::uint64_t first_attempt, std::uint64_t num_attempts);
    std::vector<Proposal> exchanged_proposals(std::uint64_t first_attempt, std::uint64_t num_attempts);
    std::uint64_t choose_free_ones(std::vector<Proposal> proposals);
    std::uint64_t exchanged_candidates(std::vector<Sphere>& candidates);
    std::uint64_t place_winners(const std::vector<Sphere>& candidates);

    const Box& box_;
    const Population& population_;
    Exchange& exchange_;
    RoomAtRandom room_;
    ImageLengths images_;
    IdBlocks blocks_;
    Strips strips_;
    ParticleId first_id_;
    std::vector<double> radii_;                ///< of this rank's block of ids
    std::vector<std::uint64_t> free_attempt_;  ///< of the same: the candidate of this round
    double largest_;
    std::vector<std::uint8_t> stages_;        ///< of the radii
    std::vector<std::int64_t> stage_counts_;  ///< in the whole box
    double stage_top_ = 0;                    ///< the largest radius of the present stage and of later ones
    int last_class_ = 0;                      ///< the size class of the smallest radii placed so far
    SphereLevels placed_;                     ///< all placed particles that can overlap one of this strip
    CoveredPlaces covered_;                   ///< by these
    std::vector<ParticleId> live_;            ///< ids of this block and stage that are not placed
    RandomPlacement totals_;
};

std::vector<double> radii_of_block(const Population& population, const IdBlocks& blocks, Exchange& exchange) {
    std::vector<double> radii;
    radii.reserve(static_cast<std::size_t>(blocks.count(exchange.rank())));
    for_each_id(blocks, exchange, [&](ParticleId id) { radii.push_back(population.radius(id)); });
    return radii;
}

std::vector<std::uint8_t> stages_of(const std::vector<double>& radii, double largest) {
    std::vector<std::uint8_t> stages;
    stages.reserve(radii.size());
    for (const double radius : radii) stages.push_back(static_cast<std::uint8_t>(stage_of(radius, largest)));
    return stages;
}

Placer::Placer(const Box& box, const Population& population, Exchange& exchange, const RoomAtRandom& room)
    : box_(box),
      population_(population),
      exchange_(exchange),
      room_(room),
      images_(box),
      blocks_(population.size(), exchange.size()),
      strips_(box, exchange.size()),
      first_id_(blocks_.first(exchange.rank())),
      radii_(radii_of_block(population, blocks_, exchange)),
      free_attempt_(radii_.size(), no_attempt),
      largest_(global_largest(radii_, exchange)),
      stages_(stages_of(radii_, largest_)),
      stage_counts_(global_counts(num_stages, stage_of)),
      placed_(box, largest_, expected_here()),
      covered_(nothing_covered()) {}

double Placer::global_largest(const std::vector<double>& radii, Exchange& exchange) {
    double largest = 0;
    for (const double radius : radii) largest = std::max(largest, radius);
    exchange.max(std::span(&largest, 1));
    return largest;
}

/// Number of radii of each kind in the whole box. Collective.
std::vector<std::int64_t> Placer::global_counts(int num_kinds, int (*kind)(double, double)) const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(num_kinds));
    for (const double radius : radii_) ++counts[static_cast<std::size_t>(kind(radius, largest_))];
    exchange_.sum(counts);
    return counts;
}

std::array<std::uint64_t, num_size_classes> Placer::expected_here() const {
    const std::vector<std::int64_t> counts = global_counts(num_size_classes, size_class);
    std::array<std::uint64_t, num_size_classes> result{};
    // With several strips, each also has the particles nearby.
    const bool has_neighbours = exchange_.size() > 1;
    for (std::size_t c = 0; c < result.size(); ++c) {
        const auto share = static_cast<std::uint64_t>(counts[c] / exchange_.size());
        result[c] = share + (has_neighbours ? share / 8 : 0);
    }
    return result;
}

/// Collective.
CoveredPlaces Placer::nothing_covered() const {
    double negative = -largest_;  // of the smallest radius
    for (const double radius : radii_) negative = std::max(negative, -radius);
    exchange_.max(std::span(&negative, 1));
    const double thickness = box_.size.x / exchange_.size();
    const std::uint64_t share = population_.size() / static_cast<std::uint64_t>(exchange_.size()) + 1;
    return {box_, {thickness * exchange_.rank(), thickness}, -negative, bits_per_particle * share};
}

bool Placer::are_shapes_overlapping(const Sphere& a, const Sphere& b) const {
    const Attributes of_a = sized(population_.species_of(a.id), a.radius),
                     of_b = sized(population_.species_of(b.id), b.radius);
    if (!room_.shapes->has_shape(of_a.species, of_b.species)) return true;
    const Vec3 r = minimum_image(b.centre - a.centre, images_);
    return room_.shapes->gap(r, of_a, of_b).distance <= (apart_up - 1) * (a.radius + b.radius);
}

/// How far its centre is from both walls of an axis at least.
double Placer::room_at_wall(ParticleId id, int axis) const {
    const double radius = radii_[slot(id)];
    if (room_.shapes == nullptr) return radius;
    const Attributes attributes = sized(population_.species_of(id), radius);
    const auto low = static_cast<BodyNumber>(2 * axis), high = static_cast<BodyNumber>(2 * axis + 1);
    return std::max(room_.shapes->distance_at_wall(attributes, low),
                    room_.shapes->distance_at_wall(attributes, high));
}

/// Those that may pass through each other cover nothing for each other, and spheres around shapes do not.
void Placer::place(const Sphere& sphere) {
    placed_.insert(sphere);
    if (!population_.has_passing() && room_.shapes == nullptr) covered_.cover(sphere);
}

/// The words are those of the streams of (id, attempt), one for each axis.
Vec3 Placer::place_of(ParticleId id, const std::array<std::uint64_t, 3>& words) const {
    Vec3 centre;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const double u = uniform_from(words[static_cast<std::size_t>(axis)]);
        const double length = box_.size[axis];
        if (box_.is_periodic(axis)) {
            centre[axis] = wrapped(u * length, length);
        } else {
            const double room = room_at_wall(id, axis);
            centre[axis] = confined(room + u * (length - 2 * room), room, length);
        }
    }
    return centre;
}

Sphere Placer::proposal(ParticleId id, std::uint64_t attempt) const {
    const RandomKey key{population_.seed(), Stream::placement, attempt};
    const RandomWords first = random_words(key, id, 0);
    const std::uint64_t third = box_.dimension == 3 ? random_words(key, id, 1)[0] : 0;
    return {place_of(id, {first[0], first[1], third}), radii_[slot(id)], id};
}

/// Returns false when the stage does not find room.
bool Placer::place_stage(int stage) {
    const auto count = static_cast<std::uint64_t>(stage_counts_[static_cast<std::size_t>(stage)]);
    if (count == 0) return true;
    live_.clear();
    for (std::size_t k = 0; k < radii_.size(); ++k)
        if (stages_[k] == stage) live_.push_back(first_id_ + k);
    stage_top_ = stage_top(stage, largest_);
    last_class_ =
        stage == num_stages - 1 ? num_size_classes - 1 : size_class(stage_top(stage + 1, largest_), largest_);
    Effort effort(count, room_.free_part);
    std::uint64_t attempt = 0;
    while (effort.num_live() > 0 && !effort.is_hopeless()) {
        exchange_.offer_end_of_start({totals_.num_placed, population_.size()});
        const std::uint64_t num_attempts = effort.attempts_per_round();
        const Round round = run_round(attempt, num_attempts);
        attempt += num_attempts;
        ++totals_.num_rounds;
        totals_.num_proposals += effort.num_live() * num_attempts;
        totals_.num_placed += round.num_accepted;
        effort.account(round);
    }
    return effort.num_live() == 0;
}

Round Placer::run_round(std::uint64_t first_attempt, std::uint64_t num_attempts) {
    std::array<std::int64_t, 3> counts{};
    counts[0] = static_cast<std::int64_t>(choose_free_ones(exchanged_proposals(first_attempt, num_attempts)));
    std::vector<Sphere> candidates;
    counts[1] = static_cast<std::int64_t>(exchanged_candidates(candidates));
    counts[2] = static_cast<std::int64_t>(place_winners(candidates));
    exchange_.sum(counts);
    return {static_cast<std::uint64_t>(counts[0]), static_cast<std::uint64_t>(counts[1]),
            static_cast<std::uint64_t>(counts[2])};
}

/// Sends the proposals of the first `count` ids and attempts. Left out are those at covered places of this strip, and
/// those that overlap bodies.
void Placer::send_proposals(RandomBatch& batch, std::size_t count, Outbox<Proposal>& outbox) const {
    batch.draw(population_.seed(), Stream::placement, 0);
    const RandomBatch::Column x = batch.first, y = batch.second;
    if (box_.dimension == 3) batch.draw(population_.seed(), Stream::placement, 1);
    std::array<Vec3, RandomBatch::capacity> centres;
    std::array<std::uint64_t, RandomBatch::capacity> voxels;
    for (std::size_t k = 0; k < count; ++k) {
        centres[k] = place_of(batch.ids[k], {x[k], y[k], batch.first[k]});
        voxels[k] = covered_.voxel_of(centres[k]);
        covered_.look_ahead(voxels[k]);
    }
    const int own = exchange_.rank();
    for (std::size_t k = 0; k < count; ++k) {
        const int owner = strips_.owner(centres[k].x);
        if (owner == own && covered_.is_covered(voxels[k])) continue;
        const ParticleId id = batch.ids[k];
        const double radius = radii_[slot(id)];
        if (keeps_off_bodies(centres[k], radius, id))
            outbox.add(owner, {{centres[k], radius, id}, batch.steps[k]});
    }
}

/// The proposals in this strip, but for those at covered places.
std::vector<Proposal> Placer::exchanged_proposals(std::uint64_t first_attempt, std::uint64_t num_attempts) {
    Outbox<Proposal> outbox(exchange_);
    RandomBatch batch;
    std::size_t count = 0;
    for (const ParticleId id : live_)
        for (std::uint64_t attempt = first_attempt; attempt < first_attempt + num_attempts; ++attempt) {
            batch.ids[count] = id;
            batch.steps[count] = attempt;
            if (++count < RandomBatch::capacity) continue;
            send_proposals(batch, count, outbox);
            count = 0;
        }
    send_proposals(batch, count, outbox);
    std::vector<Proposal> proposals = outbox.deliver();
    if (exchange_.size() > 1)
        std::erase_if(proposals, [this](const Proposal& p) { return covered_.contains(p.sphere.centre); });
    return proposals;
}

/// Tests the proposals in this strip; writes each own id's first free one to free_attempt_. Returns the
/// number of free proposals in this strip.
std::uint64_t Placer::choose_free_ones(std::vector<Proposal> proposals) {
    const SphereGrid& grid = placed_.level(size_class(stage_top_, largest_));
    if (totals_.num_placed > 0)  // what follows needs the order for speed alone
        sort_by_cell(proposals, [&](const Proposal& p) { return grid.cell_of(p.sphere.centre); });
    Outbox<FreeAttempt> outbox(exchange_);
    std::uint64_t num_free = 0;
    for (const Proposal& proposed : proposals) {
        const Sphere& own = proposed.sphere;
        const bool overlaps =
            placed_.any_touching(own.centre, own.radius, 0, last_class_,
                                 [&](const Sphere& other) { return exclude_each_other(own, other); });
        if (overlaps) continue;
        ++num_free;
        outbox.add(blocks_.rank_of(own.id), {own.id, proposed.attempt});
    }
    for (const FreeAttempt& free : outbox.deliver()) {
        std::uint64_t& first = free_attempt_[slot(free.id)];
        first = std::min(first, free.attempt);
    }
    return num_free;
}

/// Sends the candidates of this rank's ids to all strips within reach; returns their number.
std::uint64_t Placer::exchanged_candidates(std::vector<Sphere>& candidates) {
    Outbox<Sphere> outbox(exchange_);
    std::uint64_t count = 0;
    for (const ParticleId id : live_) {
        std::uint64_t& attempt = free_attempt_[slot(id)];
        if (attempt == no_attempt) continue;
        const Sphere sphere = proposal(id, attempt);
        strips_.for_each_within(sphere.centre.x, sphere.radius + stage_top_,
                                [&](int rank) { outbox.add(rank, sphere); });
        attempt = no_attempt;
        ++count;
    }
    candidates = outbox.deliver();
    const SphereGrid& grid = placed_.level(size_class(stage_top_, largest_));
    sort_by_cell(candidates, [&](const Sphere& sphere) { return grid.cell_of(sphere.centre); });
    return count;
}

/// Decides on the candidates whose centres lie in this strip. Sends accepted ones to all strips within reach,
/// and to the rank of the id. Returns the number accepted here.
std::uint64_t Placer::place_winners(const std::vector<Sphere>& candidates) {
    SphereGrid grid(box_, 2 * stage_top_, candidates.size());
    for (const Sphere& sphere : candidates) grid.insert(sphere);
    Outbox<Sphere> to_strips(exchange_);
    Outbox<ParticleId> to_blocks(exchange_);
    std::uint64_t count = 0;
    for (const Sphere& own : candidates) {
        if (strips_.owner(own.centre.x) != exchange_.rank()) continue;
        const double reach = own.radius + stage_top_;
        const bool loses = grid.any_near(own.centre, reach, [&](const Sphere& other) {
            return other.id < own.id && exclude_each_other(own, other);
        });
        if (loses) continue;
        ++count;
        strips_.for_each_within(own.centre.x, reach, [&](int rank) { to_strips.add(rank, own); });
        to_blocks.add(blocks_.rank_of(own.id), own.id);
    }
    for (const Sphere& sphere : to_strips.deliver()) place(sphere);
    std::vector<ParticleId> placed = to_blocks.deliver();
    std::sort(placed.begin(), placed.end());
    auto next = placed.begin();  // both lists ascend
    std::erase_if(live_, [&](ParticleId id) {
        const bool is_placed = next != placed.end() && *next == id;
        next += is_placed ? 1 : 0;
        return is_placed;
    });
    return count;
}

RandomPlacement Placer::result() const {
    RandomPlacement result = totals_;
    result.is_complete = result.num_placed == population_.size();
    return result;
}

std::vector<Sphere> Placer::owned() const {
    const auto is_owned = [this](const Sphere& sphere) {
        return strips_.owner(sphere.centre.x) == exchange_.rank();
    };
    std::size_t count = 0;
    placed_.for_each([&](const Sphere& sphere) { count += is_owned(sphere) ? 1 : 0; });
    std::vector<Sphere> owned;
    owned.reserve(count);
    placed_.for_each([&](const Sphere& sphere) {
        if (is_owned(sphere)) owned.push_back(sphere);
    });
    std::sort(owned.begin(), owned.end(), [](const Sphere& a, const Sphere& b) { return a.id < b.id; });
    return owned;
}

}  // namespace

RandomPlacement place_randomly(const Box& box, const Population& population, Exchange& exchange,
                               const RoomAtRandom& room) {
    RandomPlacement result;
    std::vector<Sphere> owned;
    {  // The memory of the search is freed before particles are made.
        Placer placer(box, population, exchange, room);
        for (int stage = 0; stage < num_stages; ++stage)
            if (!placer.place_stage(stage)) break;
        result = placer.result();
        owned = placer.owned();
    }
    reserve_with_spare(result.particles, owned.size());
    for (const Sphere& s : owned) population.append(s.id, s.radius, s.centre, result.particles);
    return result;
}

}  // namespace ricochet
