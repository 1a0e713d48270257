// SPDX-License-Identifier: BSD-3-Clause
#include "run/stage.hpp"
#include "ricochet/kinetic/engine_choice.hpp"

namespace ricochet {

Stage::Stage(const StageParts& parts, const World& world, const ContactRules& rules)
    : parts_(parts),
      engine_(make_step_engine(world, rules, parts.engine_options)),
      stepper_(parts.balancer.exchange(), *engine_, parts.world.box, parts.balancer.slabs(), parts.clock,
               {.excursion_factor = parts.config.run.halo_margin,
                .contacts_per_window = parts.config.run.sub_window}) {}

}  // namespace ricochet
