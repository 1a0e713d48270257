// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled once for each instruction set, and chosen when the program runs. Division and square root are those of
// IEEE, no estimates, so all sets give the same bits.
#include "core/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gravity/kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "gravity/kernels.hpp"
#include "ricochet/core/check.hpp"

HWY_BEFORE_NAMESPACE();
namespace ricochet {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_EMU128
using Tag = hn::CappedTag<double, 1>;
#else
using Tag = hn::CappedTag<double, TargetBatch::capacity>;
#endif
using Vector = hn::Vec<Tag>;

/// A vector of doubles with the operations of a double.
struct Lanes {
    Vector v;
    HWY_INLINE Lanes(Vector vector) : v(vector) {}
    HWY_INLINE explicit Lanes(double value) : v(hn::Set(Tag(), value)) {}
};
HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.v, b.v); }
HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.v, b.v); }
HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return hn::Mul(a.v, b.v); }
HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return hn::Div(a.v, b.v); }
HWY_INLINE Lanes root(Lanes a) { return hn::Sqrt(a.v); }
#if HWY_TARGET == HWY_SCALAR
// Highway's fallbacks without vectors round twice in MulAdd.
HWY_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
    return Lanes(std::fma(a.v.raw, b.v.raw, c.v.raw));
}
#elif HWY_TARGET == HWY_EMU128
HWY_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
    return Lanes(std::fma(hn::GetLane(a.v), hn::GetLane(b.v), hn::GetLane(c.v)));
}
#else
HWY_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return hn::MulAdd(a.v, b.v, c.v); }
#endif

/// Lane by lane: there are few calls.
HWY_INLINE Lanes logarithm(Lanes u) {
    alignas(64) std::array<double, hn::MaxLanes(Tag())> values;
    hn::Store(u.v, Tag(), values.data());
    for (double& value : values) value = fixed::log(value);
    return hn::Load(Tag(), values.data());
}

/// Powers of u (law.hpp). The potential is that of a unit mass, without G.
struct Powers {
    Lanes inverse, h, potential;  ///< inverse = 1/u
};

template <GravityForm form, bool has_potential>
HWY_INLINE Powers powers_of(Lanes u) {
    if constexpr (form == GravityForm::inverse_square) {
        const Lanes inverse_root = Lanes(1) / root(u);
        const Lanes inverse = inverse_root * inverse_root;
        return {inverse, inverse_root * inverse, Lanes(0) - inverse_root};
    } else {
        const Lanes inverse = Lanes(1) / u;
        return {inverse, inverse, has_potential ? Lanes(0.5) * logarithm(u) : Lanes(0)};
    }
}

/// Coefficients of the second moments: h' = first h/u, 2 h'' = first second h/u^2.
template <GravityForm form>
constexpr double first = form == GravityForm::inverse_square ? -1.5 : -1;
template <GravityForm form>
constexpr double second = form == GravityForm::inverse_square ? -5 : -4;

/// Sums of one vector of targets, in registers.
template <GravityForm form, bool has_potential>
class Sums {
  public:
    HWY_INLINE Sums(const TargetBatch& batch, std::size_t k, double softening_squared)
        : x_(hn::Load(Tag(), &batch.x[k])),
          y_(hn::Load(Tag(), &batch.y[k])),
          z_(hn::Load(Tag(), &batch.z[k])),
          softening_squared_(softening_squared),
          sum_x_(hn::Load(Tag(), &batch.sum_x[k])),
          sum_y_(hn::Load(Tag(), &batch.sum_y[k])),
          sum_z_(hn::Load(Tag(), &batch.sum_z[k])),
          potential_(hn::Load(Tag(), &batch.potential[k])) {}

    HWY_INLINE void store(TargetBatch& batch, std::size_t k) const {
        hn::Store(sum_x_.v, Tag(), &batch.sum_x[k]);
        hn::Store(sum_y_.v, Tag(), &batch.sum_y[k]);
        hn::Store(sum_z_.v, Tag(), &batch.sum_z[k]);
        if constexpr (has_potential) hn::Store(potential_.v, Tag(), &batch.potential[k]);
    }

