// SPDX-License-Identifier: BSD-3-Clause
//
// A sum of doubles without rounding: it is rounded once, when it is read. It depends neither on the order of
// the terms, nor on how they are split over ranks, nor on restarts.
//
// Algorithm: the "small superaccumulator" of R. M. Neal, "Fast exact summation using small and large
// superaccumulators" (2015). It has three limbs per term here instead of two, for rarer carries. Whole blocks
// of terms are first added in doubles, in two parts that need no rounding (exact_sum.cpp). Only the sums of
// the parts go to the limbs.
//
// Layout: one long two's-complement integer in units of 2^-1074, the smallest double, in digits of 32 bits.
// Each digit has a signed 64-bit limb; limb k weighs 2^(32 k - 1074). The 53-bit mantissa of a term, shifted
// by up to 31 bits, adds less than 2^32 to each of three neighbouring limbs. So carries are propagated only
// every 2^30 terms, and merging adds limbs. The top limb leaves room for 2^63 terms of the largest double.
//
// Infinities and NaNs are counted beside the sum, and decide its value.
//
// Cost: 576 bytes per sum; one by one, several times the cost of a plain addition (note 28 of
// tests/bench/notes.md).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ricochet {

class ExactSum {
  public:
    static constexpr std::size_t num_digits = 68;
    /// The digits, then the counts of NaN, +infinity and -infinity.
    static constexpr std::size_t num_limbs = num_digits + 3;
    using Limbs = std::array<std::int64_t, num_limbs>;

    /// Adds one term.
    void add(double x) {
        if (pending_ == max_pending) [[unlikely]]
            normalize();
        ++pending_;
        add_to_limbs(x);
    }

    /// Blocks of this many terms are added faster than single terms, unless they differ too much in size.
    static constexpr std::size_t block_size = 256;
    /// Adds all of them.
    void add(std::span<const double> terms);

    /// Adds the terms of another sum. Exact, commutative and associative.
    void merge(const ExactSum& other);

    /// The sum rounded to the nearest double, ties to even; +0 when it is zero, an infinity beyond the
    /// largest double. NaN when a term was NaN or infinities of both signs were added.
    double value() const;

    /// The sum in its one canonical form: digits in [0, 2^32), the sign in the top one. Equal sums have equal
    /// limbs. The canonical limbs of up to 2^30 sums may be added elementwise (an integer sum over ranks).
    Limbs limbs() const;

    /// The sum that limbs() or an elementwise sum of such limbs describes.
    static ExactSum from_limbs(const Limbs& limbs);

    /// Equal sums, not only equal rounded values.
    friend bool operator==(const ExactSum& a, const ExactSum& b) { return a.limbs() == b.limbs(); }

  private:
    static constexpr std::uint64_t max_pending = std::uint64_t{1} << 30;

    static std::int64_t with_sign(std::uint64_t magnitude, std::int64_t sign) {
        return (static_cast<std::int64_t>(magnitude) ^ sign) - sign;
    }
    void add_to_limbs(double x) {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const auto exponent = static_cast<unsigned>(bits >> 52) & 0x7ffu;
        if (exponent == 0x7ffu) [[unlikely]]
            return add_special(bits);
        const std::uint64_t normal = exponent != 0;  // a subnormal has no leading one, but the exponent 1
        const std::uint64_t mantissa = (bits & 0x000fffffffffffffULL) | (normal << 52);
        const unsigned shift = exponent - static_cast<unsigned>(normal);
        const unsigned within = shift % 32;
        const std::uint64_t low = mantissa << within;
        const std::uint64_t high = (mantissa >> 1) >> (63 - within);
        const std::int64_t sign = static_cast<std::int64_t>(bits) >> 63;
        std::int64_t* limb = &limbs_[shift / 32];
        // The limbs are written one by one. From a vector, the next term could read a limb only after it has
        // reached the cache. The empty statement keeps compilers from making a vector.
        limb[0] += with_sign(low & 0xffffffffULL, sign);
        asm volatile("" : "+m"(limb[0]));
        limb[1] += with_sign(low >> 32, sign);
        asm volatile("" : "+m"(limb[1]));
        limb[2] += with_sign(high, sign);
    }
    void add_block(std::span<const double, block_size> terms);
    void add_special(std::uint64_t bits);
    void normalize();

    Limbs limbs_{};
    std::uint64_t pending_ = 0;  ///< every limb is smaller in size than this times 2^32
};

/// Collects terms and adds them in blocks; the sum is complete when the buffer is destroyed.
class TermBuffer {
  public:
    /// The sum must outlive the buffer.
    explicit TermBuffer(ExactSum& sum) : sum_(sum) {}
    ~TermBuffer() { sum_.add(std::span(terms_).first(size_)); }
    TermBuffer(const TermBuffer&) = delete;
    TermBuffer& operator=(const TermBuffer&) = delete;

    void add(double x) {
        terms_[size_] = x;
        if (++size_ < terms_.size()) return;
        sum_.add(terms_);
        size_ = 0;
    }

  private:
    ExactSum& sum_;
    std::array<double, ExactSum::block_size> terms_;
    std::size_t size_ = 0;
};

}  // namespace ricochet
