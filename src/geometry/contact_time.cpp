// SPDX-License-Identifier: BSD-3-Clause
//
// The arithmetic is written once, for `Real` = double or a vector of doubles.
//
// Tried and not faster (note 2 of tests/bench/notes.md):
// * vectors of eight: the lists are short, and most time goes into dependent operations
// * rejecting neighbours first in single precision, eight at a time, from records of half the size
// * listing first which neighbours of one particle may touch it, as for pairs: there are few, and mostly one
//   does
#include "geometry/contact_time.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "geometry/record_columns.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t num_lanes = hn::MaxLanes(Tag());
static_assert(num_lanes <= most_lanes);

/// A vector of doubles with the operations of a double.
struct Lanes {
    Vector v;
    Lanes(Vector vector) : v(vector) {}
    explicit Lanes(double value) : v(hn::Set(Tag(), value)) {}
};
HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.v, b.v); }
HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.v, b.v); }
HWY_INLINE Lanes operator-(Lanes a) { return hn::Neg(a.v); }
HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return hn::Mul(a.v, b.v); }
HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return hn::Div(a.v, b.v); }
#if HWY_TARGET == HWY_SCALAR
// Highway's fallback without vectors rounds twice in MulAdd, and its Round turns 0.49999999999999994 into 1.
HWY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) { return Lanes(std::fma(a.v.raw, b.v.raw, c.v.raw)); }
HWY_INLINE Lanes nearbyint(Lanes a) { return Lanes(std::nearbyint(a.v.raw)); }
#else
HWY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) { return hn::MulAdd(a.v, b.v, c.v); }
HWY_INLINE Lanes nearbyint(Lanes a) { return hn::Round(a.v); }
#endif
HWY_INLINE Lanes sqrt(Lanes a) { return hn::Sqrt(a.v); }
HWY_INLINE Lanes max(Lanes a, Lanes b) { return hn::Max(a.v, b.v); }
HWY_INLINE auto is_less(Lanes a, Lanes b) { return hn::Lt(a.v, b.v); }
HWY_INLINE auto is_at_most(Lanes a, Lanes b) { return hn::Le(a.v, b.v); }
template <class Mask>
HWY_INLINE Lanes choose(Mask mask, Lanes yes, Lanes no) {
    return hn::IfThenElse(mask, yes.v, no.v);
}

using std::fma;
using std::max;
using std::nearbyint;
using std::sqrt;
inline bool is_less(double a, double b) { return a < b; }
inline bool is_at_most(double a, double b) { return a <= b; }
inline double choose(bool condition, double yes, double no) { return condition ? yes : no; }

/// The state of a sphere, or of one sphere in every lane.
template <class Real>
struct Flight {
    std::array<Real, 3> position, velocity;
    Real time;
};

template <class Real>
HWY_INLINE Flight<Real> broadcast(const Motion& m) {
    return {{Real(m.position.x), Real(m.position.y), Real(m.position.z)},
            {Real(m.velocity.x), Real(m.velocity.y), Real(m.velocity.z)},
            Real(m.time)};
}

template <class Real>
HWY_INLINE Real dot(const std::array<Real, 3>& a, const std::array<Real, 3>& b) {
    return fma(a[2], b[2], fma(a[1], b[1], a[0] * b[0]));
}

/// An unevaluated sum high + low.
template <class Real>
struct DoubleDouble {
    Real high, low;
};

/// Adds the given product, exact as high + low, to the sum. Knuth's two-sum adds the high parts; all errors
/// are collected in the low part.
template <class Real>
HWY_INLINE DoubleDouble<Real> operator+(DoubleDouble<Real> sum, DoubleDouble<Real> product) {
    const Real high = sum.high + product.high;
    const Real seen = high - sum.high;
    const Real sum_error = (sum.high - (high - seen)) + (product.high - seen);
    return {high, sum.low + (sum_error + product.low)};
}

template <class Real>
HWY_INLINE DoubleDouble<Real> squared(Real a) {
    const Real product = a * a;
    return {product, fma(a, a, -product)};
}

