// SPDX-License-Identifier: BSD-3-Clause
//
// The rounds of ricochet/core/random.hpp, operation by operation. Layout and reason are those of dynamics/normal.cpp:
// 64-bit lanes contain 32-bit words, and the upper halves may contain leftovers. Two vectors at a time hide the latency
// of the products.
#include "core/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/random_batch.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

#include "core/random_batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace ricochet {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void draw(RandomBatch& batch, std::uint64_t seed, Stream stream, unsigned block) {
    for (std::size_t k = 0; k < RandomBatch::capacity; ++k) {
        const RandomWords words = random_words({seed, stream, batch.steps[k]}, batch.ids[k], block);
        batch.first[k] = words[0];
        batch.second[k] = words[1];
    }
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using U = hn::ScalableTag<std::uint64_t>;
using U32 = hn::RepartitionToNarrow<U>;
using VU = hn::Vec<U>;

/// Product of the lower halves of the lanes.
HWY_INLINE VU product_of_low_halves(VU a, VU b) {
    const U32 d;
    return hn::MulEven(hn::BitCast(d, a), hn::BitCast(d, b));
}

/// The four words of the counters of a vector of draws.
struct Counters {
    VU c0, c1, c2, c3;

    HWY_INLINE void next_round(VU key_0, VU key_1) {
        const U d;
        const VU product_0 = product_of_low_halves(hn::Set(d, detail::philox_multiplier_0), c0);
        const VU product_1 = product_of_low_halves(hn::Set(d, detail::philox_multiplier_1), c2);
        c0 = hn::Xor3(hn::ShiftRight<32>(product_1), c1, key_0);
        c2 = hn::Xor3(hn::ShiftRight<32>(product_0), c3, key_1);
        c1 = product_1;
        c3 = product_0;
    }
};

HWY_INLINE Counters counters_of(const RandomBatch& batch, std::size_t at, VU top) {
    const U d;
    const VU ids = hn::LoadU(d, &batch.ids[at]), steps = hn::LoadU(d, &batch.steps[at]);
    return {ids, hn::ShiftRight<32>(ids), steps, hn::Or(hn::ShiftRight<32>(steps), top)};
}

HWY_INLINE void store(const Counters& c, std::size_t at, RandomBatch& batch) {
    const U d;
    const VU low = hn::Set(d, 0xffffffffu);
    hn::StoreU(hn::Or(hn::And(c.c0, low), hn::ShiftLeft<32>(c.c1)), d, &batch.first[at]);
    hn::StoreU(hn::Or(hn::And(c.c2, low), hn::ShiftLeft<32>(c.c3)), d, &batch.second[at]);
}

void draw(RandomBatch& batch, std::uint64_t seed, Stream stream, unsigned block) {
    using namespace detail;
    const U d;
    const std::size_t lanes = hn::Lanes(d);
    static_assert(RandomBatch::capacity % (2 * hn::MaxLanes(U())) == 0);
    const VU top = hn::Set(d, counter_top({seed, stream, 0}, block));
    for (std::size_t k = 0; k < RandomBatch::capacity; k += 2 * lanes) {
        Counters a = counters_of(batch, k, top), b = counters_of(batch, k + lanes, top);
        std::uint32_t key_0 = low_half(seed), key_1 = high_half(seed);
#pragma GCC unroll 16
        for (int round = 0; round < philox_rounds; ++round) {
            const VU keys_0 = hn::Set(d, key_0), keys_1 = hn::Set(d, key_1);
            a.next_round(keys_0, keys_1);
            b.next_round(keys_0, keys_1);
            key_0 += philox_weyl_0;
            key_1 += philox_weyl_1;
        }
        store(a, k, batch);
        store(b, k + lanes, batch);
    }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace ricochet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ricochet {

HWY_EXPORT(draw);

void RandomBatch::draw(std::uint64_t seed, Stream stream, unsigned block) {
    HWY_DYNAMIC_DISPATCH(draw)(*this, seed, stream, block);
}

}  // namespace ricochet
#endif
