// SPDX-License-Identifier: BSD-3-Clause
//
// Words of an input that stand for enumerators.
#pragma once

#include <string_view>

namespace ricochet {

/// A word of an input, its enumerator, and its meaning for the reference. Every enumeration of an input has a
/// function words_of beside it, in the order of the reference.
struct Word {
    template <class Enum>
    constexpr Word(std::string_view text, Enum enumerator, std::string_view meaning = {})
        : word(text), value(static_cast<int>(enumerator)), help(meaning) {}

    std::string_view word;
    int value;
    std::string_view help;  ///< may be empty
};

/// The word of an input for a value: "fcc", "equal_speed", ...
template <class Enum>
constexpr std::string_view to_word(Enum value) {
    for (const Word& candidate : words_of(value))
        if (candidate.value == static_cast<int>(value)) return candidate.word;
    return {};
}

}  // namespace ricochet
