// SPDX-License-Identifier: BSD-3-Clause
//
// See reference.hpp. Read from top to bottom: when do two particles touch (`time_of_pair`), when does one
// touch a wall (`time_at_wall`), what happens then (`collide_pair`, `collide_wall`), how a step ends
// (`finish`), and at last the two ways to find the next contact.
//
// The time of a pair is t_ref + c / (-b + sqrt(b^2 - a c)) with a = u.u, b = r.u, c = r.r - s^2 at t_ref, the
// later of the two records' times.
#include "tests/support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/model/vec3.hpp"
#include "tests/support/reference_arithmetic.hpp"

namespace ricochet::test {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr ContactKey no_contact{never, 0, 0, 0};

/// What the reference knows of a particle beyond its record.
struct History {
    std::uint64_t num_contacts = 0;  ///< in this step
    std::uint64_t generation = 0;    ///< of the latest one, if any
};

/// One step in progress.
class Step {
  public:
    Step(const Box& box, Particles& particles, const Restitution& restitution, const StepSettings& settings)
        : box_(box),
          images_(box),
          particles_(particles),
          restitution_(restitution),
          settings_(settings),
          history_(particles.size()) {
        for (Motion& motion : particles_.motion) motion.time = settings.begin;
        include_straight_paths();
    }

    std::size_t size() const { return particles_.size(); }
    ParticleId id(std::size_t i) const { return particles_.motion[i].id; }

    ContactKey predict_pair(std::size_t i, std::size_t j) const;
    ContactKey predict_wall(std::size_t i, int face) const;
    /// The earliest contact of particle i with a wall.
    ContactKey predict_walls(std::size_t i) const;

    /// Lets the contact happen; i and j are the indices of key.low and key.high (j unused for a wall).
    void process(const ContactKey& key, std::size_t i, std::size_t j);
    bool is_exhausted() const { return result_.exhausted.has_value(); }
    StepResult finish();

  private:
    double time_of_pair(const Motion& low, double radius_low, const Motion& high, double radius_high) const;
    double time_at_wall(const Motion& motion, double radius, int face) const;
    std::uint64_t next_generation(std::size_t i, double time) const;
    void collide_pair(const ContactKey& key, std::size_t i, std::size_t j);
    void collide_wall(const ContactKey& key, std::size_t i);
    void count(std::size_t i, const ContactKey& key, ParticleId other);
    Vec3 wrapped_into_box(Vec3 x) const;
    void include_straight_paths();
    void include_path(std::size_t i);

