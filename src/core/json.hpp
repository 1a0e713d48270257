// SPDX-License-Identifier: BSD-3-Clause
//
// Writes JSON.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// A JSON value: a scalar, or an object or a list of values in the order in which they were added. An empty one is the
/// empty object.
class Json {
  public:
    Json() = default;
    Json(std::string_view text);
    Json(const std::string& text) : Json(std::string_view(text)) {}
    Json(const char* text) : Json(std::string_view(text)) {}
    Json(bool value) : scalar_(value ? "true" : "false") {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) Json(Integer number) : scalar_(std::to_string(number)) {}
    /// With as many digits as tell it from all others; null where it is not finite, which JSON cannot say.
    Json(double number);
    Json(std::initializer_list<std::pair<std::string_view, Json>> members) {
        for (const auto& [name, value] : members) (*this)[name] = value;
    }
    /// A scalar that is JSON already.
    static Json literal(std::string_view text);
    static Json list(std::initializer_list<Json> items = {});

    /// The member of an object, created where it is missing.
    Json& operator[](std::string_view name);
    /// Makes a list of an empty value.
    void add(Json item);

    /// Without a line's end after it. Lists of scalars are in one line.
    std::string text(std::size_t indent = 0) const;

  private:
    std::string scalar_;
    std::vector<std::pair<std::string, Json>> members_;
    bool is_list_ = false;
};

}  // namespace ricochet
