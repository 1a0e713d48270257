// SPDX-License-Identifier: BSD-3-Clause
#include "config/checked_input.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ricochet::detail {

std::optional<SpeciesIndex> CheckedInput::index_of(const TreeNode& name) const {
    for (std::size_t k = 0; k < config_.species.size(); ++k)
        if (config_.species[k].name == name.text) return static_cast<SpeciesIndex>(k);
    return std::nullopt;
}

/// BODY or BODY.PATCH.
std::optional<CheckedInput::Partner> CheckedInput::body_named(const TreeNode& name) const {
    const std::string_view text = name.text;
    const std::size_t dot = text.find('.');
    for (std::uint32_t k = 0; k < config_.bodies.size(); ++k) {
        const BodyOptions& body = config_.bodies[k];
        if (body.name == text) return Partner{wall_species, k};
        if (dot == std::string_view::npos || body.name != text.substr(0, dot)) continue;
        for (std::uint32_t p = 0; p < body.patches.size(); ++p)
            if (body.patches[p].name == text.substr(dot + 1)) return Partner{wall_species, k, p};
    }
    return std::nullopt;
}

void CheckedInput::refuse_name(const TreeNode& name, const std::string& path, std::string_view or_else) {
    constexpr std::size_t most_compared = 1000;
    std::vector<std::string> all;
    for (const Species& species : config_.species) all.push_back(species.name);
    if (!or_else.empty()) all.emplace_back(wall_name);
    for (const BodyOptions& body : config_.bodies) {
        if (all.size() >= most_compared || or_else.empty()) break;
        all.push_back(body.name);
        for (const PatchOptions& patch : body.patches) all.push_back(body.name + "." + patch.name);
    }
    const std::vector<std::string_view> names(all.begin(), all.end());
    issues_.add(name.place, fmt::format("{}: got {}, expected the name of a species{}{}", path,
                                        describe(name), or_else, did_you_mean(name.text, names)));
}

std::optional<SpeciesIndex> CheckedInput::species_named(const TreeNode& name, const std::string& path) {
    const auto index = index_of(name);
    if (!index) refuse_name(name, path, "");
    return index;
}

std::optional<SpeciesIndex> CheckedInput::product_named(const TreeNode& name, SpeciesIndex parent,
                                                        const std::string& path) {
    const auto product = species_named(name, path);
    if (product && *product != parent && config_.species[*product].radius_distribution)
        issues_.add(name.place,
                    fmt::format("{}: got {}, whose radii are drawn from a distribution, expected a "
                                "species with one radius, or the one that the partner has already",
                                path, describe(name)));
    return product;
}

std::optional<CheckedInput::Partner> CheckedInput::partner_named(const TreeNode& name,
                                                                 const std::string& path, bool may_be_body) {
    if (name.text == wall_name) return Partner{wall_species, std::nullopt};
    if (const auto index = index_of(name)) return Partner{*index, std::nullopt};
    const auto body = body_named(name);
    if (body && may_be_body) return body;
    if (body)
        issues_.add(name.place,
                    fmt::format("{}: got {}, a body, expected the name of a species, or wall, which "
                                "stands for walls and bodies alike",
                                path, describe(name)));
    else
        refuse_name(name, path, may_be_body ? ", wall or body" : " or wall");
    return std::nullopt;
}

std::optional<NamedPair> CheckedInput::pair_named(const TreeNode& names, const std::string& path,
                                                  bool may_be_body) {
    const TreeNode &first = names.children[0], &second = names.children[1];
    const auto a = partner_named(first, path, may_be_body), b = partner_named(second, path, may_be_body);
    if (!a || !b) return std::nullopt;
    if (a->species != wall_species || b->species != wall_species)
        return NamedPair{a->species, b->species, a->body ? a->body : b->body, a->body ? a->patch : b->patch};
    const std::string got =
        first.text == second.text ? first.text + " twice" : first.text + " and " + second.text;
    issues_.add(names.place, fmt::format("{}: got {}, expected at least one species", path, got));
    return std::nullopt;
}

}  // namespace ricochet::detail
