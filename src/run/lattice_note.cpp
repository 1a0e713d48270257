// SPDX-License-Identifier: BSD-3-Clause
#include "run/lattice_note.hpp"

#include <fmt/format.h>

#include "model/world_facts.hpp"
#include "run/equilibration.hpp"
#include "theory/contact_rate.hpp"

namespace ricochet {
namespace {

std::string done_text(const World& world, const EquilibrationState& state) {
    const auto count = static_cast<double>(std::max<std::uint64_t>(1, num_particles(world)));
    return fmt::format("{:.0f} collisions per particle in {} steps, not recorded",
                       2 * static_cast<double>(state.num_collisions) / count, state.num_steps);
}

std::string order_text(const BondOrder& order, int dimension) {
    const std::string symbol = dimension == 2 ? fmt::format("psi{}", order.symmetry) : "Q6";
    return fmt::format("{} is {:.2g}", symbol, order.value);
}

std::string rates_text(std::optional<double> spread) {
    if (!spread) return "";
    if (*spread <= steady_spread)
        return fmt::format("; the contact rates of the last three quarters of them agree within {:.2g} %",
                           100 * steady_spread);
    return fmt::format("; the contact rates of the last three quarters of them differ by {:.2g} %",
                       100 * *spread);
}

/// Where dense liquids of about equal particles stop flowing within any run; in two dimensions of unequal ones.
double glass_fraction(int dimension) { return dimension == 2 ? 0.79 : 0.58; }

/// What the density means for a disordered start.
std::string density_text(const World& world) {
    const int dimension = world.box.dimension;
    const double glass = glass_fraction(dimension);
    if (volume_fraction(world) >= glass)
        return fmt::format(
            "; above about {:.4g} it is a glass that ages: averages depend on the time since its start",
            glass);
    if (is_above_freezing(world))
        return fmt::format("; above {:.4g}, where {}, a liquid is metastable", freezing_fraction(dimension),
                           is_equal_particle_system(world) ? "freezing begins" : "equal particles freeze");
    return "";
}

bool is_stable_crystal(const World& world) {
    return is_equal_particle_system(world) && volume_fraction(world) >= melting_fraction(world.box.dimension);
}

}  // namespace

bool is_above_freezing(const World& world) {
    return !has_shapes(world) && volume_fraction(world) > freezing_fraction(world.box.dimension);
}

std::optional<std::string> crystal_note(const World& world, std::uint64_t num_sites) {
    if (num_sites == 0 || !is_above_freezing(world)) return std::nullopt;
    const std::uint64_t num_vacancies = num_sites - num_particles(world);
    const std::string vacancies =
        num_vacancies == 0
            ? "without vacancies"
            : fmt::format("with {} vacancies in {} sites, which lower its pressure (a count of {} has none)",
                          num_vacancies, num_sites, num_sites);
    return fmt::format(
        "the start is a crystal {}; it {} melt at this density: {} {:.4g} is above {:.4g}, where {}",
        vacancies, is_stable_crystal(world) ? "does not" : "may not",
        world.box.dimension == 2 ? "area fraction" : "volume fraction", volume_fraction(world),
        freezing_fraction(world.box.dimension),
        is_equal_particle_system(world) ? "freezing begins" : "equal particles freeze");
}

std::string melting_note(const World& world, const EquilibrationState& state, const BondOrder& order,
                         std::optional<double> spread) {
    const int dimension = world.box.dimension;
    const std::string done = done_text(world, state), has = order_text(order, dimension);
    if (is_crystal(order, dimension)) {
        if (const auto note = crystal_note(world, state.num_sites))
            return fmt::format("{}; after {}, {}, and a liquid has about 0", *note, done, has);
        return fmt::format(
            "the lattice is not yet melted: after {}, {}, and a liquid has about 0; equilibrate longer by "
            "run.equilibrate.collisions_per_particle",
            done, has);
    }
    if (is_partly_ordered(order, dimension))
        return fmt::format(
            "the lattice has melted in part: {}{}; {}, more than a liquid has (about 0) and less than a "
            "crystal; near freezing order comes and goes slowly, so that averages need long runs",
            done, rates_text(spread), has);
    if (!tells_order(order, dimension))
        return fmt::format("too few particles to tell whether the lattice is melted: {}{}", done,
                           rates_text(spread));
    if (spread && *spread > steady_spread)
        return fmt::format(
            "the lattice is melted, but may not be in equilibrium: {}{}; {}; "
            "run.equilibrate.collisions_per_particle sets another number",
            done, rates_text(spread), has);
    const std::string metastable =
        is_above_freezing(world)
            ? fmt::format("; above {:.4g}, where freezing begins, a liquid is metastable",
                          freezing_fraction(dimension))
            : "";
    return fmt::format("the lattice is melted: {}{}; {}, as of a liquid{}", done, rates_text(spread), has,
                       metastable);
}

std::string settled_note(const World& world, const EquilibrationState& state, const BondOrder& order,
                         std::optional<double> spread, bool has_grown) {
    const int dimension = world.box.dimension;
    const std::string start = has_grown ? "the grown start" : "the dense start";
    const std::string done = done_text(world, state) + rates_text(spread);
    const bool may_be_off = spread && *spread > steady_spread && !is_above_freezing(world);
    const char* const verdict = may_be_off ? "may not be in equilibrium" : "is equilibrated";
    if (has_shapes(world)) return fmt::format("{} {}: {}", start, verdict, done);  // their bonds tell nothing
    const std::string numbers = fmt::format("{}; {}", done, order_text(order, dimension));
    if (is_crystal(order, dimension))
        return fmt::format("{} has crystallised: {}, and a liquid has about 0", start, numbers);
    if (is_partly_ordered(order, dimension))
        return fmt::format(
            "{} has crystallised in part: {}, more than a liquid has (about 0) and less than a crystal",
            start, numbers);
    return fmt::format("{} {}: {}{}", start, verdict,
                       tells_order(order, dimension) ? numbers + ", as of a liquid" : done,
                       density_text(world));
}

}  // namespace ricochet
