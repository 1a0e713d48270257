// SPDX-License-Identifier: BSD-3-Clause
#include "config/foreign_words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "config/config_table.hpp"

namespace ricochet::detail {
namespace {

TEST(ForeignWords, NameKeysThatThereAre) {
    for (const ForeignWord& row : foreign_words()) {
        if (row.path.empty()) {
            EXPECT_TRUE(row.remark.starts_with("there is no ") || row.remark.starts_with("there are no "))
                << row.words;
        } else {
            EXPECT_NE(find_option(row.path), nullptr) << row.path;
        }
    }
}

TEST(ForeignWords, StandOnceEach) {
    std::set<std::string> all;
    for (const ForeignWord& row : foreign_words()) {
        std::istringstream words{std::string(row.words)};
        for (std::string word; words >> word;) {
            EXPECT_TRUE(all.insert(word).second) << word;
            EXPECT_NE(translated_word(word), "") << word;
        }
    }
    EXPECT_GE(all.size(), 100u);
}

/// The path before the last dot is a section or a key, and what is named is a key.
TEST(ForeignWords, OfASectionNameKeysThatThereAre) {
    for (const ForeignWord& row : foreign_words_of_sections()) {
        EXPECT_TRUE(row.path.empty() || find_option(row.path) != nullptr) << row.path;
        std::istringstream words{std::string(row.words)};
        for (std::string word; words >> word;) {
            std::string path = word.substr(0, word.rfind('.'));
            EXPECT_NE(translated_word_in(path, word.substr(word.rfind('.') + 1)), "") << word;
            if (path.ends_with("[]")) path.resize(path.size() - 2);
            EXPECT_NE(find_option(path), nullptr) << word;
        }
    }
    EXPECT_EQ(translated_word_in("box", "L"), ", did you mean box.size (a list of edges)?");
    EXPECT_EQ(translated_word_in("run", "L"), "");
}

TEST(ForeignWords, MayBeWrittenInAnyWay) {
    const std::string radius = ", did you mean species[].radius (half of the diameter)?";
    for (const char* key : {"diameter", "Diameter", "DIA_METER", "dia-meter"})
        EXPECT_EQ(translated_word(key), radius);
    for (const char* key : {"", "_", "radius", "diamet", "diameter temp"})
        EXPECT_EQ(translated_word(key), "") << key;
}

}  // namespace
}  // namespace ricochet::detail
