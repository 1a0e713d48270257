// SPDX-License-Identifier: BSD-3-Clause
//
// From a text to a Config, and what follows from one. The steps of a parse are: the tree of the text, the
// overrides, the check against the table, which takes the values, and the rules.
#include "ricochet/config/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "config/config_check.hpp"
#include "model/size_distribution.hpp"

namespace ricochet {
namespace {

std::string sum_in_words(const Config& config, const std::vector<SpeciesIndex>& species) {
    std::vector<std::string> names;
    names.reserve(species.size());
    for (const SpeciesIndex s : species) names.push_back(s == wall_species ? "wall" : config.species[s].name);
    return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace

Config parse_config(const std::string& text, const std::string& name,
                    std::span<const std::string> overrides) {
    detail::Issues issues(name, overrides);
    detail::TreeNode root = detail::parse_yaml(text, 0, issues);
    issues.throw_if_any();
    detail::apply_overrides(root, overrides, issues);
    issues.throw_if_any();
    Config config;
    config.input_name = name;
    detail::take_tree(root, config, issues);
    detail::apply_rules(root, config, issues);
    issues.throw_if_any();
    config.box_size_place.text = issues.where(detail::find_path(root, "box.size")->place);
    config.timestep_place.text = issues.where(detail::find_path(root, "run.timestep")->place);
    return config;
}

Config load_config(const std::string& path, std::span<const std::string> overrides) {
    return parse_config(read_input_text(path), path, overrides);
}

double largest_radius(const Species& species) {
    return species.radius_distribution ? species.radius_distribution->maximum : species.radius;
}

bool has_changing_particles(const Config& config) {
    const auto& rules = config.contacts.pairs;
    return !config.decays.empty() || std::any_of(rules.begin(), rules.end(), [](const PairRule& rule) {
        return rule.react || rule.coalesce || rule.pass || rule.stick;
    });
}

bool has_tethers(const Config& config) {
    const auto& rules = config.contacts.pairs;
    return std::any_of(rules.begin(), rules.end(),
                       [](const PairRule& rule) { return rule.stick.has_value(); });
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

bool has_births(const Config& config) {
    return std::any_of(config.decays.begin(), config.decays.end(),
                       [](const DecayRule& rule) { return rule.products.size() == 2; });
}

namespace {

bool is_among(const std::vector<SpeciesIndex>& products, SpeciesIndex species) {
    return std::find(products.begin(), products.end(), species) != products.end();
}

/// Whether the rule makes such particles. Two products continue the partners, where these are: who is of the
/// product's species already only goes on. A single product is put at the centre of mass.
bool makes(const PairRule& rule, SpeciesIndex species) {
    if (rule.coalesce) return rule.a == species || rule.b == species;
    if (!rule.react) return false;
    const auto& products = rule.react->products;
    if (products.size() != 2) return is_among(products, species);
    return (products[0] == species && rule.a != species) || (products[1] == species && rule.b != species);
}

}  // namespace

bool is_product(const Config& config, SpeciesIndex species) {
    const auto& rules = config.contacts.pairs;
    const auto& decays = config.decays;
    return std::any_of(rules.begin(), rules.end(),
                       [&](const PairRule& rule) { return makes(rule, species); }) ||
           std::any_of(decays.begin(), decays.end(),
                       [&](const DecayRule& rule) { return is_among(rule.products, species); });
}

std::vector<std::string> names_of_rules(const Config& config) {
    std::vector<std::string> names;
    for (const PairRule& rule : config.contacts.pairs) {
        std::string name = sum_in_words(config, {rule.a, rule.b});
        if (rule.pass) name += " pass";
        if (rule.stick) name += " stick";
        if (rule.coalesce) name += " coalesce";
        if (rule.react) name += " -> " + sum_in_words(config, rule.react->products);
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<std::string> names_of_decays(const Config& config) {
    std::vector<std::string> names;
    for (const DecayRule& rule : config.decays)
        names.push_back(config.species[rule.from].name + " -> " + sum_in_words(config, rule.products));
    return names;
}

std::uint64_t num_particles(const Config& config) {
    std::uint64_t sum = 0;
    for (const Species& species : config.species) sum += species.count;
    return sum;
}

double volume_fraction(const Config& config) {
    double volume = 0;
    for (const Species& species : config.species)
        volume += static_cast<double>(species.count) * mean_content(species, config.box.dimension);
    return volume / config.box.volume();
}

std::string placement_path(const Config& config) {
    if (config.placement.method != PlacementMethod::file) return "";
    return (std::filesystem::path(config.input_name).parent_path() / config.placement.path).string();
}

bool never_bounces(const PairRule& rule) {
    if (rule.react) return rule.react->probability >= 1 && !rule.react->rate;
    return rule.pass || (rule.coalesce && !rule.coalesce->rate);
}

std::vector<PairRestitution> restitution_of_pairs(const Config& config) {
    std::map<std::pair<SpeciesIndex, SpeciesIndex>, double> rules;
    for (const PairRule& rule : config.contacts.pairs) {
        const double restitution = rule.restitution.value_or(1);
        const double other = rule.faces.empty() ? restitution : config.contacts.wall_restitution;
        double& least = rules.try_emplace(std::minmax(rule.a, rule.b), other).first->second;
        least = std::min(least, restitution);
    }
    const auto num_species = static_cast<SpeciesIndex>(config.species.size());
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) rules.try_emplace({a, b}, config.contacts.restitution);
        rules.try_emplace({a, wall_species}, config.contacts.wall_restitution);
    }
    std::vector<PairRestitution> all;
    all.reserve(rules.size());
    for (const auto& [pair, restitution] : rules) all.push_back({pair.first, pair.second, restitution});
    return all;
}

}  // namespace ricochet
