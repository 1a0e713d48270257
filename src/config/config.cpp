// SPDX-License-Identifier: BSD-3-Clause
//
// From a text to a Config, and what follows from one. The steps of a parse are: the tree of the text, the
// overrides, the check against the table, which takes the values, and the rules.
#include "ricochet/config/config.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "config/config_check.hpp"
#include "core/text.hpp"
#include "model/size_distribution.hpp"

namespace ricochet {
namespace {

void require_utf8(std::string_view text, std::size_t source, detail::Issues& issues) {
    const std::size_t at = find_broken_byte(text);
    if (at == std::string_view::npos) return;
    const std::string_view before = text.substr(0, at);
    const std::size_t line_begin = before.rfind('\n') + 1;  // 0 in the first line
    issues.add({source, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                1 + static_cast<int>(at - line_begin)},
               "got the byte " + excerpt(text.substr(at, 1)) +
                   ", expected text in UTF-8; iconv -f LATIN1 -t UTF-8 converts the usual other one");
}

std::string beside_input(const Config& config, const std::string& path) {
    return (std::filesystem::path(config.input_name).parent_path() / path).string();
}

}  // namespace

Config parse_config(const std::string& text, const std::string& name, std::span<const std::string> overrides,
                    const FileReader& read) {
    detail::Issues issues(name, overrides);
    require_utf8(text, 0, issues);
    for (std::size_t k = 0; k < overrides.size(); ++k) require_utf8(overrides[k], k + 1, issues);
    issues.throw_if_any();
    detail::TreeNode root = detail::parse_yaml(text, 0, issues);
    issues.throw_if_any();
    detail::apply_overrides(root, overrides, issues);
    issues.throw_if_any();
    Config config;
    config.input_name = name;
    detail::take_tree(root, config, issues);
    detail::apply_rules(root, config, issues, read);
    issues.throw_if_any();
    config.box_size_place.text = issues.where(detail::find_path(root, "box.size")->place);
    config.timestep_place.text = issues.where(detail::find_path(root, "run.timestep")->place);
    return config;
}

Config load_config(const std::string& path, std::span<const std::string> overrides) {
    return parse_config(read_input_text(path), path, overrides, read_sphere_text);
}

std::optional<std::uint64_t> steps_per_direction(const Config& config) {
    constexpr double precision = 1e-9, most = 1e15;
    if (!config.dynamics.drive) return std::nullopt;
    const double steps = config.dynamics.drive->redirect_every / config.run.timestep;
    const double whole = std::nearbyint(steps);
    if (!(whole >= 1 && whole <= most) || std::abs(steps - whole) > precision * whole) return std::nullopt;
    return static_cast<std::uint64_t>(whole);
}

Kicks kicks_of(const Config& config) {
    Kicks kicks{.interval = config.run.timestep, .seed = config.run.seed};
    if (!config.dynamics.drive) return kicks;
    kicks.least_acceleration = config.dynamics.drive->least_acceleration;
    kicks.most_acceleration = config.dynamics.drive->most_acceleration;
    return kicks;
}

bool has_fields(const Config& config) {
    return config.fields || std::any_of(config.species.begin(), config.species.end(),
                                        [](const Species& species) { return species.force.has_value(); });
}

std::vector<Vec3> drifts_of_species(const Config& config) {
    const Vec3 of_all = config.fields ? config.fields->drift.value_or(Vec3{}) : Vec3{};
    std::vector<Vec3> drifts;
    for (const Species& species : config.species) {
        const double mobility = typical_diffusion(species) / config.dynamics.kT;
        drifts.push_back(species.force ? mobility * *species.force : of_all);
    }
    return drifts;
}

Vec3 common_drift(const Config& config) {
    if (config.fields) return config.fields->drift.value_or(Vec3{});
    Vec3 sum;
    std::uint32_t frozen = 0;
    for (const Vec3& drift : drifts_of_species(config)) sum = sum + drift;
    for (const Species& species : config.species) frozen |= species.frozen_axes;
    return without_axes((1 / static_cast<double>(config.species.size())) * sum, frozen);
}

Vec3 field_acceleration(const Config& config) {
    if (config.fields && config.fields->gravity) return *config.fields->gravity;
    return has_fields(config) ? (2 / config.run.timestep) * common_drift(config) : Vec3{};
}

Kicks kicks_with_fields(const Config& config) {
    Kicks kicks = kicks_of(config);
    const double of_field = norm(field_acceleration(config));
    kicks.least_acceleration += of_field;
    kicks.most_acceleration += of_field;
    return kicks;
}

WallMotion wall_motion(const WallOptions& wall) {
    WallMotion motion{.velocity = wall.velocity};
    if (wall.vibrating) {
        motion.amplitude = wall.vibrating->amplitude;
        motion.frequency = wall.vibrating->frequency;
        motion.phase = wall.vibrating->phase;
    }
    return motion;
}

bool has_all_bodies(const Config& config) {
    return std::none_of(config.bodies.begin(), config.bodies.end(), [](const BodyOptions& body) {
        return body.spheres && body.spheres->spheres.empty();
    });
}

std::string body_file_path(const Config& config, const SphereListOptions& of) {
    return of.file ? beside_input(config, *of.file) : "";
}

std::string placement_path(const Config& config) {
    return config.placement.method == PlacementMethod::file ? beside_input(config, config.placement.path)
                                                            : "";
}

bool never_bounces(const PairRule& rule) {
    if (rule.react) return rule.react->probability >= 1 && !rule.react->rate;
    return rule.pass || rule.thermal || (rule.coalesce && !rule.coalesce->rate);
}

}  // namespace ricochet
