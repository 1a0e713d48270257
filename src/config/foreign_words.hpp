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

/// Those that mean the same in any section; each word once.
std::span<const ForeignWord> foreign_words();
/// Those that mean something in one section, or as the value of one key. Each begins with that path, as in the table of
/// keys, and a dot.
std::span<const ForeignWord> foreign_words_of_sections();

/// ", did you mean x (remark)?" or "; there is ..." for a word of another program; empty for any other key. Case,
/// underscores, hyphens and blanks of the key do not count.
std::string translated_word(std::string_view key);
/// The same for a key in this section, or a value of this key.
std::string translated_word_in(std::string_view path, std::string_view word);

}  // namespace ricochet::detail
