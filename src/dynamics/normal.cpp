// SPDX-License-Identifier: BSD-3-Clause
//
// The vector form repeats the scalar form operation by operation. Targets without fused multiply-add are
// disabled (core/simd_targets.hpp). Targets without vectors run the scalar form, which the compiler turns
// into fma instructions.
//
// Layout: 64-bit lanes contain the 32-bit words of the generator. The upper halves of lanes may contain
// leftovers: the 32x32->64-bit product reads only the lower half. So no masks are needed until the words are
// joined.
//
// Algorithm: passes over batches that stay in the first-level cache. Each pass is a short loop whose
// iterations overlap in the processor. One long loop would wait for its own latencies (note 25 of
// tests/bench/notes.md).
#include "core/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/normal.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/math.hpp"
#include "dynamics/normal.hpp"
#include "ricochet/core/check.hpp"

HWY_BEFORE_NAMESPACE();
namespace ricochet {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void normals(const RandomKey& key, const ParticleId* ids, std::size_t count, double* x, double* y,
             double* z) {
    for (std::size_t k = 0; k < count; ++k) {
        const Vec3 normal = standard_normals3(key, ids[k]);
        x[k] = normal.x;
        y[k] = normal.y;
        if (z) z[k] = normal.z;
    }
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using F = hn::ScalableTag<double>;
using U = hn::RebindToUnsigned<F>;
using U32 = hn::RepartitionToNarrow<U>;
using VF = hn::Vec<F>;
using VU = hn::Vec<U>;

/// Product of the lower halves of the lanes.
HWY_INLINE VU product_of_low_halves(VU a, VU b) {
    const U32 d;
    return hn::MulEven(hn::BitCast(d, a), hn::BitCast(d, b));
}

struct Words {
    VU first, second;
};

/// The part of random_words that does not depend on the id, in memory, from where it is broadcast.
struct Schedule {
    std::uint64_t step_low, top;
    std::array<std::uint64_t, detail::philox_rounds> key_0, key_1;

    Schedule(const RandomKey& key, unsigned block)
        : step_low(detail::low_half(key.step)), top(detail::counter_top(key, block)) {
        std::uint32_t k0 = detail::low_half(key.seed), k1 = detail::high_half(key.seed);
        for (std::size_t round = 0; round < key_0.size(); ++round) {
            key_0[round] = k0;
            key_1[round] = k1;
            k0 += detail::philox_weyl_0;
            k1 += detail::philox_weyl_1;
        }
    }
};

/// The function random_words for a vector of ids.
HWY_INLINE Words random_words_of(const Schedule& schedule, VU ids) {
    using namespace detail;
    const U d;
    const VU multiplier_0 = hn::Set(d, philox_multiplier_0), multiplier_1 = hn::Set(d, philox_multiplier_1);
    VU c0 = ids, c1 = hn::ShiftRight<32>(ids);
    VU c2 = hn::Set(d, schedule.step_low), c3 = hn::Set(d, schedule.top);
#pragma GCC unroll 16
    for (std::size_t round = 0; round < philox_rounds; ++round) {
        const VU product_0 = product_of_low_halves(multiplier_0, c0);
        const VU product_1 = product_of_low_halves(multiplier_1, c2);
        c0 = hn::Xor3(hn::ShiftRight<32>(product_1), c1, hn::Set(d, schedule.key_0[round]));
        c2 = hn::Xor3(hn::ShiftRight<32>(product_0), c3, hn::Set(d, schedule.key_1[round]));
        c1 = product_1;
        c3 = product_0;
    }
    const VU low = hn::Set(d, 0xffffffffu);
    return {hn::Or(hn::And(c0, low), hn::ShiftLeft<32>(c1)), hn::Or(hn::And(c2, low), hn::ShiftLeft<32>(c3))};
}

template <std::size_t N, std::size_t... K>
HWY_INLINE VF horner(const std::array<double, N>& c, VF x, std::index_sequence<K...>) {
    VF sum = hn::Set(F(), c[N - 1]);
    ((sum = hn::MulAdd(sum, x, hn::Set(F(), c[N - 2 - K]))), ...);
    return sum;
}

/// Unrolled by the template: compilers do not always unroll a loop, and then load the coefficients each time.
template <std::size_t N>
HWY_INLINE VF polynomial_of(const std::array<double, N>& c, VF x) {
    return horner(c, x, std::make_index_sequence<N - 1>());
}

/// 1 + the upper 52 bits of a word as a fraction.
HWY_INLINE VF one_to_two(VU word) {
    const U u;
    return hn::BitCast(F(), hn::Or(hn::ShiftRight<12>(word), hn::Set(u, 0x3ff0000000000000u)));
}

/// As fixed::detail::log_of_normal.
HWY_INLINE VF log_of_normal(VF x) {
    using namespace fixed;
    using namespace fixed::detail;
    const F d;
    const U u;
    const VU shifted = hn::Add(hn::BitCast(u, x), hn::Set(u, (1023ull << 52) - sqrt_half_bits));
    const VU biased = hn::Or(hn::ShiftRight<52>(shifted), hn::Set(u, 0x4330000000000000u));
    const VF k = hn::Sub(hn::BitCast(d, biased), hn::Set(d, 0x1p52 + 1023));
    const VU mantissa = hn::And(shifted, hn::Set(u, mantissa_mask));
    const VF m = hn::BitCast(d, hn::Add(mantissa, hn::Set(u, sqrt_half_bits)));
    const VF f = hn::Sub(m, hn::Set(d, 1.0));
    const VF s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0)));
    const VF z = hn::Mul(s, s);
    const VF log_m = hn::NegMulAdd(s, hn::Sub(f, hn::Mul(z, polynomial_of(log_coefficients, z))), f);
    return hn::MulAdd(k, hn::Set(d, ln2_high), hn::MulAdd(k, hn::Set(d, ln2_low), log_m));
}