    HWY_INLINE void add(const PointMass& point) {
        const Separation d = separation_from(point.position);
        add_point(d, d.u, Lanes(point.mass));
    }
    /// The same in lanes where `others` is set.
    template <class Mask>
    HWY_INLINE void add_where(Mask others, const PointMass& point) {
        const Separation d = separation_from(point.position);
        add_point(d, hn::IfThenElse(others, d.u.v, hn::Set(Tag(), 1.0)),
                  hn::IfThenElseZero(others, hn::Set(Tag(), point.mass)));
    }

    HWY_INLINE void add(const Moments& cell) {
        const Separation d = separation_from(cell.centre);
        const Powers powers = powers_of<form, has_potential>(d.u);
        const Lanes xx(cell.xx), xy(cell.xy), xz(cell.xz), yy(cell.yy), yz(cell.yz), zz(cell.zz);
        const Lanes qx = multiply_add(xz, d.z, multiply_add(xy, d.y, xx * d.x));
        const Lanes qy = multiply_add(yz, d.z, multiply_add(yy, d.y, xy * d.x));
        const Lanes qz = multiply_add(zz, d.z, multiply_add(yz, d.y, xz * d.x));
        const Lanes q = multiply_add(qz, d.z, multiply_add(qy, d.y, qx * d.x));
        const Lanes trace(cell.trace), mass(cell.mass), of_q = powers.inverse * q;
        const Lanes slope = Lanes(first<form>) * powers.inverse;
        const Lanes along =
            powers.h * multiply_add(slope, multiply_add(Lanes(second<form>), of_q, trace), mass);
        const Lanes across = (powers.h + powers.h) * slope;
        sum_x_ = multiply_add(across, qx, multiply_add(along, d.x, sum_x_));
        sum_y_ = multiply_add(across, qy, multiply_add(along, d.y, sum_y_));
        sum_z_ = multiply_add(across, qz, multiply_add(along, d.z, sum_z_));
        if constexpr (has_potential) {
            const Lanes quadrupole = powers.h * multiply_add(Lanes(first<form>), of_q, Lanes(0.5) * trace);
            potential_ = multiply_add(powers.potential, mass, potential_ + quadrupole);
        }
    }

  private:
    struct Separation {
        Lanes x, y, z, u;
    };
    HWY_INLINE Separation separation_from(Vec3 source) const {
        const Lanes dx = Lanes(source.x) - x_, dy = Lanes(source.y) - y_, dz = Lanes(source.z) - z_;
        return {dx, dy, dz,
                multiply_add(dz, dz, multiply_add(dy, dy, multiply_add(dx, dx, softening_squared_)))};
    }
    HWY_INLINE void add_point(const Separation& d, Lanes u, Lanes mass) {
        const Powers powers = powers_of<form, has_potential>(u);
        const Lanes weight = mass * powers.h;
        sum_x_ = multiply_add(weight, d.x, sum_x_);
        sum_y_ = multiply_add(weight, d.y, sum_y_);
        sum_z_ = multiply_add(weight, d.z, sum_z_);
        if constexpr (has_potential) potential_ = multiply_add(powers.potential, mass, potential_);
    }

    Lanes x_, y_, z_, softening_squared_, sum_x_, sum_y_, sum_z_, potential_;
};

/// The loops of one law.
template <GravityForm form, bool has_potential>
struct Loops {
    using SumsOfVector = Sums<form, has_potential>;

