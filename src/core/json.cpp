// SPDX-License-Identifier: BSD-3-Clause
#include "core/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ricochet {
namespace {

/// With the escapes that JSON asks for: quotes, backslashes and what is below a blank.
std::string quoted(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') result += '\\';
        if (code >= ' ') {
            result += c;
        } else {
            result += "\\u00";
            result += digits[code / 16];
            result += digits[code % 16];
        }
    }
    return result + '"';
}

}  // namespace

Json::Json(std::string_view text) : scalar_(quoted(text)) {}

Json::Json(double number) : scalar_("null") {
    if (!std::isfinite(number)) return;
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    scalar_.assign(digits.data(), end);
}

Json Json::literal(std::string_view text) {
    Json json;
    json.scalar_ = text;
    return json;
}

Json Json::list(std::initializer_list<Json> items) {
    Json json;
    json.is_list_ = true;
    for (const Json& item : items) json.add(item);
    return json;
}

Json& Json::operator[](std::string_view name) {
    const auto found = std::find_if(members_.begin(), members_.end(),
                                    [&](const auto& member) { return member.first == name; });
    if (found != members_.end()) return found->second;
    return members_.emplace_back(std::string(name), Json()).second;
}

void Json::add(Json item) {
    is_list_ = true;
    members_.emplace_back("", std::move(item));
}

std::string Json::text(std::size_t indent) const {
    if (!scalar_.empty()) return scalar_;
    if (members_.empty()) return is_list_ ? "[]" : "{}";
    const bool is_short = is_list_ && !members_.front().second.scalar_.empty();
    const std::string end = is_short ? "" : '\n' + std::string(indent, ' ');
    std::string items;
    for (const auto& [name, value] : members_) {
        if (!items.empty()) items += ',';
        if (!is_short) items += end + "  ";
        if (is_short && !items.empty()) items += ' ';
        if (!is_list_) items += quoted(name) + ": ";
        items += value.text(indent + 2);
    }
    return (is_list_ ? '[' : '{') + items + end + (is_list_ ? ']' : '}');
}

}  // namespace ricochet
