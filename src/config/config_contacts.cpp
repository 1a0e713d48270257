// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of contacts.pairs: names become species, and rules that no particle could follow are refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/world_facts.hpp"

#include "config/checked_input.hpp"

namespace ricochet::detail {

namespace {

constexpr std::array<std::string_view, 5> outcomes{"react", "coalesce", "pass", "stick", "thermal"};

class ContactPairs : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const std::string path = fmt::format("contacts.pairs.{}", k);
            if (!has(path)) continue;
            PairRule& rule = config_.contacts.pairs[k];
            check_outcomes(path);
            complete_between(rule, path + ".between");
        }
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const std::string path = fmt::format("contacts.pairs.{}", k);
            if (has(path)) complete_restitution(config_.contacts.pairs[k], path);
        }
        refuse_growth();
    }

  private:
    using Pair = std::pair<SpeciesIndex, SpeciesIndex>;

    /// A rule says what happens, and only one thing.
    void check_outcomes(const std::string& path) {
        std::vector<std::string_view> given;
        for (const std::string_view key : outcomes)
            if (is_given(fmt::format("{}.{}", path, key))) given.push_back(key);
        if (given.empty() && !is_given(path + ".restitution"))
            report(path,
                   fmt::format("missing, expected restitution or one of {}", fmt::join(outcomes, ", ")));
        for (std::size_t k = 1; k < given.size(); ++k)
            report(fmt::format("{}.{}", path, given[k]),
                   fmt::format("got {} too, expected only one of {}", given[0], fmt::join(outcomes, ", ")));
    }

    void complete_between(PairRule& rule, const std::string& path) {
        if (!has(path)) return;
        const auto named = pair_named(*find(path), path, true);
        if (!named) return;
        const std::size_t num_issues = issues_.size();
        const Pair ordered = std::minmax(named->a, named->b);
        const bool is_as_named = (rule.react || rule.stick) && ordered.second != wall_species;
        std::tie(rule.a, rule.b) = is_as_named ? Pair{named->a, named->b} : ordered;
        rule.body = named->body;
        rule.patch = named->patch;
        const std::string above = path.substr(0, path.rfind('.'));
        check_faces(rule, above + ".faces");
        if (const auto line = line_of_earlier(rule, ordered, find(path)->place.line))
            report(path, fmt::format("got a pair that has a rule already, first in line {}", *line));
        if (rule.b == wall_species) refuse_at_walls(rule, above);
        if (rule.b != wall_species && rule.pass) refuse_chance_of_passing(above + ".pass");
        if (rule.b != wall_species && rule.thermal)
            report(above + ".thermal",
                   "got thermal for two species, expected a species and wall or a body (particles have no "
                   "temperature of their own)");
        if (rule.react) complete_products(rule, above + ".react.to");
        if (rule.stick && rule.b != wall_species) {
            check_valence(rule, above + ".stick.valence");
            check_room(rule, above + ".stick.length");
        }
        if (rule.b == wall_species && !rule.body && issues_.size() == num_issues) require_walls(above);
    }

    /// A particle must not be held by two images of one partner. The search takes every tether to reach as far from its
    /// particle as the longest one that the species forms. So two of the wider species need room too.
    void check_room(const PairRule& rule, const std::string& path) {
        if (!has(path) || !has("box.size")) return;
        const double of_a = largest_radius(config_.species[rule.a]);
        const double of_b = largest_radius(config_.species[rule.b]);
        const double widest = rule.stick->length * std::max(of_a, of_b);
        const double other = rule.stick->length * std::min(of_a, of_b);
        const bool are_two_wide =
            config_.species[of_a < of_b ? rule.b : rule.a].count != 1;  // 0: not known yet
        const double reach = widest + (are_two_wide ? widest : other);
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            if (config_.box.is_periodic(axis) && config_.box.size[axis] <= 2 * reach)
                report(path,
                       fmt::format(
                           "got {}, a reach of {:.4g}, expected less than half the periodic edge {} along {}",
                           text(path), reach, config_.box.size[axis], "xyz"[axis]));
    }

    void check_valence(const PairRule& rule, const std::string& path) {
        const auto [of_a, of_b] = rule.stick->valence;
        if (has(path) && rule.a == rule.b && of_a != of_b)
            report(path, fmt::format("got {} and {} for two alike, expected one number", of_a, of_b));
    }

    std::set<SpeciesIndex> sticking_species() const {
        std::set<SpeciesIndex> sticking;
        for (const PairRule& rule : config_.contacts.pairs)
            if (rule.stick) sticking.insert({rule.a, rule.b});
        return sticking;
    }

    /// Tethers are as long as the species' own radii say.
    void refuse_growth() {
        const std::set<SpeciesIndex> sticking = sticking_species();
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const PairRule& rule = config_.contacts.pairs[k];
            const std::string path = fmt::format("contacts.pairs.{}", k);
            if (!rule.coalesce || !has(path + ".between") || !has(path + ".coalesce")) continue;
            for (const SpeciesIndex s : std::set{rule.a, rule.b})
                if (sticking.contains(s))
                    report(
                        path + ".coalesce",
                        fmt::format(
                            "got coalescence of {}, which sticks, expected species that do not (its tether "
                            "would outgrow its length)",
                            config_.species[s].name));
        }
    }

    /// The bodies that a rule is for. For a rule of two species, numbers that stand for both.
    static std::vector<BodyNumber> bodies_of(const PairRule& rule) {
        constexpr std::uint32_t patches_of_body = 1u << 12;  // more than there may be, with the body itself
        if (rule.body)
            return {first_body + patches_of_body * *rule.body + (rule.patch ? 1 + *rule.patch : 0)};
        std::vector<BodyNumber> bodies;
        for (const WallFace face : rule.faces) bodies.push_back(static_cast<BodyNumber>(face));
        for (BodyNumber face = 0; rule.faces.empty() && face < first_body; ++face) bodies.push_back(face);
        return bodies;
    }

    /// Takes note of the contacts that the rule in this line is for. Each wall counts by itself, and each body. The
    /// line of the rule that one of them has already; none for a new rule.
    std::optional<int> line_of_earlier(const PairRule& rule, const Pair& pair, int line) {
        std::map<BodyNumber, int>& taken = taken_[pair];
        std::optional<int> first;
        for (const BodyNumber body : bodies_of(rule))
            if (const auto at = taken.find(body); at != taken.end() && !first) first = at->second;
        for (const BodyNumber body : bodies_of(rule)) taken.emplace(body, line);
        return first;
    }

    void refuse_chance_of_passing(const std::string& path) {
        for (const char* key : {"probability", "rate"})
            if (const std::string full = fmt::format("{}.{}", path, key); has(full) && is_given(full))
                report(full,
                       fmt::format("got {} for two species, which pass at every contact, expected it for "
                                   "a species and a body",
                                   text(full)));
    }

    void refuse_at_walls(const PairRule& rule, const std::string& path) {
        const std::string with = rule.body ? config_.bodies[*rule.body].name : std::string(wall_name);
        const std::string_view one = rule.body ? "body" : "wall", all = rule.body ? "bodies" : "walls";
        const auto refuse = [&](const char* key, const std::string& why) {
            if (is_given(fmt::format("{}.{}", path, key)))
                report(fmt::format("{}.{}", path, key),
                       fmt::format("got {} with {}, expected two species ({})", key, with, why));
        };
        if (!rule.body) refuse("pass", "nothing goes through a wall");
        const bool has_one_side = rule.body && config_.bodies[*rule.body].side != BodySide::both;
        if (rule.patch && rule.pass)
            report(path + ".pass", "got pass at a patch, expected the whole body");
        else if (has_one_side && rule.pass)
            report(path + ".pass",
                   fmt::format("got pass with {}, which has particles on one side, expected a "
                               "body with side: both",
                               with));
        refuse("coalesce", fmt::format("react: {{to: []}} lets a {} absorb", one));
        refuse("stick", fmt::format("{} have no tethers", all));
    }

    /// Named faces are checked one by one.
    void require_walls(const std::string& path) {
        const bool is_boundary_known = has("box.boundary") || !is_given("box.boundary");
        if (!has("box.size") || !is_boundary_known || is_given(path + ".faces")) return;
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            if (config_.box.has_walls(axis)) return;
        report(path + ".between",
               "got wall in a box without walls, expected two species, or box.boundary: reflecting");
    }

    void check_faces(PairRule& rule, const std::string& path) {
        if (!has(path)) return;
        if (rule.b != wall_species || rule.body) {
            rule.faces.clear();
            return report(path, "got faces without wall, expected wall in between");
        }
        if (std::adjacent_find(rule.faces.begin(), rule.faces.end()) != rule.faces.end())
            report(path, "got a face twice, expected each once");
        if (!has("box.size") || !has("box.boundary")) return;
        for (const TreeNode& item : items(path)) check_face(item, path);
    }

    void check_face(const TreeNode& item, const std::string& path) {
        const Word& word = *find_word(*find_option("contacts.pairs[].faces"), item.text);
        const int axis = axis_of(static_cast<WallFace>(word.value));
        const Box& box = config_.box;
        if (axis >= box.dimension)
            issues_.add(item.place,
                        fmt::format("{}: got {}, expected faces along x or y in a box of 2 dimensions", path,
                                    item.text));
        else if (box.is_periodic(axis))
            issues_.add(item.place, fmt::format("{}: got {}, expected faces along axes with walls "
                                                "(box.boundary is periodic along {})",
                                                path, item.text, "xyz"[axis]));
    }

    void complete_products(PairRule& rule, const std::string& path) {
        if (!has(path)) return;
        const auto names = items(path);
        if (rule.b == wall_species && names.size() > 1)
            return report(
                path, fmt::format("got 2 products, expected at most 1 at a {}", rule.body ? "body" : "wall"));
        for (std::size_t k = 0; k < names.size(); ++k) {
            const auto product = product_named(names[k], k == 0 ? rule.a : rule.b, path);
            if (!product) return;
            rule.react->products.push_back(*product);
        }
    }

    void complete_restitution(PairRule& rule, const std::string& path) {
        const std::string key = path + ".restitution";
        if (!has(path + ".between") || !chance_is_known(rule, path)) return;
        const bool all_change = never_bounces(rule) && !may_be_suspended(rule);
        if (all_change && is_given(key))
            report(key, fmt::format("has no meaning beside {}", why_none_bounces(rule)));
        const bool may_bounce = (rule.react || rule.coalesce || rule.stick) && !all_change;
        if (!may_bounce || is_given(key)) return;
        const ContactOptions& contacts = config_.contacts;
        rule.bridges = rule.b == wall_species ? contacts.wall_bridges : contacts.bridges;
        if (rule.bridges) return;
        rule.restitution = rule.b == wall_species ? contacts.wall_restitution : contacts.restitution;
    }

    /// Whether tethers can keep a reaction from changing a partner: the two then bounce.
    bool may_be_suspended(const PairRule& rule) const {
        if (!rule.react) return false;
        const std::set<SpeciesIndex> sticking = sticking_species();
        return (sticking.contains(rule.a) && changes(rule, 0)) ||
               (rule.b != wall_species && sticking.contains(rule.b) && changes(rule, 1));
    }

    /// Whether a reaction changes, moves or ends its first (0) or second (1) partner.
    static bool changes(const PairRule& rule, std::size_t partner) {
        const std::vector<SpeciesIndex>& products = rule.react->products;
        if (rule.b == wall_species) return products.empty() || products[0] != rule.a;
        if (products.size() < 2) return true;  // one product is elsewhere
        if (rule.a == rule.b) return products[0] != rule.a || products[1] != rule.a;
        return products[partner] != (partner == 0 ? rule.a : rule.b);
    }

    static std::string_view why_none_bounces(const PairRule& rule) {
        if (rule.pass)
            return rule.body ? "pass (what does not pass bounces elastically)" : "pass (no bounce)";
        if (rule.thermal) return "thermal (the velocity before the contact does not matter)";
        if (rule.coalesce) return "certain coalescence (some bounce with a finite rate)";
        return "a certain reaction (some bounce with probability < 1, or a finite rate)";
    }

    /// Whether the values that decide if a reaction is certain are without error.
    bool chance_is_known(const PairRule& rule, const std::string& path) const {
        if (!has("dynamics.type")) return false;
        const bool is_brownian = config_.dynamics.type == DynamicsType::brownian;
        if (rule.react) return has(path + (is_brownian ? ".react.rate" : ".react.probability"));
        return !rule.coalesce || !is_brownian || has(path + ".coalesce.rate");
    }

    std::map<Pair, std::map<BodyNumber, int>> taken_;
};

}  // namespace

void apply_contact_rules(const TreeNode& root, Config& config, Issues& issues) {
    ContactPairs(root, config, issues).apply();
}

}  // namespace ricochet::detail