    static void points(double softening_squared, const PointMass* points, std::span<const PointRange> ranges,
                       TargetBatch& targets) {
        for (std::size_t k = 0; k < targets.count; k += hn::Lanes(Tag())) {
            SumsOfVector sums(targets, k, softening_squared);
            for (const PointRange& range : ranges)
                for (std::size_t j = range.first; j < std::size_t{range.first} + range.count; ++j)
                    sums.add(points[j]);
            sums.store(targets, k);
        }
    }
    static void each_other(double softening_squared, std::span<const PointMass> points,
                           TargetBatch& targets) {
        for (std::size_t k = 0; k < targets.count; k += hn::Lanes(Tag())) {
            SumsOfVector sums(targets, k, softening_squared);
            const Vector numbers = hn::Iota(Tag(), static_cast<double>(k));
            for (std::size_t j = 0; j < points.size(); ++j)
                sums.add_where(hn::Ne(numbers, hn::Set(Tag(), static_cast<double>(j))), points[j]);
            sums.store(targets, k);
        }
    }
    static void cells(double softening_squared, const Moments* moments, std::span<const std::uint32_t> cells,
                      TargetBatch& targets) {
        for (std::size_t k = 0; k < targets.count; k += hn::Lanes(Tag())) {
            SumsOfVector sums(targets, k, softening_squared);
            for (const std::uint32_t cell : cells) sums.add(moments[cell]);
            sums.store(targets, k);
        }
    }
};

void sum_points(const FieldSums& sums, const PointMass* points, std::span<const PointRange> ranges,
                TargetBatch& targets) {
    using enum GravityForm;
    const auto loop = sums.form == inverse ? (sums.has_potential ? Loops<inverse, true>::points
                                                                 : Loops<inverse, false>::points)
                                           : (sums.has_potential ? Loops<inverse_square, true>::points
                                                                 : Loops<inverse_square, false>::points);
    loop(sums.softening_squared, points, ranges, targets);
}

void sum_each_other(const FieldSums& sums, std::span<const PointMass> points, TargetBatch& targets) {
    using enum GravityForm;
    const auto loop = sums.form == inverse ? (sums.has_potential ? Loops<inverse, true>::each_other
                                                                 : Loops<inverse, false>::each_other)
                                           : (sums.has_potential ? Loops<inverse_square, true>::each_other
                                                                 : Loops<inverse_square, false>::each_other);
    loop(sums.softening_squared, points, targets);
}

void sum_cells(const FieldSums& sums, const Moments* moments, std::span<const std::uint32_t> cells,
               TargetBatch& targets) {
    using enum GravityForm;
    const auto loop =
        sums.form == inverse
            ? (sums.has_potential ? Loops<inverse, true>::cells : Loops<inverse, false>::cells)
            : (sums.has_potential ? Loops<inverse_square, true>::cells : Loops<inverse_square, false>::cells);
    loop(sums.softening_squared, moments, cells, targets);
}

}  // namespace HWY_NAMESPACE
}  // namespace ricochet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ricochet {

HWY_EXPORT(sum_points);
HWY_EXPORT(sum_each_other);
HWY_EXPORT(sum_cells);

TargetBatch::TargetBatch(std::span<const PointMass> points) : count(points.size()) {
    RICOCHET_DCHECK_GE(count, 1);
    RICOCHET_DCHECK_LE(count, capacity);
    move(points, {});
    sum_x.fill(0);
    sum_y.fill(0);
    sum_z.fill(0);
    potential.fill(0);
}

void TargetBatch::move(std::span<const PointMass> points, Vec3 offset) {
    RICOCHET_DCHECK_EQ(points.size(), count);
    for (std::size_t k = 0; k < capacity; ++k) {
        const Vec3 position = points[std::min(k, count - 1)].position - offset;
        x[k] = position.x;
        y[k] = position.y;
        z[k] = position.z;
    }
}

void add_points(const FieldSums& sums, const PointMass* points, std::span<const PointRange> ranges,
                TargetBatch& targets) {
    HWY_DYNAMIC_DISPATCH(sum_points)(sums, points, ranges, targets);
}

void add_each_other(const FieldSums& sums, std::span<const PointMass> points, TargetBatch& targets) {
    RICOCHET_DCHECK_EQ(points.size(), targets.count);
    HWY_DYNAMIC_DISPATCH(sum_each_other)(sums, points, targets);
}

void add_cells(const FieldSums& sums, const Moments* moments, std::span<const std::uint32_t> cells,
               TargetBatch& targets) {
    HWY_DYNAMIC_DISPATCH(sum_cells)(sums, moments, cells, targets);
}

}  // namespace ricochet
#endif