template <class Real>
HWY_INLINE DoubleDouble<Real> operator-(DoubleDouble<Real> a) {
    return {-a.high, -a.low};
}

/// |r|^2 - s^2, summed in double-double and rounded once.
template <class Real>
HWY_INLINE Real squared_gap(const std::array<Real, 3>& r, Real s) {
    const DoubleDouble<Real> sum = squared(r[0]) + squared(r[1]) + squared(r[2]) + -squared(s);
    return sum.high + sum.low;
}

/// b^2 - a c by Kahan's fused difference of products.
template <class Real>
HWY_INLINE Real discriminant(Real a, Real b, Real c) {
    const Real ac = a * c;
    const Real ac_error = fma(a, c, -ac);
    return fma(b, b, -ac) - ac_error;
}

/// The separation, the relative velocity and half the derivative of the squared distance, at the later of the
/// two times.
template <class Real>
struct Approach {
    Real start;
    std::array<Real, 3> r, u;
    Real b;
};

template <class Real>
HWY_INLINE Approach<Real> approach_of(const Flight<Real>& low, const Flight<Real>& high,
                                      const ImageLengths& images) {
    const Real start = max(low.time, high.time);
    const Real high_rest = start - high.time;
    const Real low_rest = start - low.time;
    const std::array<double, 3> length{images.length.x, images.length.y, images.length.z};
    const std::array<double, 3> inverse{images.inverse.x, images.inverse.y, images.inverse.z};
    // As minimum_image(advanced(high) - advanced(low)) of model/box.hpp and model/vec3.hpp.
    const auto separation = [&](std::size_t axis) {
        const Real difference = fma(high.velocity[axis], high_rest, high.position[axis]) -
                                fma(low.velocity[axis], low_rest, low.position[axis]);
        return fma(Real(-length[axis]), nearbyint(difference * Real(inverse[axis])), difference);
    };
    const std::array<Real, 3> r{separation(0), separation(1), separation(2)};
    const std::array<Real, 3> u{high.velocity[0] - low.velocity[0], high.velocity[1] - low.velocity[1],
                                high.velocity[2] - low.velocity[2]};
    return {start, r, u, dot(r, u)};
}

/// The approach of the surfaces of two spheres that grow: `u` is less what the contact distance grows along r.
template <class Real>
struct GrowingApproach {
    Approach<Real> surfaces;
    Real rate;   ///< 1/time, of the radii as they are at surfaces.start
    Real scale;  ///< those radii over those at the start of the step
};

template <class Real>
HWY_INLINE GrowingApproach<Real> approach_of(const Flight<Real>& low, const Flight<Real>& high,
                                             const GrowingSpheres& spheres) {
    Approach<Real> of = approach_of(low, high, spheres.images);
    const Real scale = fma(Real(spheres.rate), of.start, Real(1));
    const Real rate = Real(spheres.rate) / scale;
    for (std::size_t axis = 0; axis < 3; ++axis) of.u[axis] = fma(of.r[axis], -rate, of.u[axis]);
    of.b = dot(of.r, of.u);
    return {of, rate, scale};
}

template <class Real>
HWY_INLINE Real contact_time(const Approach<Real>& approach, Real contact_distance) {
    const Real b = approach.b;
    const Real c = squared_gap(approach.r, contact_distance);
    const Real disc = discriminant(dot(approach.u, approach.u), b, c);
    const Real touch = choose(is_at_most(Real(0), disc), approach.start + c / (sqrt(disc) - b), Real(never));
    return choose(is_less(b, Real(0)), choose(is_at_most(c, Real(0)), approach.start, touch), Real(never));
}

template <class Real>
HWY_INLINE Real contact_time(const GrowingApproach<Real>& approach, Real contact_distance) {
    const Approach<Real>& of = approach.surfaces;
    const Real tau =
        contact_time(Approach<Real>{Real(0), of.r, of.u, of.b}, contact_distance * approach.scale);
    const Real part = approach.rate * tau;
    return choose(is_less(part, Real(1)), of.start + tau / (Real(1) - part), Real(never));
}

