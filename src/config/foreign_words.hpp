// SPDX-License-Identifier: BSD-3-Clause
//
// Words that inputs of other programs have, and what stands for them here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ricochet::detail {

struct ForeignWord {
    std::string_view words;  ///< lower-case letters and digits, one blank between two words
    std::string_view
        path;  ///< of the key that stands for them, as in the table of keys; empty: there is none
    std::string_view remark;  ///< how that key differs, or what is there instead
};

/// All of them; each word once.
std::span<const ForeignWord> foreign_words();

/// ", did you mean x (remark)?" or "; there is ..." for a word of another program; empty for any other key. Case,
/// underscores, hyphens and blanks of the key do not count.
std::string translated_word(std::string_view key);

}  // namespace ricochet::detail
