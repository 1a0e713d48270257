// SPDX-License-Identifier: BSD-3-Clause
#include "config/sphere_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "config/config_check.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::detail {

namespace {

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t first = std::min(text.find_first_not_of(blank), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(blank) + 1);
}

/// The values between commas. An empty one at the end counts.
void take_apart(std::string_view line, std::vector<std::string_view>& values) {
    values.clear();
    for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
        values.push_back(without_blanks(line.substr(0, comma)));
        line.remove_prefix(comma + 1);
    }
    values.push_back(without_blanks(line));
}

class SphereTable {
  public:
    SphereTable(const std::string& name, int dimension) : name_(name), dimension_(dimension) {}

    std::vector<BodySphere> read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            ++line_;
            take_line(without_blanks(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (spheres_.empty())
            throw InputError(
                fmt::format("{}: got no spheres, expected a header x,y,z,radius and a line for each", name_));
        return std::move(spheres_);
    }

  private:
    static constexpr std::array<std::string_view, 4> column_names{"x", "y", "z", "radius"};

    void take_line(std::string_view line) {
        if (line.empty() || line.front() == '#') return;
        take_apart(line, values_);
        if (num_columns_ == 0) return read_header();
        if (values_.size() != num_columns_)
            fail(fmt::format("got {} values, expected {} as in the header", values_.size(), num_columns_));
        if (spheres_.size() >= static_cast<std::size_t>(most_spheres))
            fail(fmt::format("got more spheres, expected at most {:.0f}", most_spheres));
        BodySphere& sphere = spheres_.emplace_back();
        for (int axis = 0; axis < dimension_; ++axis)
            sphere.centre[axis] = value(static_cast<std::size_t>(axis));
        sphere.radius = value(3);
        if (!(sphere.radius > 0))
            fail(fmt::format("got the radius {}, expected a number > 0", sphere.radius));
    }

    void read_header() {
        num_columns_ = values_.size();
        for (std::size_t k = 0; k < column_names.size(); ++k) {
            if (k == 2 && dimension_ == 2) continue;
            const auto found = std::find(values_.begin(), values_.end(), column_names[k]);
            if (found == values_.end())
                fail(fmt::format("got no column {}, expected a first line that names {}", column_names[k],
                                 dimension_ == 2 ? "x, y and radius" : "x, y, z and radius"));
            place_[k] = static_cast<std::size_t>(found - values_.begin());
        }
    }

    double value(std::size_t column) const {
        const std::string_view text = values_[place_[column]];
        const std::optional<double> number = parse_number(text);
        if (!number || !has_good_magnitude(*number))
            fail(fmt::format("got \"{}\" for {}, expected a {}", excerpt(text), column_names[column],
                             is_not_finite(text) ? "finite number" : "number"));
        return *number;
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw InputError(fmt::format("{}:{}: {}", name_, line_, message));
    }

    const std::string& name_;
    int dimension_;
    int line_ = 0;
    std::size_t num_columns_ = 0;  ///< 0 before the header
    std::array<std::size_t, 4> place_{};
    std::vector<std::string_view> values_;  ///< of the present line
    std::vector<BodySphere> spheres_;
};

}  // namespace

std::vector<BodySphere> parse_sphere_table(std::string_view text, const std::string& name, int dimension) {
    return SphereTable(name, dimension).read(text);
}

std::string hash_of_spheres(const std::vector<BodySphere>& spheres) {
    return fmt::format("{:016x}", hash_values(std::span<const BodySphere>(spheres)));
}

}  // namespace ricochet::detail