    double largest_extent_ = 0;  ///< radius + straight path
    const Box& box_;
    const ImageLengths images_;
    Particles& particles_;
    const Restitution& restitution_;
    const StepSettings& settings_;
    std::vector<History> history_;
    StepResult result_;
};

double Step::time_of_pair(const Motion& low, double radius_low, const Motion& high,
                          double radius_high) const {
    const double reference_time = std::max(low.time, high.time);
    const Vec3 x_low = advanced(low.position, low.velocity, reference_time - low.time);
    const Vec3 x_high = advanced(high.position, high.velocity, reference_time - high.time);
    const Vec3 r = minimum_image(x_high - x_low, images_);
    const Vec3 u = high.velocity - low.velocity;
    const double b = dot(r, u);
    if (!(b < 0)) return never;
    const double c = separation_beyond_touch(r, radius_low + radius_high);
    if (c <= 0) return reference_time;
    const double disc = discriminant(dot(u, u), b, c);
    if (!(disc >= 0)) return never;
    return reference_time + c / (-b + std::sqrt(disc));
}

double Step::time_at_wall(const Motion& motion, double radius, int face) const {
    const int axis = face / 2;
    const bool is_high_side = face % 2 == 1;
    const double x = motion.position[axis], v = motion.velocity[axis];
    const double approach = is_high_side ? v : -v;
    const double gap = (is_high_side ? box_.size[axis] - x : x) - radius;
    if (!(approach > 0)) return never;
    return gap <= 0 ? motion.time : motion.time + gap / approach;
}

/// The generation that a contact of particle i at `time` has at least.
std::uint64_t Step::next_generation(std::size_t i, double time) const {
    const bool just_changed = history_[i].num_contacts > 0 && particles_.motion[i].time == time;
    return just_changed && settings_.count_generations ? history_[i].generation + 1 : 0;
}

ContactKey Step::predict_pair(std::size_t i, std::size_t j) const {
    if (id(i) > id(j)) std::swap(i, j);
    const double time = time_of_pair(particles_.motion[i], particles_.attributes[i].radius,
                                     particles_.motion[j], particles_.attributes[j].radius);
    if (!(time < settings_.dt)) return no_contact;
    return {time, std::max(next_generation(i, time), next_generation(j, time)), id(i), id(j)};
}

ContactKey Step::predict_wall(std::size_t i, int face) const {
    if (!box_.has_walls(face / 2)) return no_contact;
    const double time = time_at_wall(particles_.motion[i], particles_.attributes[i].radius, face);
    if (!(time < settings_.dt)) return no_contact;
    return {time, next_generation(i, time), id(i), first_obstacle_id + static_cast<ParticleId>(face)};
}

ContactKey Step::predict_walls(std::size_t i) const {
    ContactKey earliest = no_contact;
    for (int face = 0; face < 6; ++face) earliest = std::min(earliest, predict_wall(i, face));
    return earliest;
}

Vec3 Step::wrapped_into_box(Vec3 x) const {
    for (int axis = 0; axis < 3; ++axis)
        if (box_.is_periodic(axis)) take_into_box(x[axis], box_.size[axis]);
    return x;
}

void Step::collide_pair(const ContactKey& key, std::size_t i, std::size_t j) {
    Motion& low = particles_.motion[i];
    Motion& high = particles_.motion[j];
    const Attributes& a = particles_.attributes[i];
    const Attributes& b = particles_.attributes[j];
    for (Motion* motion : {&low, &high}) {
        motion->position = advanced(motion->position, motion->velocity, key.time - motion->time);
        motion->time = key.time;
    }
    const Vec3 r = minimum_image(high.position - low.position, images_);
    const double distance = std::sqrt(dot(r, r));
    const Vec3 n = distance == 0 ? Vec3{1, 0, 0} : Vec3{r.x / distance, r.y / distance, r.z / distance};
    const double normal_velocity = dot(high.velocity - low.velocity, n);
    const double k = (1 + restitution_(a.species, b.species)) * normal_velocity;
    const double total_mass = a.mass + b.mass;
    high.velocity = advanced(high.velocity, n, -(k * (a.mass / total_mass)));
    low.velocity = advanced(low.velocity, n, k * (b.mass / total_mass));
    if (dot(r, high.velocity - low.velocity) < 0) {  // rounding left them approaching: push them apart
        const double push = 0x1p-50 * (sum_of_magnitudes(low.velocity) + sum_of_magnitudes(high.velocity));
        high.velocity = advanced(high.velocity, n, push * (a.mass / total_mass));
        low.velocity = advanced(low.velocity, n, -(push * (b.mass / total_mass)));
    }

    Contact contact;
    contact.key = key;
    contact.point = wrapped_into_box(advanced(low.position, n, a.radius));
    contact.normal = n;
    contact.impulse = -(k * (a.mass * b.mass / total_mass));
    contact.speed = -normal_velocity;
    contact.distance = distance;
    contact.species_low = a.species;
    contact.species_high = b.species;
    result_.contacts.push_back(contact);
}

void Step::collide_wall(const ContactKey& key, std::size_t i) {
    const int face = static_cast<int>(key.high - first_obstacle_id);
    const int axis = face / 2;
    const bool is_high_side = face % 2 == 1;
    Motion& motion = particles_.motion[i];
    const Attributes& attributes = particles_.attributes[i];
    const double restitution = restitution_(attributes.species, wall_species);
    const double approach = is_high_side ? motion.velocity[axis] : -motion.velocity[axis];
    motion.position = advanced(motion.position, motion.velocity, key.time - motion.time);
    motion.time = key.time;
    motion.velocity[axis] = -restitution * motion.velocity[axis];

    Contact contact;
    contact.key = key;
    contact.point = wrapped_into_box(motion.position);
    contact.point[axis] = is_high_side ? box_.size[axis] : 0;
    contact.normal[axis] = is_high_side ? 1 : -1;
    contact.impulse = attributes.mass * (1 + restitution) * approach;
    contact.speed = approach;
    contact.distance = attributes.radius;
    contact.species_low = attributes.species;
    contact.species_high = wall_species;
    result_.contacts.push_back(contact);
}

/// Of the two particles that reach farthest if nothing happens.
void Step::include_straight_paths() {
    double second = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const Vec3 v = particles_.motion[i].velocity;
        const double speed = std::sqrt(std::fma(v.z, v.z, std::fma(v.y, v.y, v.x * v.x)));
        const double extent = speed * (settings_.dt - settings_.begin) + particles_.attributes[i].radius;
        second = std::max(second, std::min(largest_extent_, extent));
        largest_extent_ = std::max(largest_extent_, extent);
    }
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (box_.is_periodic(axis) && !(0.5 * box_.size[axis] > largest_extent_ + second))
            result_.is_too_long = true;
}

