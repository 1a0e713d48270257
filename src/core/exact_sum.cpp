// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/exact_sum.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

namespace ricochet {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t num_lanes = hn::MaxLanes(Tag());

constexpr std::size_t block_size = ExactSum::block_size;
static_assert(block_size % (2 * num_lanes) == 0);
using Block = std::span<const double, block_size>;

constexpr std::size_t nan_count = ExactSum::num_digits;
constexpr std::size_t plus_infinity_count = nan_count + 1;
constexpr std::size_t minus_infinity_count = nan_count + 2;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two doubles whose sum is that of the terms; nothing where two do not suffice.
struct CutSum {
    double high = 0, low = 0;
    bool is_exact = false;
};

/// An upper bound of the absolute values of the terms: rounding does not take sums below their terms. Not
/// finite when a term is not.
HWY_ATTR double sum_of_sizes(Block terms) {
    const Tag tag;
    Vector even = hn::Zero(tag), odd = hn::Zero(tag);
    for (std::size_t k = 0; k < block_size; k += 2 * num_lanes) {
        even = hn::Add(even, hn::Abs(hn::LoadU(tag, &terms[k])));
        odd = hn::Add(odd, hn::Abs(hn::LoadU(tag, &terms[k + num_lanes])));
    }
    return hn::GetLane(hn::SumOfLanes(tag, hn::Add(even, odd)));
}

/// Cuts every term x into high + low + rest. All high parts are multiples of one power of two, all low parts
/// of another. The powers are so large that 256 multiples add up within 53 bits, without rounding, in any
/// order. The rest is 0 unless a term has bits more than 95 below the sum of sizes.
///
/// Source: S. M. Rump, T. Ogita and S. Oishi, "Accurate floating-point summation part I", SIAM J. Sci.
/// Comput. 31 (2008) 189, algorithm 3.3 (ExtractVector).
HWY_ATTR CutSum cut_sum(Block terms) {
    constexpr std::uint64_t least_exponent = 64, largest_exponent = 2040;
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(sum_of_sizes(terms)) >> 52;
    if (exponent < least_exponent || exponent > largest_exponent) return {};
    // 3/2 times a power of two: adding it rounds a term to a multiple of its last bit.
    const auto cut_at = [](std::uint64_t above) {
        return std::bit_cast<double>(above << 52 | std::uint64_t{1} << 51);
    };
    const Tag tag;
    const Vector high_cut = hn::Set(tag, cut_at(exponent + 2)), low_cut = hn::Set(tag, cut_at(exponent - 42));
    Vector highs = hn::Zero(tag), lows = hn::Zero(tag), rests = hn::Zero(tag);
    for (std::size_t k = 0; k < block_size; k += num_lanes) {
        const Vector x = hn::LoadU(tag, &terms[k]);
        const Vector high = hn::Sub(hn::Add(x, high_cut), high_cut);
        const Vector below = hn::Sub(x, high);
        const Vector low = hn::Sub(hn::Add(below, low_cut), low_cut);
        highs = hn::Add(highs, high);
        lows = hn::Add(lows, low);
        rests = hn::Max(rests, hn::Abs(hn::Sub(below, low)));
    }
    return {hn::GetLane(hn::SumOfLanes(tag, highs)), hn::GetLane(hn::SumOfLanes(tag, lows)),
            hn::AllTrue(tag, hn::Eq(rests, hn::Zero(tag)))};
}

/// The absolute value of the sum in digits of 32 bits.
using Magnitude = std::array<std::uint32_t, ExactSum::num_digits>;

Magnitude magnitude_of(const ExactSum::Limbs& canonical, bool negative) {
    Magnitude digits;
    std::uint64_t carry = negative ? 1 : 0;  // -a = ~a + 1
    for (std::size_t k = 0; k < digits.size(); ++k) {
        const auto digit = static_cast<std::uint32_t>(canonical[k]);
        const std::uint64_t sum = carry + (negative ? static_cast<std::uint32_t>(~digit) : digit);
        digits[k] = static_cast<std::uint32_t>(sum);
        carry = sum >> 32;
    }
    return digits;
}

/// Number of bits up to and including the highest one; 0 for zero.
unsigned bit_length(const Magnitude& digits) {
    for (std::size_t k = digits.size(); k-- > 0;)
        if (digits[k] != 0)
            return static_cast<unsigned>(32 * k) + static_cast<unsigned>(std::bit_width(digits[k]));
    return 0;
}

/// Bits [first, first + 64) as an integer.
std::uint64_t bits_from(const Magnitude& digits, unsigned first) {
    const auto digit = [&](std::size_t k) -> std::uint64_t { return k < digits.size() ? digits[k] : 0; };
    const std::size_t k = first / 32;
    const unsigned within = first % 32;
    const std::uint64_t low = digit(k) | (digit(k + 1) << 32);
    return within == 0 ? low : (low >> within) | (digit(k + 2) << (64 - within));
}

bool any_bit_below(const Magnitude& digits, unsigned end) {
    for (std::size_t k = 0; k < end / 32; ++k)
        if (digits[k] != 0) return true;
    return end % 32 != 0 && (digits[end / 32] & ((1u << (end % 32)) - 1)) != 0;
}

/// Rounds a number of units of 2^-1074 to the nearest double. An integer of 53 bits times 2^shift has the
/// bits shift 2^52 + mantissa; smaller numbers are their own bits. So rounding up carries into the exponent
/// by itself.
double rounded(const Magnitude& digits) {
    const unsigned length = bit_length(digits);
    if (length <= 53) return std::bit_cast<double>(bits_from(digits, 0));
    const unsigned shift = length - 53;
    std::uint64_t mantissa = bits_from(digits, shift) & ((std::uint64_t{1} << 53) - 1);
    const bool half = bits_from(digits, shift - 1) & 1;
    if (half && ((mantissa & 1) != 0 || any_bit_below(digits, shift - 1))) ++mantissa;
    const std::uint64_t bits = (std::uint64_t{shift} << 52) + mantissa;
    return shift > 2045 || bits >= std::bit_cast<std::uint64_t>(infinity) ? infinity
                                                                          : std::bit_cast<double>(bits);
}

}  // namespace