/// Whether contact_time may be less than `until`. It uses plain doubles and no root, and rounding makes it
/// true rather than false. Most neighbours stay out of reach for the rest of a step.
HWY_INLINE auto may_touch(const Approach<Lanes>& approach, Lanes contact_distance, Lanes until) {
    const Lanes zero(0.0), rounding(near_miss_slack);
    const Lanes rest = until - approach.start;
    const Lanes a = dot(approach.u, approach.u);
    const Lanes b = approach.b;
    const Lanes r2 = dot(approach.r, approach.r), s2 = contact_distance * contact_distance;
    const Lanes c = r2 - s2;
    // If they still approach at the end of the step, the squared gap then decides; otherwise the discriminant
    // does.
    const Lanes slope = fma(a, rest, b);
    const Lanes gap = fma(rest, b + slope, c);
    const Lanes gap_error = rounding * fma(a * rest, rest, fma(-b, until, r2 + s2));
    const Lanes miss = fma(a, c, -(b * b));
    const Lanes miss_error = rounding * (a * (r2 + s2));
    const auto in_time =
        hn::Or(hn::Le(gap.v, gap_error.v), hn::And(hn::Ge(slope.v, zero.v), hn::Le(miss.v, miss_error.v)));
    return hn::And(hn::Lt(b.v, zero.v), in_time);
}

/// `until` becomes a tau, which rounding changes by less than the slack allows for.
HWY_INLINE auto may_touch(const GrowingApproach<Lanes>& approach, Lanes contact_distance, Lanes until) {
    const Lanes start = approach.surfaces.start;
    const Lanes rest = until - start;
    const Lanes tau = rest / fma(approach.rate, rest, Lanes(1));
    return may_touch(approach.surfaces, contact_distance * approach.scale, start + tau);
}

/// The states of motions[slots[k]], one per lane.
HWY_INLINE Flight<Lanes> gather(const Motion* motions, const Slot* slots) {
    static_assert(sizeof(Motion) == 64 && offsetof(Motion, velocity) == 24 && offsetof(Motion, time) == 48);
    std::array<const void*, num_lanes> records;
    for (std::size_t k = 0; k < num_lanes; ++k) records[k] = motions + slots[k];
    const detail::RecordColumns<Tag> low(records, 0), high(records, 32);
    return {{low.first, low.second, low.third}, {low.fourth, high.first, high.second}, high.third};
}

/// The lanes that are set.
HWY_INLINE std::uint64_t bits_of(hn::Mask<Tag> mask) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(Tag(), mask, reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
}

/// Contact times of pairs of which few touch, unpredictably. So the pairs that may touch are listed first.
/// Contact times are computed for these alone (note 1 of tests/bench/notes.md).
/// Images: ImageLengths or GrowingSpheres.
template <class Images>
class PairList {
  public:
    PairList(std::span<const Slot> first, std::span<const Slot> second, const Motion* motions,
             const double* distances, const Images& images)
        : first_(first), second_(second), motions_(motions), distances_(distances), images_(images) {}

    /// Writes the indices of the pairs in [begin, end) that may touch; returns their number.
    HWY_INLINE std::size_t note_near(std::size_t begin, std::size_t end, double until,
                                     std::uint32_t* indices) const {
        constexpr std::size_t per_word = 64;
        std::size_t count = 0;
        for (; begin < end; begin += per_word) {
            const std::size_t size = std::min(per_word, end - begin);
            std::uint64_t near = 0;
            for (std::size_t k = 0; k < size; k += num_lanes) {
                const Lanes distance(hn::LoadU(Tag(), distances_ + begin + k));
                near |= bits_of(may_touch(approach_of_those_at(begin + k), distance, Lanes(until))) << k;
            }
            if (size < per_word) near &= (std::uint64_t{1} << size) - 1;
            for (; near != 0; near &= near - 1)
                indices[count++] =
                    static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(std::countr_zero(near));
        }
        return count;
    }

