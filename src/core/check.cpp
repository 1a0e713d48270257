// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/check.hpp"

#include <stdexcept>

#include "core/text.hpp"

namespace ricochet::detail {
namespace {

/// "room/file.cpp", wherever the sources lay when they were compiled.
std::string_view short_name(std::string_view path) {
    const std::size_t name = path.rfind('/');
    if (name == std::string_view::npos || name == 0) return path;
    const std::size_t room = path.rfind('/', name - 1);
    return room == std::string_view::npos ? path : path.substr(room + 1);
}

std::string failure_at(const CheckedPlace& place) {
    return text_of(short_name(place.file), ":", place.line, ": check failed: ", place.expression);
}

}  // namespace

void fail_check(const CheckedPlace& place) { throw std::logic_error(failure_at(place)); }

void fail_check(const CheckedPlace& place, const std::string& first, const std::string& second) {
    throw std::logic_error(text_of(failure_at(place), " (", first, " against ", second, ")"));
}

std::string operand_text(double value) { return exact_text(value); }
std::string operand_text(std::int64_t value) { return std::to_string(value); }
std::string operand_text(std::uint64_t value) { return std::to_string(value); }
std::string operand_text(std::string_view value) { return text_of('"', excerpt(value), '"'); }

}  // namespace ricochet::detail
