// SPDX-License-Identifier: BSD-3-Clause
#include "run/found_box.hpp"

#include <cmath>

#include "core/math.hpp"
#include "core/text.hpp"
#include "model/world_facts.hpp"
#include "ricochet/core/error.hpp"
#include "run/grown_start.hpp"
#include "run/growth_cost.hpp"

namespace ricochet {

namespace {

/// What is wrong with a valid input in another box; rules that know the box tell.
void require_possible_in(const Config& in_box, const std::string& which_box) {
    try {
        parse_config(effective_yaml(in_box), in_box.input_name);
    } catch (const InputError& error) {
        throw InputError(text_of("placement.until_pressure: the input is not possible in the box of ",
                                 edges_text(in_box.box), which_box, ":\n", error.what()));
    }
}

}  // namespace

Config in_found_box(const Config& config, const std::optional<FoundBox>& found) {
    if (!found) return config;
    Config result = config;
    result.box.size = found->size;
    require_possible_in(result, " that growth has found");
    return result;
}

Config in_foreseen_box(const Config& config) {
    if (!config.placement.until_pressure) return config;
    const World world = world_of(config);
    const double fraction =
        fraction_at_pressure(config.box.dimension, config.placement.rate, *config.placement.until_pressure);
    Config result = config;
    result.box = scaled_box(config.box, edge_of(config.box.dimension, volume_fraction(world) / fraction));
    require_possible_in(
        result, " or so that growth will find; more particles, or edges less unequal, make it larger");
    return result;
}

}  // namespace ricochet