/// sqrt(-2 log u), u in (0, 1] from the upper bits of a word.
HWY_INLINE VF radius_of(VU word) {
    const F d;
    const VF u = hn::Sub(hn::Set(d, 2.0), one_to_two(word));
    return hn::Sqrt(hn::Mul(hn::Set(d, -2.0), log_of_normal(u)));
}

/// As fixed::detail::reduced_sin.
template <std::size_t N>
HWY_INLINE VF reduced_sin(const std::array<double, N>& coefficients, VF r) {
    const F d;
    const VF z = hn::Mul(r, r);
    const VF rest = hn::MulAdd(z, polynomial_of(coefficients, z), hn::Set(d, fixed::two_pi_low));
    return hn::MulAdd(r, hn::Set(d, fixed::two_pi_high), hn::Mul(r, rest));
}

/// As fixed::detail::reduced_cos.
HWY_INLINE VF reduced_cos(VF r) {
    const VF z = hn::Mul(r, r);
    return hn::MulAdd(z, polynomial_of(fixed::detail::cos_coefficients, z), hn::Set(F(), 1.0));
}

/// value with the sign flipped where bit 63 of `bits` is set.
HWY_INLINE VF flipped(VF value, VU bits) {
    const VU sign = hn::And(bits, hn::Set(U(), 1ull << 63));
    return hn::BitCast(F(), hn::Xor(hn::BitCast(U(), value), sign));
}

struct Schedules {
    Schedule xy, z;
};

/// Intermediate results between passes, in the first-level cache.
struct Batch {
    static constexpr std::size_t capacity = 128;
    alignas(64) std::array<std::uint64_t, capacity> radius_word, angle_word;
    alignas(64) std::array<double, capacity> radius;
};
static_assert(Batch::capacity % hn::MaxLanes(F()) == 0);

void fill_words(const Schedule& schedule, const ParticleId* ids, std::size_t count, Batch& batch) {
    const U u;
    for (std::size_t k = 0; k < count; k += hn::Lanes(u)) {
        const Words words = random_words_of(schedule, hn::LoadU(u, ids + k));
        hn::Store(words.first, u, &batch.radius_word[k]);
        hn::Store(words.second, u, &batch.angle_word[k]);
    }
}

void fill_radii(std::size_t count, Batch& batch) {
    const F d;
    for (std::size_t k = 0; k < count; k += hn::Lanes(d))
        hn::Store(radius_of(hn::Load(U(), &batch.radius_word[k])), d, &batch.radius[k]);
}

void fill_xy(const Batch& batch, std::size_t count, double* x, double* y) {
    const F d;
    for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
        const VU word = hn::Load(U(), &batch.angle_word[k]);
        const VF radius = hn::Load(d, &batch.radius[k]);
        const VF r = hn::MulAdd(one_to_two(word), hn::Set(d, 0.25), hn::Set(d, -0.375));
        const VF sine = reduced_sin(fixed::detail::sin_coefficients, r), cosine = reduced_cos(r);
        const VF swap = hn::BitCast(d, hn::ShiftLeft<63>(word));
        const VF along_x = hn::IfNegativeThenElse(swap, sine, cosine);
        const VF along_y = hn::IfNegativeThenElse(swap, cosine, sine);
        hn::StoreU(hn::Mul(radius, flipped(along_x, hn::ShiftLeft<62>(word))), d, x + k);
        hn::StoreU(hn::Mul(radius, flipped(along_y, hn::ShiftLeft<61>(word))), d, y + k);
    }
}

