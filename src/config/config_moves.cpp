// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of species[].moves: contacts that cannot happen, rates without a known formula, and velocities of what is
// set free.
#include <fmt/format.h>

#include <array>
#include <set>
#include <string>

#include "config/checked_input.hpp"
#include "model/world_facts.hpp"

namespace ricochet::detail {

namespace {

class Moves : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        bool are_all_known = has("box.size");
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.moves", k);
            are_all_known = are_all_known && (has(path) || !is_given(path));
            if (has(path)) check_axes(k, path);
            if (has(path)) check_beside_bodies(static_cast<SpeciesIndex>(k), path);
        }
        if (!are_all_known || !has_frozen_axes(world_of(config_))) return;
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const std::string path = fmt::format("contacts.pairs.{}", k);
            if (!has(path + ".between")) continue;
            const PairRule& rule = config_.contacts.pairs[k];
            if (rule.b == wall_species)
                check_at_wall(rule, path);
            else
                check_pair(rule, path);
        }
        for (std::size_t k = 0; k < config_.decays.size(); ++k) check_decay(k);
    }

  private:
    /// Takes the third axis from what moves in two dimensions; what rests, rests along all.
    void check_axes(std::size_t species, const std::string& path) {
        std::set<std::string> seen;
        for (const TreeNode& item : items(path)) {
            if (!seen.insert(item.text).second)
                issues_.add(item.place,
                            fmt::format("{}: got {} twice, expected each axis once", path, item.text));
            if (has("box.size") && config_.box.dimension == 2 && item.text == "z")
                issues_.add(item.place,
                            fmt::format("{}: got z, expected x or y in a box of 2 dimensions", path));
        }
        std::uint32_t& frozen = config_.species[species].frozen_axes;
        if (has("box.size") && config_.box.dimension == 2 && frozen != all_axes) frozen &= 3;
    }

    /// Bounces off round surfaces are written for free particles.
    void check_beside_bodies(SpeciesIndex s, const std::string& path) {
        if (is_partly_frozen(s) && !config_.bodies.empty())
            report(path,
                   "got some axes in an input with bodies, expected all axes, or none (what moves along "
                   "some axes does not meet bodies)");
    }

    bool rests(SpeciesIndex s) const { return config_.species[s].frozen_axes == all_axes; }
    bool is_partly_frozen(SpeciesIndex s) const { return config_.species[s].frozen_axes != 0 && !rests(s); }
    const std::string& name_of(SpeciesIndex s) const { return config_.species[s].name; }

    void check_pair(const PairRule& rule, const std::string& path) {
        if (rests(rule.a) && rests(rule.b) && !rule.pass)
            return report(
                path + ".between",
                fmt::format("got {} and {}, which rest (species.moves: []), expected a species that moves "
                            "(two that rest never meet)",
                            name_of(rule.a), name_of(rule.b)));
        if (config_.dynamics.type == DynamicsType::brownian && (rule.react || rule.coalesce || rule.stick))
            check_rate(rule, path);
        if (rule.react && has(path + ".react.to")) {
            const auto& products = rule.react->products;
            if (products.size() == 1) {
                check_release(path, rule.a, products[0]);
                check_release(path, rule.b, products[0]);
            }
            if (products.size() == 2) {
                check_release(path, rule.a, products[0]);
                check_release(path, rule.b, products[1]);
            }
        }
        if (rule.coalesce) {
            check_release(path, rule.a, rule.b);
            check_release(path, rule.b, rule.a);
        }
    }

    /// Relative diffusion is then different along different axes, and no formula for the rate is known.
    void check_rate(const PairRule& rule, const std::string& path) {
        for (const SpeciesIndex s : {rule.a, rule.b}) {
            if (!is_partly_frozen(s)) continue;
            return report(
                path + ".between",
                fmt::format("got {}, which moves along {} only, expected species that move along all axes, "
                            "or rest (rates where diffusion depends on the direction are not known)",
                            name_of(s), axes_in_words(config_.box, config_.species[s])));
        }
    }

    void check_at_wall(const PairRule& rule, const std::string& path) {
        if (rule.body && rests(rule.a))
            return report(
                path + ".between",
                fmt::format("got {} with a body, which rests (species.moves: []), expected a species "
                            "that moves",
                            name_of(rule.a)));
        if (!rule.body && !may_meet_wall(rule))
            report(path + ".between",
                   fmt::format(
                       "got {} with wall, which moves along {}, expected a species that moves towards these "
                       "walls (it never meets them)",
                       name_of(rule.a), axes_in_words(config_.box, config_.species[rule.a])));
        if (rule.react && has(path + ".react.to") && rule.react->products.size() == 1)
            check_release(path, rule.a, rule.react->products[0]);
    }

    bool may_meet_wall(const PairRule& rule) const {
        const std::uint32_t frozen = config_.species[rule.a].frozen_axes;
        const auto moves_along = [frozen](int axis) { return (frozen >> axis & 1) == 0; };
        for (const WallFace face : rule.faces)
            if (moves_along(static_cast<int>(face) / 2)) return true;
        for (int axis = 0; axis < config_.box.dimension && rule.faces.empty(); ++axis)
            if (config_.box.has_walls(axis) && moves_along(axis)) return true;
        return false;
    }

    void check_decay(std::size_t k) {
        const std::string path = fmt::format("decays.{}", k);
        if (!has(path + ".from") || !has(path + ".to")) return;
        const DecayRule& rule = config_.decays[k];
        for (const SpeciesIndex product : rule.products) check_release(path, rule.from, product);
    }

    /// What a rule sets free gets a velocity at kT.
    void check_release(const std::string& path, SpeciesIndex before, SpeciesIndex product) {
        const std::uint32_t released =
            config_.species[before].frozen_axes & ~config_.species[product].frozen_axes;
        if (released == 0 || !has("dynamics.type") || is_given("dynamics.kT")) return;
        report(path, fmt::format(
                         "sets {} free, whose velocity is then drawn at kT, expected dynamics.kT (k_B times "
                         "the temperature)",
                         name_of(product)));
    }
};

}  // namespace

void apply_moves(const TreeNode& root, Config& config, Issues& issues) {
    Moves(root, config, issues).apply();
}

}  // namespace ricochet::detail
