// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of the table of keys (config_table.hpp), in the order of the reference. To add a key, copy a row
// and add its member to config.hpp.
#include <algorithm>
#include <array>

#include "config/config_member.hpp"
#include "config/config_table.hpp"

namespace ricochet {

namespace {

using namespace detail;
using Kind = OptionKind;

constexpr Range positive{.minimum = 0, .above_minimum = true};
constexpr Range non_negative{.minimum = 0};
/// Range of the edges of the box, whose squares the searches form in single precision.
constexpr Range edge_range{.minimum = 1e-12, .maximum = 1e18};
constexpr Range length_range{.minimum = 1.001};
constexpr Range fraction{.minimum = 0, .maximum = 1};
constexpr Range count_range{.minimum = 0, .maximum = 1e15};
constexpr Range seed_range{.minimum = 0, .maximum = 0x1p63};
constexpr Range boxes_range{.minimum = 0, .maximum = 256};
constexpr Range leaf_range{.minimum = 1, .maximum = 1e9};
constexpr Range depth_range{.minimum = 0, .maximum = 64};
constexpr std::array last_frame{Word{"last", 0}};
constexpr std::array infinite_rate{Word{".inf", 0}};

// One record per key: more fields to a line than clang-format would put there.
// clang-format off
constexpr auto table = std::to_array<Option>({
    {.path = "title", .member = at<&Config::title>, .fallback = "\"\"",
     .example = "Equal hard spheres at volume fraction 0.3",
     .what = "what the run is"},

    {.path = "units", .defaulted = true,
     .what = "the units that the numbers are in",
     .note = "Words for the log and the file: nothing is converted, so all numbers must be in one consistent "
             "system (unit of mass = energy time^2 / length^2)."},
    {.path = "units.length", .member = at<&Config::units, &UnitWords::length>, .fallback = "unstated",
     .example = "sigma",
     .what = "unit of length"},
    {.path = "units.time", .member = at<&Config::units, &UnitWords::time>, .fallback = "unstated",
     .example = "sigma sqrt(m/kT)",
     .what = "unit of time"},
    {.path = "units.energy", .member = at<&Config::units, &UnitWords::energy>, .fallback = "unstated",
     .example = "kT",
     .what = "unit of energy"},

    {.path = "box",
     .what = "the box, [0, L) along each axis"},
    {.path = "box.size", .member = box_size, .range = edge_range, .unit = "length", .example = "[10, 10, 10]",
     .what = "edge lengths",
     .note = "Three for spheres, two for discs. Ranks cut the box along the first axis. Positions are multiples of "
             "2^-53 of an edge, which may be 1e-6 of the smallest radius."},
    {.path = "box.boundary", .member = box_boundary, .fallback = "periodic",
     .example = "[periodic, periodic, periodic]",
     .what = "what closes each axis",
     .note = "One word for all axes or one per axis."},

    {.path = "species", .member = at<&Config::species>,
     .what = "the kinds of particles",
     .note = "A list with one entry per species."},
    {.path = "species[].name", .member = at<&Species::name>, .kind = Kind::name, .example = "sphere",
     .what = "name of the species"},
    {.path = "species[].radius", .member = at<&Species::radius>, .range = positive, .unit = "length",
     .example = "0.5",
     .what = "radius of the particles"},
    {.path = "species[].radius.lognormal", .member = at<&Species::radius_distribution>, .shown = false,
     .what = "radii drawn from a log-normal distribution, cut at both ends"},
    {.path = "species[].radius.lognormal.median",
     .member = at<&Species::radius_distribution, &LogNormalRadius::median>, .range = positive,
     .unit = "length", .example = "0.5",
     .what = "median of the uncut distribution"},
    {.path = "species[].radius.lognormal.sigma",
     .member = at<&Species::radius_distribution, &LogNormalRadius::sigma>,
     .range = {.minimum = 0.001, .maximum = 5}, .example = "0.3",
     .what = "standard deviation of ln(radius), uncut"},
    {.path = "species[].radius.lognormal.min",
     .member = at<&Species::radius_distribution, &LogNormalRadius::minimum>, .range = positive,
     .unit = "length", .example = "0.2",
     .what = "smallest radius"},
    {.path = "species[].radius.lognormal.max",
     .member = at<&Species::radius_distribution, &LogNormalRadius::maximum>, .range = positive,
     .unit = "length", .example = "1",
     .what = "largest radius"},
    {.path = "species[].mass", .member = at<&Species::mass>, .range = positive, .unit = "mass",
     .needed_with = "dynamics.type=ballistic", .example = "1",
     .what = "mass of a particle"},
    {.path = "species[].diffusion", .member = at<&Species::diffusion>, .range = positive,
     .unit = "length^2/time", .needed_with = "dynamics.type=brownian", .example = "1", .shown = false,
     .what = "diffusion coefficient"},
    {.path = "species[].diffusion.stokes_einstein", .member = at<&Species::stokes_einstein>, .shown = false,
     .what = "D = temperature / (6 pi viscosity radius), for each particle's own radius"},
    {.path = "species[].diffusion.stokes_einstein.viscosity",
     .member = at<&Species::stokes_einstein, &StokesEinstein::viscosity>, .range = positive,
     .unit = "energy time/length^3", .example = "0.1",
     .what = "viscosity of the solvent"},
    {.path = "species[].diffusion.stokes_einstein.temperature",
     .member = at<&Species::stokes_einstein, &StokesEinstein::temperature>, .range = positive,
     .unit = "energy", .otherwise = "dynamics.kT", .example = "1",
     .what = "k_B times the temperature of the solvent"},
    {.path = "species[].count", .member = at<&Species::count>, .range = count_range, .group = "count",
     .only_with = "placement.method=random|dense|grow|lattice", .example = "573",
     .what = "number of particles in the box"},
    {.path = "species[].number_density", .kind = Kind::number, .range = positive,
     .unit = "1/length^dimension", .group = "count", .only_with = "placement.method=random|dense|grow|lattice",
     .example = "0.573", .shown = false,
     .what = "particles per volume, in 2D per area",
     .note = "The count is the nearest integer."},
    {.path = "species[].volume_fraction", .kind = Kind::number,
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true}, .group = "count",
     .only_with = "placement.method=random|dense|grow|lattice", .example = "0.3", .shown = false,
     .what = "fraction of the volume, in 2D of the area, that the species fills",
     .note = "The count is the nearest integer, by the mean volume of a particle."},

    {.path = "placement", .defaulted = true,
     .what = "where particles start"},
    {.path = "placement.method", .member = at<&Config::placement, &PlacementOptions::method>,
     .fallback = "random",
     .what = "how particles are put into the box"},
    {.path = "placement.rate", .member = at<&Config::placement, &PlacementOptions::rate>,
     .range = {.minimum = 0, .maximum = 10, .above_minimum = true}, .only_with = "placement.method=grow",
     .example = "0.1", .shown = false,
     .what = "speed at which the largest diameter grows, over the thermal speed sqrt(kT/m)",
     .note = "A physical choice: below 0.01 a fluid stays near equilibrium, and equal particles crystallise above "
             "freezing; 0.1 and more leave a glass, or a random packing. Contacts per particle are about 10 to 20 "
             "over the rate."},
    {.path = "placement.from", .member = at<&Config::placement, &PlacementOptions::from>,
     .range = {.minimum = 0, .maximum = 0.34, .above_minimum = true}, .fallback = "0.3",
     .only_with = "placement.method=grow", .shown = false,
     .what = "volume fraction, in 2D area fraction, from which particles grow",
     .note = "Random placement goes so far."},
    {.path = "placement.type", .member = at<&Config::placement, &PlacementOptions::lattice>,
     .only_with = "placement.method=lattice", .example = "sc", .shown = false,
     .what = "kind of lattice",
     .note = "sc and fcc for spheres, square and hexagonal for discs."},
    {.path = "placement.path", .member = at<&Config::placement, &PlacementOptions::path>,
     .only_with = "placement.method=file", .example = "start.csv", .shown = false,
     .what = "file with the particles, found from the folder of the input",
     .note = "CSV with a header naming columns among id, species, x, y, z, vx, vy, vz, ix, iy, iz, radius, mass; "
             "an H5MD file; XYZ; a dump or a data file of LAMMPS. Texts may be packed by gzip. Species are found by "
             "their names. Numbers of species in H5MD (from 0) and LAMMPS (from 1) are those of this input, "
             "in its order."},
    {.path = "placement.frame", .member = at<&Config::placement, &PlacementOptions::frame>,
     .range = count_range, .words = last_frame, .fallback = "last", .only_with = "placement.method=file",
     .shown = false,
     .what = "frame of the file, from 0; in CSV a number of column frame"},
    {.path = "placement.group", .member = at<&Config::placement, &PlacementOptions::group>,
     .otherwise = "all groups together", .only_with = "placement.method=file", .example = "trajectory",
     .shown = false,
     .what = "the one group of particles to read from an H5MD file",
     .note = "Without species numbers in the file, groups named as species of this input have their particles."},

    {.path = "dynamics",
     .what = "how particles move between contacts"},
    {.path = "dynamics.type", .member = at<&Config::dynamics, &DynamicsOptions::type>, .example = "ballistic",
     .what = "equation of motion"},
    {.path = "dynamics.kT", .member = at<&Config::dynamics, &DynamicsOptions::kT>, .range = positive,
     .unit = "energy", .otherwise = "needed, unless velocities are given", .example = "1",
     .what = "k_B times the temperature"},
    {.path = "dynamics.velocities", .member = at<&Config::dynamics, &DynamicsOptions::velocities>,
     .otherwise = "given with placement from a file, else maxwell", .only_with = "dynamics.type=ballistic",
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
     .shown = false,
     .what = "largest speed of the flow"},

    {.path = "contacts", .defaulted = true,
     .what = "what happens at a contact"},
    {.path = "contacts.restitution", .member = at<&Config::contacts, &ContactOptions::restitution>,
     .range = fraction, .fallback = "1",
     .what = "coefficient of restitution",
     .note = "1: elastic. Brownian dynamics has no other."},
    {.path = "contacts.walls", .otherwise = "as between particles", .shown = false,
     .what = "contacts of particles with walls"},
    {.path = "contacts.walls.restitution", .member = at<&Config::contacts, &ContactOptions::wall_restitution>,
     .range = fraction, .example = "1",
     .what = "coefficient of restitution at walls"},
    {.path = "contacts.pairs", .member = at<&Config::contacts, &ContactOptions::pairs>,
     .otherwise = "no pair is special", .shown = false,
     .what = "rules for pairs of species"},
    {.path = "contacts.pairs[].between", .member = pair_of_species, .example = "[sphere, sphere]",
     .what = "the names of two species, or of one and wall"},
    {.path = "contacts.pairs[].faces", .member = faces_of_walls, .otherwise = "all walls",
     .example = "[x-, x+]", .shown = false,
     .what = "the walls that the rule is for",
     .note = "x- is the wall at x = 0, x+ the one opposite."},
    {.path = "contacts.pairs[].restitution", .member = at<&PairRule::restitution>, .range = fraction,
     .otherwise = "beside react and stick that of pairs without a rule; needed without react, coalesce, pass and stick",
     .example = "0.9",
     .what = "coefficient of restitution of this pair",
     .note = "Beside react: of the contacts that do not react, by chance or because a partner has tethers."},
    {.path = "contacts.pairs[].react", .member = at<&PairRule::react>, .otherwise = "partners stay what they are",
     .shown = false,
     .what = "the partners of a contact become other particles, or end",
     .note = "A partner that is of its product's species already keeps its size. Other products have that of "
             "their species."},
    {.path = "contacts.pairs[].react.to", .member = products_of_pair, .example = "[sphere]",
     .what = "the products",
     .note = "The first is what becomes of the first partner in between, the second of the second; a partner "
             "without product ends. One product is at the centre of mass and has the momentum of both. Two "
             "part as from an elastic bounce; where they part already, or react at a distance because their "
             "straight paths do not touch, they go on along these. At a wall: one product or none."},
    {.path = "contacts.pairs[].react.probability",
     .member = at<&PairRule::react, &ReactOptions::probability>, .range = fraction, .fallback = "1",
     .only_with = "dynamics.type=ballistic",
     .instead = "with brownian say rate (how many contacts there are depends on the timestep)", .example = "0.1",
     .what = "chance to react, for each contact",
     .note = "Otherwise the partners bounce."},
    {.path = "contacts.pairs[].react.rate", .member = at<&PairRule::react, &ReactOptions::rate>,
     .range = non_negative, .words = infinite_rate, .unit = "length^dimension/time, at walls length/time",
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
     .what = "partners go through each other",
     .note = "Contacts are logged and change nothing."},
    {.path = "contacts.pairs[].stick", .member = at<&PairRule::stick>, .otherwise = "partners part again",
     .shown = false,
     .what = "partners bounce, and are tethered from then on",
     .note = "Where they are as far apart as the tether is long, they turn back, elastically. A particle with tethers "
             "keeps its species: rules that would change or end it let it bounce, and it does not decay. Species that "
             "stick do not coalesce."},
    {.path = "contacts.pairs[].stick.length", .member = at<&PairRule::stick, &StickOptions::length>,
     .range = length_range, .example = "1.5",
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

    {.path = "search", .defaulted = true,
     .what = "how contacts are found"},
    {.path = "search.method", .member = at<&Config::search>, .fallback = "auto", .may_change = true,
     .what = "search for candidates",
     .note = "Changes the speed and no bit of a result."},
    {.path = "search.boxes", .member = at<&Config::search_options, &SearchOptions::num_boxes>,
     .range = boxes_range, .fallback = "0", .may_change = true,
     .what = "boxes along each axis, for the search boxes",
     .note = "0: chosen by the density. Fewer where a particle would be in more than 64 boxes on average."},
    {.path = "search.octree", .defaulted = true,
     .what = "leaves of the search octree"},
    {.path = "search.octree.max_count", .member = at<&Config::search_options, &SearchOptions::octree_max_count>,
     .range = leaf_range, .fallback = "8", .may_change = true,
     .what = "a leaf with more particles is divided"},
    {.path = "search.octree.depth", .member = at<&Config::search_options, &SearchOptions::octree_depth>,
     .range = depth_range, .fallback = "20", .may_change = true,
     .what = "how often the box may be divided"},
    {.path = "search.time_bounds", .defaulted = true,
     .what = "subspaces of the search time_bounds"},
    {.path = "search.time_bounds.side", .member = at<&Config::search_options, &SearchOptions::subspace_side>,
     .range = non_negative, .unit = "length", .fallback = "0", .may_change = true,
     .what = "edge of the subspaces, and the largest diameter of a bound",
     .note = "0: chosen. Where particles are driven or react, it grows as far as they need."},
    {.path = "search.loop", .member = at<&Config::search_loop>, .fallback = "auto", .may_change = true,
     .what = "how contacts are taken in order",
     .note = "Changes the speed and no bit of a result. The loops queue and restart are there to compare methods."},

    {.path = "run",
     .what = "how long, in which steps"},
    {.path = "run.timestep", .member = at<&Config::run, &RunOptions::timestep>, .range = positive,
     .unit = "time", .example = "0.1",
     .what = "time between exchanges",
     .note = "Ballistic contacts are exact at any timestep: it changes the speed. A Brownian path is a "
             "straight line within a step: there it is the resolution."},
    {.path = "run.steps", .member = at<&Config::run, &RunOptions::num_steps>, .range = count_range,
     .example = "100", .may_change = true,
     .what = "number of steps"},
    {.path = "run.seed", .member = at<&Config::run, &RunOptions::seed>, .range = seed_range, .fallback = "1",
     .what = "seed of all random numbers",
     .note = "The same seed gives the same bits on any number of ranks."},
    {.path = "run.equilibrate", .defaulted = true,
     .what = "a run before step 0 that is not recorded"},
    {.path = "run.equilibrate.collisions_per_particle", .member = at<&Config::run, &RunOptions::equilibrate>,
     .range = non_negative,
     .otherwise = "0, but with a dense start of ballistic particles until its contact rate is steady", .example = "5",
     .what = "how long: until a particle had this many collisions on average",
     .note = "0: no such run. A contact rate is steady when those of the last three quarters of this run agree "
             "within 1 %, after 100 to 2,000 collisions per particle; above freezing 100 end it. The run says what "
             "the order of the bonds (Q6, psi6) is then, and whether it is a glass that ages."},
    {.path = "run.contact_cap", .member = at<&Config::run, &RunOptions::contact_cap>,
     .range = {.minimum = 1, .maximum = 1e9}, .fallback = "100000", .may_change = true,
     .what = "contacts of one particle in one step that end the run",
     .note = "Ends inelastic collapse and rattling in contact, which have no end of their own."},
    {.path = "run.reaction_steps", .member = at<&Config::run, &RunOptions::reaction_steps>,
     .fallback = "moderate", .may_change = true,
     .what = "steps that are accepted where Brownian particles react, stick or coalesce",
     .note = "The relative step is s = (2 (D_1 + D_2) timestep)^1/2, over the contact distance R. Reactions that are "
             "slow beside diffusion come 1.17 times too often at s/R = 2, and 1.70 times at 6.3."},
    {.path = "run.sub_window", .member = at<&Config::run, &RunOptions::sub_window>,
     .range = {.minimum = 0, .maximum = 10, .above_minimum = true}, .fallback = "0.05", .may_change = true,
     .what = "tuning: expected contacts per particle in a sub-window of a step",
     .note = "Several ranks take 1.4 times as much. Changes the speed and no bit of a result."},
    {.path = "run.halo_margin", .member = at<&Config::run, &RunOptions::halo_margin>,
     .range = {.minimum = 0.1, .maximum = 10}, .fallback = "0.5", .may_change = true,
     .what = "tuning: a in the halo's width r_a + r_b + 2 a d_max, d_max the largest displacement",
     .note = "Changes the speed and no bit of a result."},
    {.path = "run.balance", .member = at<&Config::run, &RunOptions::balance>, .fallback = "measured",
     .may_change = true,
     .what = "tuning: where ranks cut the box",
     .note = "Changes the speed and no bit of a result."},
    {.path = "run.watchdog", .member = at<&Config::run, &RunOptions::watchdog>, .range = non_negative,
     .unit = "minutes", .fallback = "10", .may_change = true,
     .what = "wall-clock time without a completed step that ends the run",
     .note = "With a message that says where each rank was. 0: none."},

    {.path = "output", .defaulted = true,
     .what = "the result"},
    {.path = "output.file", .member = at<&Config::output, &OutputOptions::file>,
     .otherwise = "the input's name with .h5md for its ending, in the working directory",
     .example = "all_options.h5md", .may_change = true,
     .what = "name of the HDF5 file"},
    {.path = "output.author", .member = at<&Config::output, &OutputOptions::author>, .fallback = "unknown",
     .example = "Ada Lovelace", .may_change = true,
     .what = "who made the result",
     .note = "H5MD's /h5md/author; nothing else depends on it."},
    {.path = "output.trajectory_every", .member = at<&Config::output, &OutputOptions::trajectory_every>,
     .range = count_range, .fallback = "100", .example = "50", .may_change = true,
     .what = "steps from one frame of the trajectory to the next",
     .note = "0: no trajectory."},
    {.path = "output.observables_every", .member = at<&Config::output, &OutputOptions::observables_every>,
     .range = count_range, .fallback = "10", .may_change = true,
     .what = "steps from one row of observables to the next",
     .note = "0: no observables. Equal to trajectory_every: other H5MD readers find them too, in "
             "/observables."},
    {.path = "output.collisions", .member = collision_choice, .fallback = "all",
     .what = "contacts to log",
     .note = "Or a list of pairs of species, e.g. [[sphere, sphere], [sphere, wall]]."},
    {.path = "output.collision_byte_budget",
     .member = at<&Config::output, &OutputOptions::collision_byte_budget>, .range = count_range,
     .fallback = "1073741824",
     .what = "bytes of collision log after which logging ends",
     .note = "The run says so and goes on."},
    {.path = "output.precision", .member = at<&Config::output, &OutputOptions::precision>,
     .fallback = "float64",
     .what = "numbers in the trajectory"},
    {.path = "output.compression", .member = at<&Config::output, &OutputOptions::compression>,
     .otherwise = "none, but gzip where particles are born, since each keeps its row", .example = "none",
     .what = "how frames are packed",
     .note = "gzip takes most of the space of images, ids and species, a tenth of that of positions, and "
             "several times as long to write. Readers need not know."},
    {.path = "output.survives", .member = at<&Config::output, &OutputOptions::survives>, .fallback = "kill",
     .may_change = true,
     .what = "what may happen at any moment and leaves a result that can be continued",
     .note = "Kills need no more than the order of writes. For loss of power each block's old content is synced to the "
             "disk before the block is overwritten: 1.4 to 4 ms more for each frame on a local disk."},
    {.path = "output.sync_every_seconds", .member = at<&Config::output, &OutputOptions::sync_every_seconds>,
     .range = non_negative, .fallback = "30", .may_change = true,
     .what = "wall-clock seconds after which a flush of the result waits for the disk",
     .note = "Checkpoints and the end wait, too. Kills need no such wait. After a loss of power, rows since the latest "
             "one may be missing. 0: every flush, as always with survives: power_loss."},
    {.path = "output.checkpoint", .defaulted = true,
     .what = "files from which ricochet run --continue goes on",
     .note = "Beside the result, as <file>.checkpoint-<step>. On USR1, TERM, INT and at the limits of "
             "--max-hours and RICOCHET_STOP_AT, and at the last step, one is written in any case: a run that "
             "has ended can be made longer by --continue --steps."},
    {.path = "output.checkpoint.every_steps",
     .member = at<&Config::output, &OutputOptions::checkpoint, &CheckpointOptions::every_steps>,
     .range = count_range, .fallback = "0", .may_change = true,
     .what = "steps from one checkpoint to the next",
     .note = "0: not by steps."},
    {.path = "output.checkpoint.every_minutes",
     .member = at<&Config::output, &OutputOptions::checkpoint, &CheckpointOptions::every_minutes>,
     .range = non_negative, .fallback = "30", .may_change = true,
     .what = "wall-clock minutes from one checkpoint to the next",
     .note = "0: not by time."},
    {.path = "output.checkpoint.keep",
     .member = at<&Config::output, &OutputOptions::checkpoint, &CheckpointOptions::keep>,
     .range = {.minimum = 0, .maximum = 1000}, .fallback = "2", .may_change = true,
     .what = "how many of the newest checkpoints stay",
     .note = "0: one while the run goes on, and none once it has ended, which cannot be made longer then."},
});
// clang-format on

/// The type that owns the members of a row: the items of the list around it, or the Config.
constexpr std::string_view owner_of_row(std::string_view path) {
    const std::size_t list = path.rfind("[]");
    for (const Option& row : table)
        if (list != std::string_view::npos && row.path == path.substr(0, list)) return row.member.item;
    return type_name<Config>();
}

constexpr bool has_right_owner(const Option& row) {
    return row.member.owner.empty() || row.member.owner == owner_of_row(row.path);
}

static_assert(std::all_of(table.begin(), table.end(), has_right_owner),
              "a row's chain of members starts at the Config, or at the item of the list in its path");

}  // namespace

std::span<const Option> config_table() { return table; }

}  // namespace ricochet