void fill_z(const Batch& batch, std::size_t count, double* z) {
    const F d;
    for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
        const VU word = hn::Load(U(), &batch.angle_word[k]);
        const VF r = hn::MulAdd(one_to_two(word), hn::Set(d, 0.5), hn::Set(d, -0.75));
        const VF sine = reduced_sin(fixed::detail::wide_sin_coefficients, r);
        hn::StoreU(hn::Mul(hn::Load(d, &batch.radius[k]), sine), d, z + k);
    }
}

/// `count` is a multiple of the vector's length, at most a batch.
void normals_of_batch(const Schedules& schedules, const ParticleId* ids, std::size_t count, double* x,
                      double* y, double* z) {
// Every pass writes what the next one reads; GCC does not recognise this through the vector stores.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
    Batch batch;
    fill_words(schedules.xy, ids, count, batch);
    fill_radii(count, batch);
    fill_xy(batch, count, x, y);
    if (!z) return;
    fill_words(schedules.z, ids, count, batch);
    fill_radii(count, batch);
    fill_z(batch, count, z);
#pragma GCC diagnostic pop
}

/// Fewer numbers than a vector has, through padded copies.
void normals_of_rest(const Schedules& schedules, const ParticleId* ids, std::size_t count, double* x,
                     double* y, double* z) {
    constexpr std::size_t most = hn::MaxLanes(F());
    std::array<ParticleId, most> padded_ids{};
    std::array<double, most> padded_x, padded_y, padded_z;
    std::copy_n(ids, count, padded_ids.begin());
    normals_of_batch(schedules, padded_ids.data(), hn::Lanes(F()), padded_x.data(), padded_y.data(),
                     z ? padded_z.data() : nullptr);
    std::copy_n(padded_x.begin(), count, x);
    std::copy_n(padded_y.begin(), count, y);
    if (z) std::copy_n(padded_z.begin(), count, z);
}

void normals(const RandomKey& key, const ParticleId* ids, std::size_t count, double* x, double* y,
             double* z) {
    const Schedules schedules{Schedule(key, 0), Schedule(key, 1)};
    const std::size_t rest = count % hn::Lanes(F());
    const std::size_t whole = count - rest;
    for (std::size_t k = 0; k < whole; k += Batch::capacity)
        normals_of_batch(schedules, ids + k, std::min(Batch::capacity, whole - k), x + k, y + k,
                         z ? z + k : nullptr);
    if (rest > 0)
        normals_of_rest(schedules, ids + whole, rest, x + whole, y + whole, z ? z + whole : nullptr);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace ricochet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ricochet {

HWY_EXPORT(normals);

namespace {

/// The upper 52 bits of a word as a fraction in [0, 1).
double fraction(std::uint64_t word) { return static_cast<double>(word >> 12) * 0x1p-52; }

double radius_of(std::uint64_t word) {
    return std::sqrt(-2.0 * fixed::detail::log_of_normal(1.0 - fraction(word)));
}

}  // namespace

Vec3 standard_normals3(const RandomKey& key, ParticleId id) {
    using namespace fixed::detail;
    const RandomWords xy = random_words(key, id, 0), z = random_words(key, id, 1);
    const double r = fraction(xy[1]) * 0.25 - 0.125;
    double along_x = reduced_cos(r), along_y = reduced_sin(sin_coefficients, r);
    if (xy[1] & 1) std::swap(along_x, along_y);
    if (xy[1] & 2) along_x = -along_x;
    if (xy[1] & 4) along_y = -along_y;
    const double radius = radius_of(xy[0]);
    const double along_z = reduced_sin(wide_sin_coefficients, fraction(z[1]) * 0.5 - 0.25);
    return {radius * along_x, radius * along_y, radius_of(z[0]) * along_z};
}

void standard_normals3(const RandomKey& key, std::span<const ParticleId> ids, std::span<double> x,
                       std::span<double> y, std::span<double> z) {
    RICOCHET_CHECK_EQ(x.size(), ids.size());
    RICOCHET_CHECK_EQ(y.size(), ids.size());
    RICOCHET_CHECK(z.empty() || z.size() == ids.size());
    HWY_DYNAMIC_DISPATCH(normals)
    (key, ids.data(), ids.size(), x.data(), y.data(), z.empty() ? nullptr : z.data());
}

Vec3 direction_of_normals(Vec3 normals) {
    const double length = norm(normals);
    if (length == 0) return {1, 0, 0};
    return {normals.x / length, normals.y / length, normals.z / length};
}

}  // namespace ricochet
#endif