/// Of a particle that has just had a contact, and any other.
void Step::include_path(std::size_t i) {
    const Motion& motion = particles_.motion[i];
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const double path = (settings_.dt - motion.time) * motion.velocity[axis];
        const double extent = particles_.attributes[i].radius + std::abs(path);
        if (box_.is_periodic(axis) && !(0.5 * box_.size[axis] > extent + std::max(extent, largest_extent_)))
            result_.is_too_long = true;
    }
}

void Step::count(std::size_t i, const ContactKey& key, ParticleId other) {
    include_path(i);
    history_[i].generation = key.generation;
    const bool reaches_cap = ++history_[i].num_contacts >= settings_.contact_cap;
    if (reaches_cap && !result_.exhausted) result_.exhausted = CapReached{id(i), other, key.time};
}

void Step::process(const ContactKey& key, std::size_t i, std::size_t j) {
    const bool with_wall = key.high >= first_obstacle_id;
    if (with_wall)
        collide_wall(key, i);
    else
        collide_pair(key, i, j);
    count(i, key, key.high);
    if (!with_wall) count(j, key, key.low);
}

StepResult Step::finish() {
    if (is_exhausted()) return std::move(result_);
    for (std::size_t i = 0; i < size(); ++i) {
        Motion& motion = particles_.motion[i];
        motion.position = advanced(motion.position, motion.velocity, settings_.dt - motion.time);
        motion.time = 0;
        TrackList::Image images = particles_.track.image(i);
        for (int axis = 0; axis < 3; ++axis)
            if (box_.is_periodic(axis))
                images[static_cast<std::size_t>(axis)] +=
                    take_into_box(motion.position[axis], box_.size[axis]);
        particles_.track.set_image(i, images);
    }
    return std::move(result_);
}

/// A predicted contact with the indices of its partners (high: unused for a wall).
struct Candidate {
    ContactKey key = no_contact;
    std::size_t low = 0;
    std::size_t high = 0;
};

void keep_earlier(Candidate& best, const Candidate& other) {
    if (other.key < best.key) best = other;
}

Candidate candidate_pair(const Step& step, std::size_t i, std::size_t j) {
    const bool ordered = step.id(i) < step.id(j);
    return {step.predict_pair(i, j), ordered ? i : j, ordered ? j : i};
}