    /// Keeps those of the pairs with these indices that touch, and writes their times; returns their number.
    HWY_INLINE std::size_t keep_contact(std::size_t num_indices, double until, std::uint32_t* indices,
                                        double* times) const {
        std::size_t count = 0;
        for (std::size_t k = 0; k < num_indices; k += num_lanes) {
            std::array<std::uint32_t, num_lanes> index;
            std::array<Slot, num_lanes> low, high;
            alignas(64) std::array<double, num_lanes> distance, answers;
            for (std::size_t lane = 0; lane < num_lanes; ++lane) {
                index[lane] = indices[std::min(k + lane, num_indices - 1)];
                low[lane] = first_[index[lane]];
                high[lane] = second_[index[lane]];
                distance[lane] = distances_[index[lane]];
            }
            const Lanes time = contact_time(
                approach_of(gather(motions_, low.data()), gather(motions_, high.data()), images_),
                Lanes(hn::Load(Tag(), distance.data())));
            hn::Store(time.v, Tag(), answers.data());
            const std::uint64_t touching = bits_of(hn::Lt(time.v, hn::Set(Tag(), until)));
            for (std::size_t lane = 0; lane < num_lanes; ++lane) {
                indices[count] = index[lane];
                times[count] = answers[lane];
                count += (k + lane < num_indices ? touching >> lane : 0) & 1;
            }
        }
        return count;
    }

  private:
    /// A vector of pairs from this index on; lanes beyond the last pair repeat it.
    HWY_INLINE auto approach_of_those_at(std::size_t begin) const {
        constexpr std::size_t ahead = 32;
        if (begin + ahead + num_lanes <= first_.size()) {
            for (std::size_t lane = 0; lane < num_lanes; ++lane) {
                prefetch(motions_ + first_[begin + ahead + lane]);
                prefetch(motions_ + second_[begin + ahead + lane]);
            }
            return approach_of(gather(motions_, &first_[begin]), gather(motions_, &second_[begin]), images_);
        }
        std::array<Slot, num_lanes> low, high;
        for (std::size_t lane = 0; lane < num_lanes; ++lane) {
            const std::size_t at = std::min(begin + lane, first_.size() - 1);
            low[lane] = first_[at];
            high[lane] = second_[at];
        }
        return approach_of(gather(motions_, low.data()), gather(motions_, high.data()), images_);
    }

    std::span<const Slot> first_, second_;
    const Motion* motions_;
    const double* distances_;
    const Images& images_;
};

template <class Images>
HWY_INLINE std::size_t found_contacts(const Motion& own, std::span<const Slot> others, const Motion* motions,
                                      const double* distances, const Images& images, double until,
                                      double ahead_of, Slot* slots, double* times) {
    const Tag tag;
    const Flight<Lanes> own_flight = broadcast<Lanes>(own);
    const std::size_t num_others = others.size();
    std::size_t count = 0;
    std::array<Slot, num_lanes> last;
    for (std::size_t k = 0; k < num_others; k += num_lanes) {
        const Slot* asked = &others[k];
        const std::size_t num_asked = num_others - k;
        if (num_asked < num_lanes) {
            for (std::size_t lane = 0; lane < num_lanes; ++lane)
                last[lane] = asked[std::min(lane, num_asked - 1)];
            asked = last.data();
        }
        const Flight<Lanes> other = gather(motions, asked);
        const auto approach = approach_of(own_flight, other, images);
        const Lanes distance(hn::LoadU(tag, distances + k));
        std::uint64_t touching = bits_of(may_touch(approach, distance, Lanes(until)));
        alignas(64) std::array<double, num_lanes> answers{};
        if (touching != 0) {
            const Lanes time = contact_time(approach, distance);
            hn::Store(time.v, tag, answers.data());
            touching = bits_of(hn::Lt(time.v, hn::Set(tag, until)));
        }
        std::uint64_t bits = touching | bits_of(hn::Gt(other.time.v, hn::Set(tag, ahead_of)));
        if (num_asked < num_lanes) bits &= (std::uint64_t{1} << num_asked) - 1;
        for (; bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
            slots[count] = asked[lane];
            times[count++] = (touching >> lane & 1) != 0 ? answers[lane] : never;
        }
    }
    return count;
}

