// SPDX-License-Identifier: BSD-3-Clause
#include "bench_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

#include "dynamics/brownian.hpp"
#include "ricochet/core/error.hpp"
#include "theory/hard_sphere_theory.hpp"

namespace ricochet::bench {
namespace {

std::uint64_t power(std::uint64_t base, int exponent) {
    std::uint64_t result = 1;
    for (int k = 0; k < exponent; ++k) result *= base;
    return result;
}

/// The most tiles per axis that divide the number of particles and leave each enough of them; a tile with a
/// few large particles needs more, because each must be less than a quarter of its length.
std::uint64_t choose_tiles(const BenchCase& c) {
    const double least = c.size_ratio > 2 ? 32'000 : 4'000;
    const double root = std::pow(static_cast<double>(c.num_particles) / least, 1.0 / c.dimension);
    for (auto tiles = static_cast<std::uint64_t>(root + 1e-9); tiles > 1; --tiles)
        if (c.num_particles % power(tiles, c.dimension) == 0) return tiles;
    return 1;
}

BenchRules rules_named(const std::string& word, const std::string& name) {
    const std::map<std::string, BenchRules> names{{"none", BenchRules::none},
                                                  {"chance", BenchRules::chance},
                                                  {"strangers", BenchRules::strangers},
                                                  {"rate", BenchRules::rate}};
    const auto found = names.find(name);
    if (found == names.end()) throw InputError(word + ": expected none, chance, strangers or rate");
    return found->second;
}

/// At which two react, as they would at once if they did not have to meet first (h R = 1).
double rate_of_diffusion(int dimension, const Species& a, const Species& b) {
    const double diffusion = a.diffusion + b.diffusion;
    if (dimension == 2) return 2 * std::numbers::pi * diffusion;
    return 4 * std::numbers::pi * diffusion * (a.radius + b.radius);
}

double number(const std::string& word, const std::string& value) {
    char* end = nullptr;
    const double result = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != 0 || !(result >= 0) || std::isinf(result))
        throw InputError(word + ": expected a number >= 0");
    return result;
}

void require(bool touches, const std::string& sentence) {
    if (!touches) throw InputError(sentence);
}

void check(const BenchCase& c) {
    require(c.dimension == 2 || c.dimension == 3, "dimension: expected 2 or 3");
    require(c.fraction > 0 && c.fraction < 0.6, "fraction: expected a number above 0 and below 0.6");
    require(c.num_particles >= 100, "particles: expected at least 100");
    require(c.size_ratio >= 1, "ratio: expected at least 1");
    require(c.large_share < 1, "large_share: expected less than 1");
    require(c.rules != BenchRules::chance || !c.is_brownian, "rules=chance: elastic only");
    require(c.rules != BenchRules::rate || c.is_brownian, "rules=rate: Brownian only");
}

/// Enskog's rates of equal particles are within 0.1 %, of these mixtures within 1 %.
double formula_error(const BenchCase& c) {
    if (c.large_share == 0) return 1e-3;
    return 1e-2;
}

/// Contacts that a pair of small Brownian particles will have in the rest of a run after one of them, the
/// mean over a run of this many steps. In 3D at most all the contacts of an encounter: Enskog's rate at low density
/// over Smoluchowski's.
double contacts_to_follow(const BenchCase& c, double num_steps) {
    const double by_diffusion = 4 / (3 * std::numbers::pi) * std::sqrt(num_steps);
    if (c.dimension == 2) return by_diffusion;
    const double of_encounter =
        std::sqrt(2 / brownian_timestep(c.dimension, c.step)) / (2 * std::sqrt(std::numbers::pi));
    return std::min(by_diffusion, of_encounter);
}

}  // namespace

std::uint64_t BenchCase::num_tiles() const { return power(tiles_per_axis, dimension); }

std::vector<Species> BenchCase::species_of_tile() const {
    const auto num_large =
        static_cast<std::uint64_t>(std::llround(large_share * static_cast<double>(particles_per_tile())));
    std::vector<Species> species(num_large > 0 ? 2 : 1);
    species[0].name = "small";
    species[0].radius = 0.5;
    species[0].mass = 1;
    species[0].diffusion = 1;
    species[0].count = particles_per_tile() - num_large;
    if (num_large > 0) {
        species[1].name = "large";
        species[1].radius = 0.5 * size_ratio;
        species[1].mass = std::pow(size_ratio, dimension);
        species[1].diffusion = 1 / size_ratio;
        species[1].count = num_large;
    }
    return species;
}

World BenchCase::world(const Box& in, double brownian_dt) const {
    World result{.box = in, .species = species_of_tile(), .timestep = brownian_dt};
    const std::vector<Species>& species = result.species;
    const auto present = static_cast<SpeciesIndex>(species.size());
    if (rules == BenchRules::strangers) result.species.push_back(result.species.front());
    if (rules == BenchRules::none) return result;
    for (SpeciesIndex a = 0; a < present; ++a)
        for (SpeciesIndex b = a; b < present; ++b) {
            React react{.first = a, .products = {a, b}};
            if (rules == BenchRules::chance) react.probability = 0;
            if (rules == BenchRules::rate) react.rate = rate_of_diffusion(dimension, species[a], species[b]);
            if (rules != BenchRules::strangers) result.rules.push_back({a, b, react, 0});
        }
    for (SpeciesIndex a = 0; a < present && rules == BenchRules::strangers; ++a)
        result.rules.push_back({a, present, React{.first = a, .products = {a, present}}, 0});
    if (brownian_dt > 0) result.bath_energy = 1;
    return result;
}