void ExactSum::add(std::span<const double> terms) {
    for (; terms.size() >= block_size; terms = terms.subspan(block_size))
        add_block(terms.first<block_size>());
    constexpr std::size_t few = 48;  // fewer terms than this are added one by one
    if (terms.size() < few) {
        for (const double x : terms) add(x);
        return;
    }
    std::array<double, block_size> filled_up{};
    std::copy(terms.begin(), terms.end(), filled_up.begin());
    add_block(filled_up);
}

void ExactSum::add_block(std::span<const double, block_size> terms) {
    if (const CutSum sum = cut_sum(terms); sum.is_exact) {
        add(sum.high);
        add(sum.low);
    } else {
        for (const double x : terms) add(x);
    }
}

void ExactSum::add_special(std::uint64_t bits) {
    const bool is_nan = (bits & 0x000fffffffffffffULL) != 0;
    const bool is_negative = (bits >> 63) != 0;
    ++limbs_[is_nan ? nan_count : is_negative ? minus_infinity_count : plus_infinity_count];
}

void ExactSum::normalize() {
    std::int64_t carry = 0;
    for (std::size_t k = 0; k + 1 < num_digits; ++k) {
        const std::int64_t sum = limbs_[k] + carry;
        limbs_[k] = sum & 0xffffffff;
        carry = sum >> 32;
    }
    limbs_[num_digits - 1] += carry;
    pending_ = 1;
}

void ExactSum::merge(const ExactSum& other) {
    const Limbs theirs = other.limbs();
    normalize();
    for (std::size_t k = 0; k < num_limbs; ++k) limbs_[k] += theirs[k];
    ++pending_;
}

ExactSum::Limbs ExactSum::limbs() const {
    ExactSum copy = *this;
    copy.normalize();
    return copy.limbs_;
}

ExactSum ExactSum::from_limbs(const Limbs& limbs) {
    ExactSum sum;
    sum.limbs_ = limbs;
    sum.normalize();
    return sum;
}

double ExactSum::value() const {
    const Limbs canonical = limbs();
    const bool plus = canonical[plus_infinity_count] != 0, minus = canonical[minus_infinity_count] != 0;
    if (canonical[nan_count] != 0 || (plus && minus)) return std::numeric_limits<double>::quiet_NaN();
    if (plus || minus) return plus ? infinity : -infinity;
    const bool negative = canonical[num_digits - 1] < 0;
    const double magnitude = rounded(magnitude_of(canonical, negative));
    return negative ? -magnitude : magnitude;
}

}  // namespace ricochet