template <class Images>
HWY_INLINE std::size_t found_pair_contacts(std::span<const Slot> first, std::span<const Slot> second,
                                           const Motion* motions, const double* distances,
                                           const Images& images, double until, std::uint32_t* indices,
                                           double* times) {
    RICOCHET_DCHECK_EQ(first.size(), second.size());
    constexpr std::size_t at_once = 256;  // few enough for their motions to stay in cache
    const PairList pairs{first, second, motions, distances, images};
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < first.size(); begin += at_once) {
        const std::size_t end = std::min(begin + at_once, first.size());
        const std::size_t num_near = pairs.note_near(begin, end, until, indices + count);
        count += pairs.keep_contact(num_near, until, indices + count, times + count);
    }
    return count;
}

}  // namespace

[[gnu::noinline]] double pair_contact_time(const Motion& a, const Motion& b, double contact_distance,
                                           const ImageLengths& images) {
    return contact_time(approach_of(broadcast<double>(a), broadcast<double>(b), images), contact_distance);
}

[[gnu::noinline]] double pair_contact_time(const Motion& a, const Motion& b, double contact_distance,
                                           const GrowingSpheres& spheres) {
    return contact_time(approach_of(broadcast<double>(a), broadcast<double>(b), spheres), contact_distance);
}

[[gnu::noinline]] double pair_contact_time(const Motion& a, const Motion& b, double contact_distance,
                                           const ImageLengths& images, Overlap overlap) {
    const Approach<double> approach = approach_of(broadcast<double>(a), broadcast<double>(b), images);
    if (overlap != Overlap::bounces && squared_gap(approach.r, contact_distance) <= 0)
        return overlap == Overlap::reacts ? approach.start : never;
    return contact_time(approach, contact_distance);
}

[[gnu::noinline]] double tether_time(const Motion& a, const Motion& b, double length,
                                     const ImageLengths& images) {
    const Approach<double> approach = approach_of(broadcast<double>(a), broadcast<double>(b), images);
    const double c = std::min(squared_gap(approach.r, length), 0.0);
    const double u2 = dot(approach.u, approach.u);
    const double root = sqrt(discriminant(u2, approach.b, c));
    if (approach.b > 0) return approach.start + -c / (approach.b + root);
    return u2 > 0 ? approach.start + (root - approach.b) / u2 : never;
}

[[gnu::noinline]] std::size_t find_contacts(const Motion& own, std::span<const Slot> others,
                                            const Motion* motions, const double* distances,
                                            const ImageLengths& images, double until, double ahead_of,
                                            Slot* slots, double* times) {
    return found_contacts(own, others, motions, distances, images, until, ahead_of, slots, times);
}

[[gnu::noinline]] std::size_t find_contacts(const Motion& own, std::span<const Slot> others,
                                            const Motion* motions, const double* distances,
                                            const GrowingSpheres& spheres, double until, double ahead_of,
                                            Slot* slots, double* times) {
    return found_contacts(own, others, motions, distances, spheres, until, ahead_of, slots, times);
}

[[gnu::noinline]] std::size_t find_pair_contacts(std::span<const Slot> first, std::span<const Slot> second,
                                                 const Motion* motions, const double* distances,
                                                 const ImageLengths& images, double until,
                                                 std::uint32_t* indices, double* times) {
    return found_pair_contacts(first, second, motions, distances, images, until, indices, times);
}

[[gnu::noinline]] std::size_t find_pair_contacts(std::span<const Slot> first, std::span<const Slot> second,
                                                 const Motion* motions, const double* distances,
                                                 const GrowingSpheres& spheres, double until,
                                                 std::uint32_t* indices, double* times) {
    return found_pair_contacts(first, second, motions, distances, spheres, until, indices, times);
}

}  // namespace ricochet
