// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of preconditions: what a function expects of its caller. A check that fails shows a defect of the
// program, not bad input. It throws std::logic_error with the place, the expression and both values; the
// program then ends all ranks at once (src/app/main.cpp).
// The description of a function names them on a line of its own, "Requires: ...".
//
//     RICOCHET_CHECK_LT(rank, size());
//     parallel/cuts.cpp:42: check failed: rank < size() (4 against 3)
//
// There are two levels. RICOCHET_CHECK... is always on: for what is done once per step, message or file, not
// once per particle. RICOCHET_DCHECK... is for inner loops and for checks that cost more than the work. It is
// compiled everywhere, but evaluated only in debug builds and under sanitizers.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Set for the whole build (src/cmake/BuildSettings.cmake), also for projects that use the library.
#ifndef RICOCHET_HEAVY_CHECKS
#define RICOCHET_HEAVY_CHECKS 0
#endif

namespace ricochet::detail {

struct CheckedPlace {
    const char* file;
    int line;
    const char* expression;
};

[[noreturn]] void fail_check(const CheckedPlace& place);
[[noreturn]] void fail_check(const CheckedPlace& place, const std::string& first, const std::string& second);

std::string operand_text(double value);
std::string operand_text(std::int64_t value);
std::string operand_text(std::uint64_t value);
std::string operand_text(std::string_view value);

template <class Operand>
std::string text_of_operand(const Operand& value) {
    if constexpr (std::is_enum_v<Operand>)
        return text_of_operand(static_cast<std::underlying_type_t<Operand>>(value));
    else if constexpr (std::is_floating_point_v<Operand>)
        return operand_text(static_cast<double>(value));
    else if constexpr (std::is_integral_v<Operand> && std::is_signed_v<Operand>)
        return operand_text(static_cast<std::int64_t>(value));
    else if constexpr (std::is_integral_v<Operand>)
        return operand_text(static_cast<std::uint64_t>(value));
    else
        return operand_text(std::string_view(value));
}

template <class Operand>
inline constexpr bool is_number =
    std::is_integral_v<Operand> && !std::is_same_v<Operand, bool> && !std::is_same_v<Operand, char>;

/// By value, also for integers of different signs; unordered for NaN.
template <class First, class Second>
constexpr std::partial_ordering order_of(const First& a, const Second& b) {
    if constexpr (is_number<First> && is_number<Second>) {
        if (std::cmp_less(a, b)) return std::partial_ordering::less;
        return std::cmp_equal(a, b) ? std::partial_ordering::equivalent : std::partial_ordering::greater;
    } else {
        if (a < b) return std::partial_ordering::less;
        if (a == b) return std::partial_ordering::equivalent;
        return a > b ? std::partial_ordering::greater : std::partial_ordering::unordered;
    }
}

/// Apart from the check, so that the check itself takes few instructions.
template <class First, class Second>
[[noreturn, gnu::cold, gnu::noinline]] void fail_comparison(const CheckedPlace& place, const First& a,
                                                            const Second& b) {
    fail_check(place, text_of_operand(a), text_of_operand(b));
}

constexpr bool has_heavy_checks = RICOCHET_HEAVY_CHECKS != 0;

}  // namespace ricochet::detail

// Evaluates each operand once.
#define RICOCHET_CHECK(condition)                                             \
    do {                                                                      \
        if (!(condition)) [[unlikely]]                                        \
            ::ricochet::detail::fail_check({__FILE__, __LINE__, #condition}); \
    } while (false)

#define RICOCHET_CHECK_ORDER(first, holds, sign, second)                                           \
    do {                                                                                           \
        const auto& first_operand = (first);                                                       \
        const auto& second_operand = (second);                                                     \
        if (!(holds)(::ricochet::detail::order_of(first_operand, second_operand))) [[unlikely]]    \
            ::ricochet::detail::fail_comparison({__FILE__, __LINE__, #first " " sign " " #second}, \
                                                first_operand, second_operand);                    \
    } while (false)

#define RICOCHET_CHECK_EQ(first, second) RICOCHET_CHECK_ORDER(first, std::is_eq, "==", second)
#define RICOCHET_CHECK_NE(first, second) RICOCHET_CHECK_ORDER(first, std::is_neq, "!=", second)
#define RICOCHET_CHECK_LT(first, second) RICOCHET_CHECK_ORDER(first, std::is_lt, "<", second)
#define RICOCHET_CHECK_LE(first, second) RICOCHET_CHECK_ORDER(first, std::is_lteq, "<=", second)
#define RICOCHET_CHECK_GT(first, second) RICOCHET_CHECK_ORDER(first, std::is_gt, ">", second)
#define RICOCHET_CHECK_GE(first, second) RICOCHET_CHECK_ORDER(first, std::is_gteq, ">=", second)

#define RICOCHET_IN_HEAVY_BUILDS(check)                       \
    do {                                                      \
        if constexpr (::ricochet::detail::has_heavy_checks) { \
            check;                                            \
        }                                                     \
    } while (false)

#define RICOCHET_DCHECK(condition) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK(condition))
#define RICOCHET_DCHECK_EQ(first, second) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK_EQ(first, second))
#define RICOCHET_DCHECK_NE(first, second) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK_NE(first, second))
#define RICOCHET_DCHECK_LT(first, second) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK_LT(first, second))
#define RICOCHET_DCHECK_LE(first, second) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK_LE(first, second))
#define RICOCHET_DCHECK_GT(first, second) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK_GT(first, second))
#define RICOCHET_DCHECK_GE(first, second) RICOCHET_IN_HEAVY_BUILDS(RICOCHET_CHECK_GE(first, second))
