// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of the table of keys (config_rows.hpp): how particles move, and what contacts and time do to them.
#include "config/config_rows.hpp"

namespace ricochet::rows {

namespace {

constexpr Range tether_range{.minimum = 1.001};
constexpr std::array infinite_rate{Word{".inf", 0}};

/// Above, cells are taken as wholes that are hardly farther away than they are wide.
constexpr Range opening_range{.minimum = 0, .maximum = 1.5, .above_minimum = true};
constexpr Range exponent_range{.minimum = 0, .maximum = 1, .above_minimum = true};
constexpr std::string_view bridges_what =
    "restitution that falls with the speed of approach v along the normal: the lesser of 1 and scale "
    "(v/speed)^-exponent";
constexpr std::string_view bridges_note =
    "Slow contacts are elastic, so it does not need contacts.collapse. The example is ice in Saturn's rings, "
    "with metres and seconds (Bridges, Hatzes and Lin, 1984).";
constexpr std::string_view scale_what = "coefficient of restitution at the speed, where that is not above 1";
constexpr std::string_view exponent_what = "how steeply restitution falls";
constexpr std::string_view speed_what = "the speed of approach to which scale belongs";

// One record per key: more fields to a line than clang-format would put there.
// clang-format off
constexpr auto of_motion_table = std::to_array<Option>({
    {.path = "dynamics",
     .what = "how particles move between contacts"},
    {.path = "dynamics.type", .member = at<&Config::dynamics, &DynamicsOptions::type>, .example = "ballistic",
     .what = "equation of motion"},
    {.path = "dynamics.kT", .member = at<&Config::dynamics, &DynamicsOptions::kT>, .range = positive,
     .unit = "energy", .otherwise = "needed, unless velocities are given", .example = "1",
     .what = "k_B times the temperature"},
    {.path = "dynamics.velocities", .member = at<&Config::dynamics, &DynamicsOptions::velocities>,
     .otherwise = "with placement from a file given_or_maxwell, without kT given; else maxwell",
     .only_with = "dynamics.type=ballistic",
     .example = "maxwell",
     .what = "start velocities"},
    {.path = "dynamics.drive", .member = at<&Config::dynamics, &DynamicsOptions::drive>,
     .otherwise = "only contacts change velocities", .only_with = "dynamics.type=ballistic", .shown = false,
     .what = "kicks before each step",
     .note = "Each particle has an acceleration of its own, for the whole run. A kick changes its velocity by at most "
             "this times timestep. Driven particles have no equilibrium, and kicks change energy and momentum. In "
             "an equilibration no particle is driven."},
    {.path = "dynamics.drive.type", .member = at<&Config::dynamics, &DynamicsOptions::drive, &DriveOptions::type>,
     .example = "random_accelerations",
     .what = "where particles are driven to"},
    {.path = "dynamics.drive.min_acceleration",
     .member = at<&Config::dynamics, &DynamicsOptions::drive, &DriveOptions::least_acceleration>,
     .range = positive, .unit = "length/time^2", .example = "1",
     .what = "least of the particles' accelerations"},
    {.path = "dynamics.drive.max_acceleration",
     .member = at<&Config::dynamics, &DynamicsOptions::drive, &DriveOptions::most_acceleration>,
     .range = positive, .unit = "length/time^2", .example = "10",
     .what = "largest of the particles' accelerations",
     .note = "They are uniform in between."},
    {.path = "dynamics.drive.speed_limit",
     .member = at<&Config::dynamics, &DynamicsOptions::drive, &DriveOptions::speed_limit>,
     .range = positive, .words = infinite_rate, .unit = "length/time", .fallback = ".inf", .example = "10",
     .what = "no kick raises a speed above it",
     .note = "Contacts may."},
    {.path = "dynamics.drive.redirect_every",
     .member = at<&Config::dynamics, &DynamicsOptions::drive, &DriveOptions::redirect_every>,
     .range = positive, .unit = "time", .only_with = "dynamics.drive.type=random_accelerations", .example = "0.1",
     .what = "how long a particle is driven in one direction",
     .note = "A multiple of run.timestep."},
    {.path = "dynamics.drive.flow_speed",
     .member = at<&Config::dynamics, &DynamicsOptions::drive, &DriveOptions::flow_speed>,
     .range = positive, .unit = "length/time", .only_with = "dynamics.drive.type=velocity_field", .example = "5",
     .shown = false, .what = "largest speed of the flow"},

    {.path = "fields", .member = at<&Config::fields>, .otherwise = "none", .shown = false, .what = "uniform fields"},
    {.path = "fields.gravity", .member = at<&Config::fields, &FieldOptions::gravity>, .unit = "length/time^2",
     .otherwise = "none", .only_with = "dynamics.type=ballistic", .example = "[0, 0, -9.81]",
     .what = "acceleration along each axis",
     .note = "Contacts are exact, also with walls and bodies. A constant restitution below 1 needs contacts.collapse. "
             "It acts in an equilibration too."},
    {.path = "fields.drift", .member = at<&Config::fields, &FieldOptions::drift>, .unit = "length/time",
     .otherwise = "none", .only_with = "dynamics.type=brownian", .example = "[0, 0, -1]", .shown = false,
     .what = "mean velocity along each axis of a particle alone, diffusion times force over kT",
     .note = "The same for all species. Contacts bounce or pass: reactions are refused beside a drift."},

    {.path = "self_gravity", .member = at<&Config::self_gravity>, .otherwise = "particles do not attract each other",
     .only_with = "dynamics.type=ballistic", .instead = "brownian particles have no inertia", .shown = false,
     .what = "all particles attract each other by their masses",
     .note = "Between steps velocities change, half of it before a step and half after it; within a step contacts are "
             "exact. Along periodic axes it is the field of all images without end; where all axes are periodic the "
             "mean density exerts no force. A box with periodic axes may be 32 cubes on its shortest periodic edge at "
             "most: the product of all longer edges, each over that one. Walls and bodies have no mass. What rests "
             "attracts. A constant restitution below 1 needs contacts.collapse. It acts in an equilibration too."},
    {.path = "self_gravity.constant", .member = at<&Config::self_gravity, &GravitySetting::law, &GravityLaw::constant>,
     .range = positive, .unit = "length^3/(mass time^2), with inverse length^2/(mass time^2)", .example = "1",
     .what = "the constant G"},
    {.path = "self_gravity.softening",
     .member = at<&Config::self_gravity, &GravitySetting::law, &GravityLaw::softening>, .range = non_negative,
     .unit = "length", .fallback = "0",
     .what = "length e: distances count as (distance^2 + e^2)^1/2",
     .note = "Hard spheres need none. Points, and what passes through each other, do."},
    {.path = "self_gravity.law", .member = at<&Config::self_gravity, &GravitySetting::law, &GravityLaw::form>,
     .fallback = "inverse_square", .what = "acceleration by a mass m"},
    {.path = "self_gravity.method", .member = at<&Config::self_gravity, &GravitySetting::method>, .fallback = "tree",
     .what = "how forces are added up",
     .note = "Its bits are the same on any ranks, but those of one method are not those of the other."},
    {.path = "self_gravity.opening", .member = at<&Config::self_gravity, &GravitySetting::opening>,
     .range = opening_range, .fallback = "0.8", .only_with = "self_gravity.method=tree",
     .instead = "direct opens all",
     .what = "largest size of a group over its distance",
     .note = "At 0.8 half of the forces are off by less than 0.003 of their size, at 0.3 by less than 0.0001. "
             "Where all axes are periodic and the density is nearly uniform, forces almost cancel and errors do not: "
             "take 0.5 or less there."},

    {.path = "contacts", .defaulted = true, .what = "what happens at a contact"},
    {.path = "contacts.restitution", .member = at<&Config::contacts, &ContactOptions::restitution>,
     .range = fraction, .fallback = "1",
     .what = "coefficient of restitution",
     .note = "1: elastic. Brownian dynamics has no other."},
    {.path = "contacts.restitution.bridges", .member = at<&Config::contacts, &ContactOptions::bridges>, .shown = false,
     .what = bridges_what, .note = bridges_note},
    {.path = "contacts.restitution.bridges.scale",
     .member = at<&Config::contacts, &ContactOptions::bridges, &RestitutionLaw::value>, .range = positive,
     .example = "0.32", .what = scale_what},
    {.path = "contacts.restitution.bridges.exponent",
     .member = at<&Config::contacts, &ContactOptions::bridges, &RestitutionLaw::exponent>,
     .range = exponent_range, .example = "0.234", .what = exponent_what},
    {.path = "contacts.restitution.bridges.speed",
     .member = at<&Config::contacts, &ContactOptions::bridges, &RestitutionLaw::speed>, .range = positive,
     .unit = "length/time", .example = "0.01", .what = speed_what},
    {.path = "contacts.walls", .otherwise = "as between particles", .shown = false,
     .what = "contacts of particles with walls and bodies"},
    {.path = "contacts.walls.restitution", .member = at<&Config::contacts, &ContactOptions::wall_restitution>,
     .range = fraction, .example = "1",
     .what = "coefficient of restitution at walls, and at bodies without a rule of their own"},
    {.path = "contacts.walls.restitution.bridges", .member = at<&Config::contacts, &ContactOptions::wall_bridges>,
     .shown = false, .what = bridges_what, .note = bridges_note},
    {.path = "contacts.walls.restitution.bridges.scale",
     .member = at<&Config::contacts, &ContactOptions::wall_bridges, &RestitutionLaw::value>, .range = positive,
     .example = "0.32", .what = scale_what},
    {.path = "contacts.walls.restitution.bridges.exponent",
     .member = at<&Config::contacts, &ContactOptions::wall_bridges, &RestitutionLaw::exponent>,
     .range = exponent_range, .example = "0.234", .what = exponent_what},
    {.path = "contacts.walls.restitution.bridges.speed",
     .member = at<&Config::contacts, &ContactOptions::wall_bridges, &RestitutionLaw::speed>, .range = positive,
     .unit = "length/time", .example = "0.01", .what = speed_what},
    {.path = "contacts.collapse", .member = at<&Config::contacts, &ContactOptions::collapse>, .otherwise = "none",
     .only_with = "dynamics.type=ballistic", .shown = false,
     .what = "what keeps inelastic particles from touching infinitely often in a finite time"},
    {.path = "contacts.collapse.duration",
     .member = at<&Config::contacts, &ContactOptions::collapse, &CollapseOptions::duration>, .range = positive,
     .unit = "time", .example = "1e-4",
     .what = "a bounce is elastic if either partner had another contact less than this ago",
     .note = "It stands for the time that a contact takes (the TC model of Luding and McNamara). Under gravity and in "
             "curved bodies, a constant restitution below 1 needs it. Particles at rest on each other have up to 40 "
             "contacts in this time."},
    {.path = "contacts.pairs", .member = at<&Config::contacts, &ContactOptions::pairs>,
     .otherwise = "no pair is special", .shown = false, .what = "rules for pairs of species"},
    {.path = "contacts.pairs[].between", .member = pair_of_species, .example = "[sphere, sphere]",
     .what = "the names of two species, or of one and wall or a body",
     .note = "wall stands for the walls of the box."},
    {.path = "contacts.pairs[].faces", .member = faces_of_walls, .otherwise = "all walls",
     .example = "[x-, x+]", .shown = false, .what = "the walls that the rule is for",
     .note = "x- is the wall at x = 0, x+ the one opposite."},
    {.path = "contacts.pairs[].restitution", .member = at<&PairRule::restitution>, .range = fraction,
     .otherwise = "beside react and stick that of pairs without a rule; needed without react, coalesce, pass, stick "
                  "and thermal",
     .example = "0.9",
     .what = "coefficient of restitution of this pair",
     .note = "Beside react: of the contacts that do not react, by chance or because a partner has tethers."},
    {.path = "contacts.pairs[].restitution.bridges", .member = at<&PairRule::bridges>, .shown = false,
     .what = bridges_what, .note = bridges_note},
    {.path = "contacts.pairs[].restitution.bridges.scale",
     .member = at<&PairRule::bridges, &RestitutionLaw::value>, .range = positive,
     .example = "0.32", .what = scale_what},
    {.path = "contacts.pairs[].restitution.bridges.exponent",
     .member = at<&PairRule::bridges, &RestitutionLaw::exponent>,
     .range = exponent_range, .example = "0.234", .what = exponent_what},
    {.path = "contacts.pairs[].restitution.bridges.speed",
     .member = at<&PairRule::bridges, &RestitutionLaw::speed>, .range = positive,
     .unit = "length/time", .example = "0.01", .what = speed_what},
    {.path = "contacts.pairs[].react", .member = at<&PairRule::react>, .otherwise = "partners stay what they are",
     .shown = false, .what = "the partners of a contact become other particles, or end",
     .note = "A partner that is of its product's species already keeps its size. Other products have that of "
             "their species."},
    {.path = "contacts.pairs[].react.to", .member = products_of_pair, .example = "[sphere]",
     .what = "the products",
     .note = "The first is what becomes of the first partner in between, the second of the second; a partner "
             "without product ends. One product is at the centre of mass and has the momentum of both. Two "
             "part as from an elastic bounce; where they part already, or react at a distance because their "
             "straight paths do not touch, they go on along these. At a wall or body: one product or none."},
    {.path = "contacts.pairs[].react.probability",
     .member = at<&PairRule::react, &ReactOptions::probability>, .range = fraction, .fallback = "1",
     .only_with = "dynamics.type=ballistic",
     .instead = "with brownian say rate (how many contacts there are depends on the timestep)", .example = "0.1",
     .what = "chance to react, for each contact",
     .note = "Otherwise the partners bounce."},
    {.path = "contacts.pairs[].react.rate", .member = at<&PairRule::react, &ReactOptions::rate>,
     .range = non_negative, .words = infinite_rate, .unit = "length^dimension/time, at walls and bodies length/time",
     .fallback = ".inf", .only_with = "dynamics.type=brownian",
     .instead = "with ballistic say probability (the chance to react, for each contact)", .example = "85",
     .shown = false,
     .what = "intrinsic rate",
     .note = ".inf: every contact reacts. For two alike it is the rate of each pair."},
    {.path = "contacts.pairs[].coalesce", .member = at<&PairRule::coalesce>, .otherwise = "partners stay two",
     .shown = false,
     .what = "one sphere comes of two, with the volume (2D: area), mass and momentum of both",
     .note = "The heavier partner continues, at equal mass that with the lower id. Without keys: {}."},
    {.path = "contacts.pairs[].coalesce.rate", .member = at<&PairRule::coalesce, &CoalesceOptions::rate>,
     .range = non_negative, .words = infinite_rate, .unit = "length^dimension/time", .fallback = ".inf",
     .only_with = "dynamics.type=brownian", .instead = "ballistic partners coalesce at every contact",
     .example = "85",
     .what = "intrinsic rate",
     .note = ".inf: at every contact. For two alike it is the rate of each pair."},
    {.path = "contacts.pairs[].pass", .member = at<&PairRule::pass>, .otherwise = "partners rebound",
     .example = "{}", .shown = false,
     .what = "partners go through each other, or a particle through the surface of a body",
     .note = "Contacts are logged and change nothing. A body needs side: both; the centre of the particle meets "
             "its surface. Without keys: {}, all pass."},
    {.path = "contacts.pairs[].pass.probability", .member = at<&PairRule::pass, &PassOptions::probability>,
     .range = fraction, .otherwise = "all pass", .only_with = "dynamics.type=ballistic",
     .instead = "with brownian say rate (how many contacts there are depends on the timestep)", .example = "0.5",
     .shown = false,
     .what = "chance to pass a body, for each contact",
     .note = "Otherwise the particle bounces elastically."},
    {.path = "contacts.pairs[].pass.rate", .member = at<&PairRule::pass, &PassOptions::rate>,
     .range = non_negative, .unit = "length/time", .otherwise = "all pass",
     .only_with = "dynamics.type=brownian",
     .instead = "with ballistic say probability (the chance to pass, for each contact)", .example = "0.5",
     .shown = false,
     .what = "permeability of a body: the flow through an area is this times the difference of densities"},
    {.path = "contacts.pairs[].stick", .member = at<&PairRule::stick>, .otherwise = "partners part again",
     .shown = false,
     .what = "partners bounce, and are tethered from then on",
     .note = "Where they are as far apart as the tether is long, they turn back, elastically. A particle with tethers "
             "keeps its species: rules that would change or end it let it bounce, and it does not decay. Species that "
             "stick do not coalesce."},
    {.path = "contacts.pairs[].stick.length", .member = at<&PairRule::stick, &StickOptions::length>,
     .range = tether_range, .example = "1.5",
     .what = "length of the tether, over the sum of both radii"},
    {.path = "contacts.pairs[].stick.probability",
     .member = at<&PairRule::stick, &StickOptions::probability>, .range = fraction, .fallback = "1",
     .only_with = "dynamics.type=ballistic",
     .instead = "with brownian say rate (how many contacts there are depends on the timestep)", .example = "0.1",
     .what = "chance to become tethered, for each contact",
     .note = "Otherwise the partners bounce."},
    {.path = "contacts.pairs[].stick.rate", .member = at<&PairRule::stick, &StickOptions::rate>,
     .range = non_negative, .words = infinite_rate, .unit = "length^dimension/time", .fallback = ".inf",
     .only_with = "dynamics.type=brownian",
     .instead = "with ballistic say probability (the chance to become tethered, for each contact)", .example = "85",
     .shown = false,
     .what = "intrinsic rate",
     .note = ".inf: at every contact. For two alike it is the rate of each pair."},
    {.path = "contacts.pairs[].stick.valence", .member = valence_of_pair,
     .range = {.minimum = 1, .maximum = Tethers::most}, .fallback = "12", .example = "3",
     .what = "the most tethers that a partner may have",
     .note = "A list is for the first partner in between and for the second. Tethers of all rules count."},
    {.path = "contacts.pairs[].stick.break_rate", .member = at<&PairRule::stick, &StickOptions::break_rate>,
     .range = non_negative, .unit = "1/time", .fallback = "0", .example = "0.5",
     .what = "how often a tether breaks, per time",
     .note = "Between steps, with probability 1 - exp(-break_rate timestep)."},
    {.path = "contacts.pairs[].thermal", .member = at<&PairRule::thermal>,
     .otherwise = "the surface has no temperature", .shown = false,
     .what = "particles leave the walls, or the body, with velocities of a gas at a temperature",
     .note = "Whatever their velocity before: normal to the surface that of a flux through it, along it normal "
             "numbers. It acts in an equilibration too. The energy given is the observable given_energy."},
    {.path = "contacts.pairs[].thermal.kT", .member = at<&PairRule::thermal, &ThermalOptions::kT>, .range = positive,
     .unit = "energy", .only_with = "dynamics.type=ballistic",
     .instead = "with brownian all particles are at dynamics.kT", .example = "2",
     .what = "k_B times the temperature of the surface"},

    {.path = "decays", .member = at<&Config::decays>, .otherwise = "no particle decays", .shown = false,
     .what = "particles that become others by themselves",
     .note = "In each half of a step, before the drive and after the drift, with probability 1 - exp(-rate timestep / "
             "2); several decays of a species compete. Where the species passes all, products must have room."},
    {.path = "decays[].from", .member = decaying_species, .example = "sphere",
     .what = "the species that decays"},
    {.path = "decays[].to", .member = products_of_decay, .example = "[sphere, sphere]",
     .what = "the products",
     .note = "The first is what becomes of the particle; without products it ends. Two products touch, with their "
             "centre of mass where the particle was, and have its velocity. The second has a new id. Of a "
             "product of two into one it has the id of the one that had ended."},
    {.path = "decays[].rate", .member = at<&DecayRule::rate>, .range = non_negative, .unit = "1/time",
     .example = "10",
     .what = "decays per time of a particle"},
});
// clang-format on

static_assert(have_right_owners(of_motion_table),
              "of_motion: a row's member is not of the type that its path leads to");

}  // namespace

std::span<const Option> of_motion() { return of_motion_table; }

}  // namespace ricochet::rows