double BenchCase::timestep() const {
    return is_brownian ? brownian_timestep(dimension, step) : elastic_timestep(*this, step);
}

Box BenchCase::tile() const {
    double content = 0;
    for (const Species& kind : species_of_tile())
        content += static_cast<double>(kind.count) * std::pow(2 * kind.radius, dimension);
    content *= dimension == 2 ? std::numbers::pi / 4 : std::numbers::pi / 6;
    const double length = std::pow(content / fraction, 1.0 / dimension);
    Box box;
    box.dimension = dimension;
    box.size = {length, length, dimension == 2 ? 0 : length};
    return box;
}

Box BenchCase::box() const {
    Box whole = tile();
    for (int axis = 0; axis < 3; ++axis) whole.size[axis] *= static_cast<double>(tiles_per_axis);
    return whole;
}

BenchCase share_of_rank(const BenchCase& of, int rank, int num_ranks) {
    constexpr std::uint64_t seeds_per_rank = 1000;
    BenchCase share = of;
    share.num_particles /= static_cast<std::uint64_t>(num_ranks);
    share.random_seed += seeds_per_rank * static_cast<std::uint64_t>(rank);
    share.tiles_per_axis = choose_tiles(share);
    return share;
}

BenchCase parse_case(std::span<const std::string> words) {
    BenchCase c;
    std::string dynamics = "elastic";
    double particles = static_cast<double>(c.num_particles), least_steps = 0, seed = 1, is_checked = 1,
           turns = static_cast<double>(c.num_turns);
    double dimension = 3;
    const std::map<std::string, double*> numbers{{"dimension", &dimension},
                                                 {"fraction", &c.fraction},
                                                 {"particles", &particles},
                                                 {"ratio", &c.size_ratio},
                                                 {"large_share", &c.large_share},
                                                 {"step", &c.step},
                                                 {"contacts_per_particle", &c.contacts_per_particle},
                                                 {"contacts", &c.least_contacts},
                                                 {"steps", &least_steps},
                                                 {"equilibrate", &c.equilibrate},
                                                 {"seed", &seed},
                                                 {"check", &is_checked},
                                                 {"turns", &turns}};
    for (const std::string& word : words) {
        const std::size_t sign = std::min(word.find('='), word.size());
        const std::string key = word.substr(0, sign), value = word.substr(std::min(sign + 1, word.size()));
        if (key == "dynamics" && (value == "elastic" || value == "brownian"))
            dynamics = value;
        else if (key == "rules")
            c.rules = rules_named(word, value);
        else if (const auto found = numbers.find(key); found != numbers.end())
            *found->second = number(word, value);
        else
            throw InputError(word + ": unknown; see the head of step_bench.cpp");
    }
    c.is_brownian = dynamics == "brownian";
    c.dimension = static_cast<int>(dimension);
    c.num_particles = static_cast<std::uint64_t>(particles);
    c.least_steps = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least_steps));
    c.random_seed = static_cast<std::uint64_t>(seed);
    c.is_rate_required = is_checked != 0;
    c.num_turns = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(turns));
    check(c);
    if (c.step == 0) c.step = c.is_brownian ? 0.1 : best_elastic_step(c.fraction);
    if (c.equilibrate == 0) c.equilibrate = contacts_to_equilibrate(c.fraction);
    c.tiles_per_axis = choose_tiles(c);
    return c;
}

double best_elastic_step(double fraction) {
    if (fraction >= 0.45) return 1;
    if (fraction >= 0.2) return 0.75;
    if (fraction >= 0.05) return 0.25;
    return fraction >= 0.005 ? 0.1 : 0.05;
}

double contacts_to_equilibrate(double fraction) { return fraction >= 0.45 ? 300 : 30; }

double elastic_timestep(const BenchCase& of, double contacts_per_particle) {
    return contacts_per_particle * static_cast<double>(of.num_particles) / 2 /
           expected_contact_rate(of, 1, 0);
}

double brownian_timestep(int dimension, double rms) { return rms * rms / (2 * dimension); }

double expected_contact_rate(const BenchCase& of, double thermal_energy, double brownian_dt) {
    const double volume = of.tile().volume();
    std::vector<SizeClass> classes;
    for (const Species& kind : of.species_of_tile()) {
        const double mass =
            brownian_dt > 0 ? effective_mass(thermal_energy, brownian_dt, kind.diffusion) : kind.mass;
        classes.push_back({static_cast<double>(kind.count) / volume, kind.radius, mass});
    }
    return contact_rate_density(of.dimension, classes, thermal_energy) * volume *
           static_cast<double>(of.num_tiles());
}

RateError rate_error(const BenchCase& of, double num_contacts, double num_steps) {
    const auto particles = static_cast<double>(of.particles_per_tile());
    const double clustering = 1 + 2 * (of.is_brownian ? contacts_to_follow(of, num_steps) : 0);
    const double of_tile = of.num_tiles() > 1 ? 0.2 * 0.2 / particles : 0;
    return {std::sqrt(clustering / std::max(num_contacts, 1.0) + of_tile), formula_error(of) + 3 / particles};
}

}  // namespace ricochet::bench
