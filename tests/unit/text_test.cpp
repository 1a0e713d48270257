// SPDX-License-Identifier: BSD-3-Clause
#include "core/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

TEST(Text, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(excerpt("a\nb\r\tc"), "a\\nb\\r\\tc");
    EXPECT_EQ(excerpt("\x1b[2J"), "\\x1b[2J");
    EXPECT_EQ(excerpt(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
    EXPECT_EQ(excerpt("\xc2\x9b"
                      "31m"),
              "\\xc2\\x9b31m");  // a control character of two bytes
}

TEST(Text, KeepsCharactersAndShowsBrokenOnes) {
    EXPECT_EQ(excerpt("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x99\x82"),
              "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x99\x82");
    EXPECT_EQ(excerpt("\xe2\x82"), "\\xe2\\x82");
    EXPECT_EQ(excerpt("\xff"
                      "a\x80"),
              "\\xffa\\x80");
}

TEST(Text, FindsBytesThatAreNotUtf8) {
    EXPECT_EQ(find_broken_byte(""), std::string_view::npos);
    EXPECT_EQ(find_broken_byte("5 \u00b5m, \t10 \u20ac \U0001d400\n"), std::string_view::npos);
    EXPECT_EQ(find_broken_byte("5 \xb5m"), 2u);
    EXPECT_EQ(find_broken_byte("\u00b5\xe2\x82"), 2u);
    EXPECT_EQ(find_broken_byte(std::string_view("\xff\xfe"
                                                "a\0",
                                                4)),
              0u);
}

TEST(Text, CutsExcerptsBetweenCharacters) {
    EXPECT_EQ(excerpt(std::string(200, 'a')), std::string(200, 'a'));
    EXPECT_EQ(excerpt(std::string(201, 'a')), std::string(200, 'a') + "...");
    EXPECT_EQ(excerpt(std::string(199, 'a') + "\xc3\xaf"), std::string(199, 'a') + "...");
}

TEST(Text, KeepsTheLinesOfMessages) {
    EXPECT_EQ(as_message("a\nb\x1b\n"), "a\nb\\x1b\n");
    EXPECT_EQ(without_controls(std::string(5000, 'a') + "\n\a"), std::string(5000, 'a') + "\n\\x07");
}

TEST(Text, LeavesOutTheMiddleOfLongLines) {
    const std::string message = as_message("short\n" + std::string(1'000'000, 'a') + ", expected b\nshort");
    EXPECT_TRUE(message.starts_with("short\naaa"));
    EXPECT_TRUE(message.ends_with("a, expected b\nshort"));
    EXPECT_LT(message.size(), 1000u);
}

}  // namespace
}  // namespace ricochet
