// SPDX-License-Identifier: BSD-3-Clause
#include "core/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace ricochet {
namespace {

TEST(JsonText, OfScalars) {
    EXPECT_EQ(Json("word").text(), "\"word\"");
    EXPECT_EQ(Json(std::string("a \"b\"\\\n\x01")).text(), "\"a \\\"b\\\"\\\\\\u000a\\u0001\"");
    EXPECT_EQ(Json("").text(), "\"\"");
    EXPECT_EQ(Json(true).text(), "true");
    EXPECT_EQ(Json(-3).text(), "-3");
    EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
    EXPECT_EQ(Json(0.1).text(), "0.1");
    EXPECT_EQ(Json(1.0 / 3).text(), "0.3333333333333333");
    EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).text(), "null");
    EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).text(), "null");
    EXPECT_EQ(Json::literal("1e3").text(), "1e3");
}

TEST(JsonText, OfObjectsAndLists) {
    EXPECT_EQ(Json().text(), "{}");
    EXPECT_EQ(Json::list().text(), "[]");
    EXPECT_EQ(Json::list({1, "two", 3.5}).text(), "[1, \"two\", 3.5]");
    Json json{{"z", 1}, {"a", Json::list({Json{{"x", 1}}, Json{{"y", Json::list()}}})}};
    json["z"] = 2;
    json["inner"]["deep"] = false;
    EXPECT_EQ(json.text(),
              "{\n"
              "  \"z\": 2,\n"
              "  \"a\": [\n"
              "    {\n"
              "      \"x\": 1\n"
              "    },\n"
              "    {\n"
              "      \"y\": []\n"
              "    }\n"
              "  ],\n"
              "  \"inner\": {\n"
              "    \"deep\": false\n"
              "  }\n"
              "}");
}

}  // namespace
}  // namespace ricochet