/// For each particle the earliest contact that it takes part in.
class EarliestContacts {
  public:
    explicit EarliestContacts(const Step& step) : step_(step), of_(step.size()) {
        for (std::size_t i = 0; i < step.size(); ++i) keep_earlier(of_[i], {step.predict_walls(i), i, i});
        for (std::size_t i = 0; i < step.size(); ++i)
            for (std::size_t j = i + 1; j < step.size(); ++j) consider(i, j);
    }

    Candidate next() const {
        Candidate earliest;
        for (const Candidate& candidate : of_) keep_earlier(earliest, candidate);
        return earliest;
    }

    /// Repairs everything that rests on an old record of the partners of `done`, which has just happened.
    void update_after(const Candidate& done) {
        std::vector<std::size_t> stale;
        for (std::size_t i = 0; i < of_.size(); ++i)
            if (i == done.low || i == done.high || involves(of_[i], done.low) || involves(of_[i], done.high))
                stale.push_back(i);
        for (std::size_t i : stale) of_[i] = {step_.predict_walls(i), i, i};
        for (std::size_t i : stale)
            for (std::size_t j = 0; j < of_.size(); ++j)
                if (i != j) consider(i, j);
    }

  private:
    static bool involves(const Candidate& candidate, std::size_t i) {
        return candidate.key.time < never && (candidate.low == i || candidate.high == i);
    }
    void consider(std::size_t i, std::size_t j) {
        const Candidate candidate = candidate_pair(step_, i, j);
        keep_earlier(of_[i], candidate);
        keep_earlier(of_[j], candidate);
    }

    const Step& step_;
    std::vector<Candidate> of_;
};

Candidate scan_everything(const Step& step) {
    Candidate earliest;
    for (std::size_t i = 0; i < step.size(); ++i) {
        keep_earlier(earliest, {step.predict_walls(i), i, i});
        for (std::size_t j = i + 1; j < step.size(); ++j) keep_earlier(earliest, candidate_pair(step, i, j));
    }
    return earliest;
}

/// The k-th of `count` equal parts of a step, from 0 on, itself in halves where it is too long.
StepResult reference_part(const Box& box, Particles& particles, const Restitution& restitution,
                          const StepSettings& settings, double k, double count) {
    const Particles before = particles;
    StepSettings part = settings;
    part.begin = k * (settings.dt / count);
    part.dt = (k + 1) * (settings.dt / count);
    StepResult result = reference_step_by_lists(box, particles, restitution, part);
    if (!result.is_too_long) return result;
    particles = before;
    result = reference_part(box, particles, restitution, settings, 2 * k, 2 * count);
    if (result.exhausted) return result;
    const StepResult second = reference_part(box, particles, restitution, settings, 2 * k + 1, 2 * count);
    result.contacts.insert(result.contacts.end(), second.contacts.begin(), second.contacts.end());
    result.exhausted = second.exhausted;
    return result;
}

}  // namespace

StepResult reference_step(const Box& box, Particles& particles, const Restitution& restitution,
                          const StepSettings& settings) {
    Step step(box, particles, restitution, settings);
    for (Candidate next = scan_everything(step); next.key.time < never && !step.is_exhausted();
         next = scan_everything(step))
        step.process(next.key, next.low, next.high);
    return step.finish();
}

StepResult reference_step_by_lists(const Box& box, Particles& particles, const Restitution& restitution,
                                   const StepSettings& settings) {
    Step step(box, particles, restitution, settings);
    EarliestContacts earliest(step);
    for (Candidate next = earliest.next(); next.key.time < never && !step.is_exhausted();
         next = earliest.next()) {
        step.process(next.key, next.low, next.high);
        earliest.update_after(next);
    }
    return step.finish();
}

StepResult reference_long_step(const Box& box, Particles& particles, const Restitution& restitution,
                               const StepSettings& settings) {
    return reference_part(box, particles, restitution, settings, 0, 1);
}

}  // namespace ricochet::test
