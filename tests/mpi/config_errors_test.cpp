// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with an input, and where: every message in full. Each case changes one part of a good input.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

const std::string species_section = good_input.substr(
    good_input.find("species:"), good_input.find("placement:") - good_input.find("species:"));

struct BadInput {
    std::string part;      ///< of the good input; all of its occurrences are replaced
    std::string with;      ///< what stands there instead
    std::string messages;  ///< the whole text of the error
};

void expect_messages(const std::vector<BadInput>& cases) {
    for (const BadInput& bad : cases) {
        ASSERT_NE(good_input.find(bad.part), std::string::npos) << bad.part;
        EXPECT_EQ(messages_of(changed(good_input, bad.part, bad.with)), bad.messages) << bad.with;
    }
}

const std::vector<BadInput> malformed = {
    {"title: test", "title: 5 \xb5m",
     "a.yaml:1:10: got the byte \\xb5, expected text in UTF-8; iconv -f LATIN1 -t UTF-8 converts the usual "
     "other one"},
    {"{timestep: 0.1, steps: 10}", "{timestep: 0.1, steps: 10",
     "a.yaml:10:7: malformed YAML: end of map flow not found; is a bracket missing, or a blank after a "
     "colon?"},
    {"title: test", "title: [a, b",
     "a.yaml:2:4: malformed YAML: end of sequence flow not found; is a bracket missing, or a blank after "
     "a colon?"},
    {"title: test", "title: 'test", "a.yaml:1:8: malformed YAML: a quote without its end"},
    {"title: test", "title: test\n\tunits: {}",
     "a.yaml:2:1: malformed YAML: illegal tab when looking for indentation"},
    {"title: test", "title: &x test\nunits: {length: *x}",
     "a.yaml:2:17: got an alias (*name), expected the value itself"},
    {"title: test", "title: test\n? [a, b]\n: c", "a.yaml:2:3: got a key that is not a word"},
    {"title: test", "title: test\n---\nsecond: 1", "a.yaml:3:1: got a second document, expected one"},
    {"title: test", "title: test\n---", "a.yaml:3:1: got a second document, expected one"},
    {good_input, "",
     "a.yaml:1:1: got nothing, expected a section with title, units, box, walls, bodies, species, placement, "
     "dynamics, "
     "fields, self_gravity, contacts, decays, search, run, output"},
    {good_input, "# nothing\n",
     "a.yaml:1:1: got nothing, expected a section with title, units, box, walls, bodies, species, placement, "
     "dynamics, "
     "fields, self_gravity, contacts, decays, search, run, output"},
    {good_input, "just words\n",
     "a.yaml:1:1: got just words, expected a section with title, units, box, walls, bodies, species, "
     "placement, "
     "dynamics, "
     "fields, self_gravity, contacts, decays, search, run, output"},
    {good_input, "- a\n- b\n",
     "a.yaml:1:1: got a list of 2, expected a section with title, units, box, walls, bodies, species, "
     "placement, "
     "dynamics, "
     "fields, self_gravity, contacts, decays, search, run, output"},
};

const std::vector<BadInput> bad_keys = {
    {"title: test", "titel: test", "a.yaml:1:1: titel: unknown key, did you mean title?"},
    {"title: test", "title: #3",
     "a.yaml:1:1: title: got nothing, expected a text (what the run is); a text with # in front needs "
     "quotes, "
     "else it is a comment"},
    {"title: test", "run.seed: 3",
     "a.yaml:1:1: run.seed: unknown key, expected the section run with the key seed"},
    {"{timestep: 0.1, steps: 10}", "{timestep: 0.1, steps: 10, equilibrate.collisions_per_particle: 1}",
     "a.yaml:9:33: run.equilibrate.collisions_per_particle: unknown key, expected the section "
     "equilibrate with the key collisions_per_particle"},
    {"title: test", "timestep: 3", "a.yaml:1:1: timestep: unknown key, did you mean run.timestep?"},
    {"title: test", "temperature: 3",
     "a.yaml:1:1: temperature: unknown key, did you mean dynamics.kT (k_B times the temperature)?"},
    {"{timestep: 0.1, steps: 10}", "{timestep: 0.1, steps: 10, Total-Time: 1}",
     "a.yaml:9:33: run.Total-Time: unknown key, did you mean run.steps (the time is steps times timestep)?"},
    {"radius: 0.4", "radius: 0.4, diameter: 1",
     "a.yaml:5:28: species.1.diameter: unknown key, did you mean species[].radius (half of the diameter)?"},
    {"title: test", "gravity: [0, 0, -9.8]",
     "a.yaml:1:1: gravity: unknown key, did you mean fields.gravity (the acceleration along each axis)?"},
    {"title: test", "force: [0, 0, -9.8]",
     "a.yaml:1:1: force: unknown key; there is no force but fields.gravity and self_gravity (ballistic), "
     "fields.drift and species.force (Brownian)"},
    {"title: test", "frobnicate: 3",
     "a.yaml:1:1: frobnicate: unknown key, expected one of title, units, box, walls, bodies, species, "
     "placement, "
     "dynamics, "
     "fields, self_gravity, contacts, decays, search, run, output"},
    {"title: test", "title: test\ntitle: again", "a.yaml:2:1: title: given twice, first in line 1"},
    {"title: test", "\"a b\": 1",
     "a.yaml:1:1: \"a b\": unknown key, expected one of title, units, box, walls, bodies, species, "
     "placement, "
     "dynamics, "
     "fields, self_gravity, contacts, decays, search, run, output"},
    {"run: {timestep: 0.1, steps: 10}", "run: {timestep: 0.1, steps: 10}\nrun: {timestep: 0.2, steps: 5}",
     "a.yaml:10:1: run: given twice, first in line 9"},
    {"timestep: 0.1,", "timestep: 0.1, timestep: 0.1,",
     "a.yaml:9:22: run.timestep: given twice, first in line 9"},
    {"{timestep: 0.1, steps: 10}", "{}",
     "a.yaml:9:6: run.timestep: missing, expected a number > 0 (time between exchanges)\n"
     "a.yaml:9:6: run.steps: missing, expected an integer from 0 to 1e+15 (number of steps)"},
    {"run: {timestep: 0.1, steps: 10}\n", "",
     "a.yaml:1:1: run: missing, expected a section with timestep, steps, seed, equilibrate, contact_cap, "
     "reaction_steps, sub_window, halo_margin, balance, watchdog (how long, in which steps)"},
    {"run: {timestep: 0.1, steps: 10}", "run:",
     "a.yaml:9:1: run: got nothing, expected a section with timestep, steps, seed, equilibrate, contact_cap, "
     "reaction_steps, sub_window, halo_margin, balance, watchdog (how long, in which steps)"},
    {"run: {timestep: 0.1, steps: 10}", "run: 5",
     "a.yaml:9:6: run: got 5, expected a section with timestep, steps, seed, equilibrate, contact_cap, "
     "reaction_steps, sub_window, halo_margin, balance, watchdog (how long, in which steps)"},
};

const std::vector<BadInput> bad_numbers = {
    {"steps: 10", "steps: -1",
     "a.yaml:9:29: run.steps: got -1, expected an integer from 0 to 1e+15 (number of steps)"},
    {"steps: 10", "steps: 2.5",
     "a.yaml:9:29: run.steps: got 2.5, expected an integer from 0 to 1e+15 (number of steps)"},
    {"steps: 10", "steps: 1e300",
     "a.yaml:9:29: run.steps: got 1e300, expected an integer from 0 to 1e+15 (number of steps)"},
    {"steps: 10", "steps: 99999999999999999999",
     "a.yaml:9:29: run.steps: got 99999999999999999999, expected an integer from 0 to 1e+15 (number of "
     "steps)"},
    {"steps: 10", "steps: ten",
     "a.yaml:9:29: run.steps: got ten, expected an integer from 0 to 1e+15 (number of steps)"},
    {"steps: 10", "steps: 10, contact_cap: 0",
     "a.yaml:9:46: run.contact_cap: got 0, expected an integer from 1 to 1e+09 (contacts of one particle in "
     "one step that end the run)"},
    {"steps: 10", "steps: 10, sub_window: 11",
     "a.yaml:9:45: run.sub_window: got 11, expected a number > 0 and <= 10 (tuning: expected contacts per "
     "particle in a sub-window of a step)"},
    {"steps: 10", "steps: 10, seed: -3",
     "a.yaml:9:39: run.seed: got -3, expected an integer from 0 to 9.223e+18 (seed of all random numbers)"},
    {"steps: 10", "steps: 10, equilibrate: {collisions_per_particle: -1}",
     "a.yaml:9:72: run.equilibrate.collisions_per_particle: got -1, expected a number >= 0 (how long: until "
     "a particle had this many collisions on average)"},
    {"run:", "search: {method: cells_crossing, loop: windows}\nrun:",
     "a.yaml:9:40: search.loop: got windows, expected queue, restart or precheck with search.method "
     "cells_crossing"},
    {"restitution: 1}", "pairs: [{between: [a, b], pass: {}}]}\nsearch: {method: delaunay}",
     "a.yaml:9:18: search.method: got delaunay, expected another method where contacts do more than bounce "
     "or "
     "particles decay (it needs particles that never overlap)"},
    {"restitution: 1", "restitution: 1.5",
     "a.yaml:8:25: contacts.restitution: got 1.5, expected a number from 0 to 1 or a section with bridges "
     "(coefficient of "
     "restitution)"},
    {"restitution: 1", "restitution: -0.1",
     "a.yaml:8:25: contacts.restitution: got -0.1, expected a number from 0 to 1 or a section with bridges "
     "(coefficient of "
     "restitution)"},
};

const std::vector<BadInput> bad_boxes = {
    {"[10, 12, 14]", "10",
     "a.yaml:2:13: box.size: got 10, expected a list of 2 or 3 numbers from 1e-12 to 1e+18 (edge lengths)"},
    {"[10, 12, 14]", "[10, 12, 14, 16]",
     "a.yaml:2:13: box.size: got a list of 4, expected a list of 2 or 3 numbers from 1e-12 to 1e+18 (edge "
     "lengths)"},
    {"[10, 12, 14]", "[]",
     "a.yaml:2:13: box.size: got an empty list, expected a list of 2 or 3 numbers from 1e-12 to 1e+18 (edge "
     "lengths)"},
    {"[10, 12, 14]", "[10, 0, 14]",
     "a.yaml:2:18: box.size.1: got 0, expected a number from 1e-12 to 1e+18 (edge lengths)"},
    {"[10, 12, 14]", "[10, twelve, 14]",
     "a.yaml:2:18: box.size.1: got twelve, expected a number from 1e-12 to 1e+18 (edge lengths)"},
    {"[10, 12, 14]", "[2, 12, 1.5]",
     "a.yaml:2:14: box.size: got 2 along x, expected a number > 2 (4 times the largest radius along a "
     "periodic axis)\n"
     "a.yaml:2:21: box.size: got 1.5 along z, expected a number > 2 (4 times the largest radius along a "
     "periodic axis)"},
    {"[10, 12, 14]}", "[1, 12, 0.9], boundary: reflecting}",
     "a.yaml:2:14: box.size: got 1 along x, expected a number > 1 (2 times the largest radius along a walled "
     "axis)\n"
     "a.yaml:2:21: box.size: got 0.9 along z, expected a number > 1 (2 times the largest radius along a "
     "walled axis)"},
    {"[10, 12, 14]", "[10, 4e9, 14]",
     "a.yaml:2:13: box.size: got 4e+09 along y, where positions are multiples of 4.44089e-07, expected at "
     "most "
     "3.60288e+09, where they are 1e-06 of the smallest radius 0.4; take a smaller box or larger particles"},
    {"mass: 1,", "mass: 1e-300,",
     "a.yaml:4:34: species.0.mass: got 1e-300, expected a magnitude from 1e-100 to 1e100 (mass of a "
     "particle)\n"
     "a.yaml:5:34: species.1.mass: got 1e-300, expected a magnitude from 1e-100 to 1e100 (mass of a "
     "particle)"},
    {"[10, 12, 14]}", "[10, 12, 14], boundary: [periodic, periodic]}",
     "a.yaml:2:37: box.boundary: got 2 words for a box of 3 dimensions, expected one per axis"},
    {"[10, 12, 14]}", "[10, 12], boundary: [periodic, periodic, periodic]}",
     "a.yaml:2:33: box.boundary: got 3 words for a box of 2 dimensions, expected one per axis"},
    {"[10, 12, 14]}", "[10, 12, 14], boundary: [periodic, peridoic, open]}",
     "a.yaml:2:48: box.boundary.1: got peridoic, expected one of periodic, reflecting (what closes each "
     "axis), did you mean periodic?"},
    {"[10, 12, 14]}", "[10, 12, 14], boundary: walls}",
     "a.yaml:2:37: box.boundary: got walls, expected one of periodic, reflecting, or a list of them (what "
     "closes each axis)"},
};

const std::vector<BadInput> bad_species = {
    {species_section, "species: []\n",
     "a.yaml:3:10: species: got 0 entries, expected 1 to 1000 (the kinds of particles)"},
    {species_section, "species: {name: a}\n",
     "a.yaml:3:10: species: got a section, expected a list of sections (the kinds of particles)"},
    {species_section, "species: [a, b]\n",
     "a.yaml:3:11: species.0: got a, expected a section\n"
     "a.yaml:3:14: species.1: got b, expected a section"},
    {"name: b", "name: a", "a.yaml:5:12: species.1.name: got a twice, expected names that differ"},
    {"name: b", "name: wall",
     "a.yaml:5:12: species.1.name: got wall, expected another name (walls have this one)"},
    {"name: b", "name: a/b",
     "a.yaml:5:12: species.1.name: got a/b, expected a name of letters, digits, _ . + - (name of the "
     "species)"},
    {"name: b", "name: \"\"",
     "a.yaml:5:12: species.1.name: got \"\", expected a name of letters, digits, _ . + - (name of the "
     "species)"},
    {"name: b, radius: 0.4", "name: b", "a.yaml:5:5: species.1: missing, expected one of radius, shape"},
    {"radius: 0.4", "radius: 0",
     "a.yaml:5:23: species.1.radius: got 0, expected a number > 0 or a section with lognormal (radius of the "
     "particles)"},
    {"radius: 0.4", "radius: {lognormal: {median: 0.4, sigma: 0, min: 0.1, max: 0.5}}",
     "a.yaml:5:56: species.1.radius.lognormal.sigma: got 0, expected a number from 0.001 to 5 (standard "
     "deviation of ln(radius), uncut)"},
    {"radius: 0.4", "radius: {lognormal: {median: 0.4, sigma: 0.1, min: 0.5, max: 0.5}}",
     "a.yaml:5:76: species.1.radius.lognormal.max: got 0.5, expected a number > min = 0.5 (largest radius)"},
    {"radius: 0.4", "radius: {lognormal: {median: 0.4, sigma: 0.1}}",
     "a.yaml:5:35: species.1.radius.lognormal.min: missing, expected a number > 0 (smallest radius)\n"
     "a.yaml:5:35: species.1.radius.lognormal.max: missing, expected a number > 0 (largest radius)"},
    {"radius: 0.4", "radius: {normal: {mean: 0.4}}",
     "a.yaml:5:23: species.1.radius.lognormal: missing, expected a section with median, sigma, min, max "
     "(radii drawn from a log-normal distribution, cut at both ends)\n"
     "a.yaml:5:24: species.1.radius.normal: unknown key, expected lognormal"},
    {"radius: 0.4", "radius: 6",
     "a.yaml:2:14: box.size: got 10 along x, expected a number > 24 (4 times the largest radius along a "
     "periodic axis)\n"
     "a.yaml:2:18: box.size: got 12 along y, expected a number > 24 (4 times the largest radius along a "
     "periodic axis)\n"
     "a.yaml:2:22: box.size: got 14 along z, expected a number > 24 (4 times the largest radius along a "
     "periodic axis)\n"
     "a.yaml:4:3: species: got a volume fraction of 5.389 in all, expected at most 0.74048 (closest packing "
     "of equal spheres)"},
    {"mass: 1, diffusion: 1, count: 10}\nplacement", "diffusion: 1, count: 10}\nplacement",
     "a.yaml:5:5: species.1.mass: missing, expected a number > 0 (mass of a particle)"},
    {"diffusion: 1, count: 10}\nplacement",
     "diffusion: {stokes_einstein: {viscosity: -1}}, count: 10}\nplacement",
     "a.yaml:5:78: species.1.diffusion.stokes_einstein.viscosity: got -1, expected a number > 0 (viscosity "
     "of the solvent)"},
    {"count: 10}\nplacement", "count: 10.5}\nplacement",
     "a.yaml:5:58: species.1.count: got 10.5, expected an integer from 0 to 1e+15 (number of particles in "
     "the box)"},
    {"count: 10}\nplacement", "count: 1e16}\nplacement",
     "a.yaml:5:58: species.1.count: got 1e16, expected an integer from 0 to 1e+15 (number of particles in "
     "the box)"},
    {"count: 10}\nplacement", "count: 10, number_density: 0.1}\nplacement",
     "a.yaml:5:62: species.1.number_density: got count too, expected only one of count, number_density, "
     "volume_fraction"},
    {", count: 10}\nplacement", "}\nplacement",
     "a.yaml:5:5: species.1: missing, expected one of count, number_density, volume_fraction"},
    {"count: 10}\nplacement", "volume_fraction: 0.9}\nplacement",
     "a.yaml:4:3: species: got a volume fraction of 0.9031 in all, expected at most 0.74048 (closest packing "
     "of equal spheres)"},
    {"count: 10}\nplacement", "volume_fraction: 1.1}\nplacement",
     "a.yaml:5:68: species.1.volume_fraction: got 1.1, expected a number > 0 and <= 1 (fraction of the "
     "volume, in 2D of the area, that the species fills)"},
    {"count: 10}\nplacement", "volume_fraction: 1e-9}\nplacement",
     "a.yaml:5:68: species.1.volume_fraction: got 1e-9, which is 6.27e-06 particles in this box, expected 1 "
     "to 1e15"},
    {"count: 10}\nplacement", "number_density: 1e90}\nplacement",
     "a.yaml:5:67: species.1.number_density: got 1e90, which is 1.68e+93 particles in this box, expected 1 "
     "to 1e15"},
    {"count: 10", "count: 0", "a.yaml:4:3: species: got no particles at all, expected at least 1"},
};

const std::vector<BadInput> bad_placements_and_dynamics = {
    {"{method: random}", "{method: rnadom}",
     "a.yaml:6:21: placement.method: got rnadom, expected one of random, dense, grow, lattice, file (how "
     "particles "
     "are "
     "put into the box), did you mean random?"},
    {"{method: random}", "{method: lattice}",
     "a.yaml:6:12: placement.type: missing, expected one of sc, fcc, square, hexagonal (kind of lattice)"},
    {"{method: random}", "{method: lattice, type: square}",
     "a.yaml:6:36: placement.type: got square for a box of 3 dimensions, expected sc or fcc"},
    {"{method: random}", "{method: lattice, type: bcc}",
     "a.yaml:6:36: placement.type: got bcc, expected one of sc, fcc, square, hexagonal (kind of lattice), "
     "did you mean fcc?"},
    {"{method: random}", "{method: random, type: sc}",
     "a.yaml:6:35: placement.type: only has a meaning with placement.method lattice"},
    {"{method: random}", "{method: grow}",
     "a.yaml:6:12: placement.rate: missing, expected a number > 0 and <= 1 (speed at which the largest "
     "diameter grows, over the thermal speed sqrt(kT/m))"},
    {"count: 10}\nplacement: {method: random}",
     "volume_fraction: 0.3}\nplacement: {method: grow, rate: 0.1, until_pressure: 10}",
     "a.yaml:5:68: species.1.volume_fraction: got a density with placement.until_pressure, expected count "
     "(the "
     "pressure finds the size of the box)"},
    {"{method: random}", "{method: grow, rate: 0.1, until_pressure: 1}",
     "a.yaml:6:54: placement.until_pressure: got 1, expected a number from 2 to 1e+12 (reduced pressure p "
     "V/(N kT) "
     "at which growth ends)"},
    {"{method: random}", "{method: grow, rate: 2, from: 0.5}",
     "a.yaml:6:33: placement.rate: got 2, expected a number > 0 and <= 1 (speed at which the largest "
     "diameter "
     "grows, over the thermal speed sqrt(kT/m))\n"
     "a.yaml:6:42: placement.from: got 0.5, expected a number > 0 and <= 0.34 (volume fraction, in 2D area "
     "fraction, from which particles grow)"},
    {"{method: random}", "{method: dense, rate: 0.1, from: 0.3}",
     "a.yaml:6:34: placement.rate: only has a meaning with placement.method grow\n"
     "a.yaml:6:45: placement.from: only has a meaning with placement.method grow"},
    {"{method: random}", "{method: file, path: start.csv}",
     "a.yaml:4:58: species.0.count: only has a meaning with placement.method random, dense, grow or lattice\n"
     "a.yaml:5:58: species.1.count: only has a meaning with placement.method random, dense, grow or lattice"},
    {"{method: random}", "{method: random, path: start.csv, frame: 0}",
     "a.yaml:6:35: placement.path: only has a meaning with placement.method file\n"
     "a.yaml:6:53: placement.frame: only has a meaning with placement.method file"},
    {"type: ballistic, kT: 1", "kT: 1",
     "a.yaml:7:11: dynamics.type: missing, expected one of ballistic, brownian (equation of motion)"},
    {"type: ballistic, kT: 1", "type: ballistic",
     "a.yaml:7:11: dynamics.kT: missing, expected a number > 0 (k_B times the temperature)"},
    {"type: ballistic, kT: 1", "type: ballistic, kT: 0",
     "a.yaml:7:33: dynamics.kT: got 0, expected a number > 0 (k_B times the temperature)"},
    {"type: ballistic, kT: 1", "type: langevin, kT: 1",
     "a.yaml:7:18: dynamics.type: got langevin, expected one of ballistic, brownian (equation of motion); "
     "particles that diffuse are brownian"},
    {"type: ballistic, kT: 1", "type: brownian, kT: 1, velocities: maxwell",
     "a.yaml:7:47: dynamics.velocities: only has a meaning with dynamics.type ballistic"},
    {"type: ballistic, kT: 1", "type: ballistic, kT: 1, velocities: given",
     "a.yaml:7:48: dynamics.velocities: got given, expected maxwell or equal_speed unless placement.method "
     "is file"},
};

const std::vector<BadInput> bad_contacts = {
    {"{restitution: 1}", "{pairs: []}",
     "a.yaml:8:19: contacts.pairs: got 0 entries, expected 1 to 1000 (rules for pairs of species)"},
    {"{restitution: 1}", "{pairs: [{between: [a, c], restitution: 0.5}]}",
     "a.yaml:8:34: contacts.pairs.0.between: got c, expected the name of a species, wall or body"},
    {"{restitution: 1}", "{pairs: [{between: [a], restitution: 0.5}]}",
     "a.yaml:8:30: contacts.pairs.0.between: got a list of 1, expected a list of two names (the names of two "
     "species, or of one and wall or a body)"},
    {"{restitution: 1}", "{pairs: [{between: [wall, wall], restitution: 0.5}]}",
     "a.yaml:8:30: contacts.pairs.0.between: got wall twice, expected at least one species"},
    {"{restitution: 1}", "{pairs: [{between: [a, b], restitution: 0.5}, {between: [b, a], restitution: 1}]}",
     "a.yaml:8:67: contacts.pairs.1.between: got a pair that has a rule already, first in line 8"},
    {"{restitution: 1}", "{pairs: [{between: [a, b], restitution: 2}, {restitution: 1}]}",
     "a.yaml:8:51: contacts.pairs.0.restitution: got 2, expected a number from 0 to 1 or a section with "
     "bridges (coefficient of "
     "restitution of this pair)\n"
     "a.yaml:8:55: contacts.pairs.1.between: missing, expected a list of two names (the names of two "
     "species, or of one and wall or a body)"},
};

BadInput bad_pairs(const std::string& pairs, const std::string& messages) {
    return {"{restitution: 1}", "{pairs: [" + pairs + "]}", messages};
}

const std::vector<BadInput> bad_outcomes = {
    bad_pairs("{between: [a, b]}",
              "a.yaml:8:20: contacts.pairs.0: missing, expected restitution or one of react, coalesce, pass, "
              "stick, thermal"),
    bad_pairs("{between: [a, b], coalesce: {}, pass: {}}",
              "a.yaml:8:58: contacts.pairs.0.pass: got coalesce too, expected only one of react, coalesce, "
              "pass, stick, thermal"),
    bad_pairs("{between: [a, b], coalesce: 1}",
              "a.yaml:8:48: contacts.pairs.0.coalesce: got 1, expected a section with rate (one sphere comes "
              "of two, with the volume (2D: area), mass and momentum of both)"),
    bad_pairs("{between: [a, b], pass: {a: 1}}",
              "a.yaml:8:45: contacts.pairs.0.pass.a: unknown key, expected one of probability, rate"),
    bad_pairs("{between: [a, b], restitution: 0.5, pass: {}}",
              "a.yaml:8:51: contacts.pairs.0.restitution: has no meaning beside pass (no bounce)"),
    bad_pairs("{between: [a, b], restitution: 0.5, coalesce: {}}",
              "a.yaml:8:51: contacts.pairs.0.restitution: has no meaning beside certain coalescence (some "
              "bounce with a finite rate)"),
    bad_pairs("{between: [a, b], restitution: 0.5, react: {to: [a]}}",
              "a.yaml:8:51: contacts.pairs.0.restitution: has no meaning beside a certain reaction (some "
              "bounce with probability < 1, or a finite rate)"),
    bad_pairs("{between: [a, wall], pass: {}}",
              "a.yaml:8:47: contacts.pairs.0.pass: got pass with wall, expected two species (nothing goes "
              "through a wall)"),
    bad_pairs("{between: [a, wall], coalesce: {}}",
              "a.yaml:8:51: contacts.pairs.0.coalesce: got coalesce with wall, expected two species (react: "
              "{to: []} lets a wall absorb)"),
};

const std::vector<BadInput> bad_reactions = {
    bad_pairs("{between: [a, b], coalesce: {rate: 1}}",
              "a.yaml:8:55: contacts.pairs.0.coalesce.rate: only has a meaning with dynamics.type brownian; "
              "ballistic partners coalesce at every contact"),
    bad_pairs("{between: [a, b], react: {}}",
              "a.yaml:8:45: contacts.pairs.0.react.to: missing, expected a list of at most two names (the "
              "products)"),
    bad_pairs(
        "{between: [a, b], react: {to: [a, b, a]}}",
        "a.yaml:8:50: contacts.pairs.0.react.to: got a list of 3, expected a list of at most two names (the "
        "products)"),
    bad_pairs(
        "{between: [a, b], react: {to: [a, [b]]}}",
        "a.yaml:8:54: contacts.pairs.0.react.to.1: got a list of 1, expected a name of letters, digits, _ . "
        "+ - (the products)"),
    bad_pairs("{between: [a, b], react: {to: [wall]}}",
              "a.yaml:8:51: contacts.pairs.0.react.to: got wall, expected the name of a species"),
    bad_pairs("{between: [a, wall], react: {to: [a, b]}}",
              "a.yaml:8:53: contacts.pairs.0.react.to: got 2 products, expected at most 1 at a wall"),
    bad_pairs(
        "{between: [a, b], react: {to: [a], probability: 1.5}}",
        "a.yaml:8:68: contacts.pairs.0.react.probability: got 1.5, expected a number from 0 to 1 (chance "
        "to react, for each contact)"),
    bad_pairs(
        "{between: [a, b], react: {to: [a], rate: 1}}",
        "a.yaml:8:61: contacts.pairs.0.react.rate: only has a meaning with dynamics.type brownian; with "
        "ballistic say probability (the chance to react, for each contact)"),
};

const std::vector<BadInput> bad_faces = {
    bad_pairs("{between: [a, b], faces: [x-], restitution: 1}",
              "a.yaml:8:45: contacts.pairs.0.faces: got faces without wall, expected wall in between"),
    bad_pairs(
        "{between: [a, wall], faces: [], restitution: 1}",
        "a.yaml:8:48: contacts.pairs.0.faces: got an empty list, expected a list of some of x-, x+, y-, "
        "y+, z-, z+ (the walls that the rule is for)"),
    bad_pairs("{between: [a, wall], faces: [left], restitution: 1}",
              "a.yaml:8:49: contacts.pairs.0.faces.0: got left, expected one of x-, x+, y-, y+, z-, z+ (the "
              "walls that the rule is for)"),
    bad_pairs("{between: [a, wall], faces: [z-], restitution: 1}",
              "a.yaml:8:49: contacts.pairs.0.faces: got z-, expected faces along axes with walls "
              "(box.boundary is periodic along z)"),
    bad_pairs("{between: [a, wall], restitution: 0.5}",
              "a.yaml:8:30: contacts.pairs.0.between: got wall in a box without walls, expected two species, "
              "or box.boundary: reflecting"),
    bad_pairs("{between: [wall, a], react: {to: []}}",
              "a.yaml:8:30: contacts.pairs.0.between: got wall in a box without walls, expected two species, "
              "or box.boundary: reflecting"),
};

const std::vector<BadInput> bad_output = {
    {"collisions: all", "collisions: some",
     "a.yaml:10:22: output.collisions: got some, expected one of all, none, or a list of lists of two names "
     "(contacts to log)"},
    {"collisions: all", "collisions: [a, b]",
     "a.yaml:10:23: output.collisions.0: got a, expected a list of two names (contacts to log)"},
    {"collisions: all", "collisions: [[a, b], [b, a]]", "a.yaml:10:31: output.collisions: got a pair twice"},
    {"collisions: all", "collisions: [[a, sphere]]",
     "a.yaml:10:27: output.collisions: got sphere, expected the name of a species or wall"},
    {"collisions: all", "collisions: all, collision_byte_budget: -1",
     "a.yaml:10:50: output.collision_byte_budget: got -1, expected an integer from 0 to 1e+15 (bytes of "
     "collision log after which logging ends)"},
    {"collisions: all", "collisions: all, precision: double",
     "a.yaml:10:38: output.precision: got double, expected one of float32, float64 (numbers in the "
     "trajectory)"},
    {"collisions: all", "collisions: all, trajectory_every: 0.5",
     "a.yaml:10:45: output.trajectory_every: got 0.5, expected an integer from 0 to 1e+15 (steps from one "
     "frame of the trajectory to the next)"},
    {"collisions: all", "collisions: all, file: ''",
     "a.yaml:10:33: output.file: got \"\", expected a file name"},
    {"collisions: all", "search: auto", "a.yaml:10:10: output.search: unknown key, did you mean search?"},
};

/// Values that are no timestep, as YAML and as the message quotes them.
const std::vector<std::pair<std::string, std::string>> bad_timesteps = {
    {"-0.1", "-0.1"}, {"0", "0"},       {"1e999", "1e999"}, {"fast", "fast"},         {"\"0.1\"", "\"0.1\""},
    {"0.1s", "0.1s"}, {"0x10", "0x10"}, {"''", "\"\""},     {"[0.1]", "a list of 1"}, {"{a: 1}", "a section"},
};

TEST(BadInput, MalformedYamlIsRefusedWithItsPlace) { expect_messages(malformed); }
TEST(BadInput, NamesUnknownDoubleAndMissingKeys) { expect_messages(bad_keys); }
TEST(BadInput, NumbersOutOfRangeAreQuoted) { expect_messages(bad_numbers); }
TEST(BadInput, BoxesAreChecked) { expect_messages(bad_boxes); }
TEST(BadInput, SpeciesAreChecked) { expect_messages(bad_species); }
TEST(BadInput, PlacementAndDynamicsAreChecked) { expect_messages(bad_placements_and_dynamics); }
TEST(BadInput, ContactRulesAreChecked) { expect_messages(bad_contacts); }
TEST(BadInput, OutcomesOfContactsAreChecked) { expect_messages(bad_outcomes); }
TEST(BadInput, ReactionsAreChecked) { expect_messages(bad_reactions); }
TEST(BadInput, FacesAreChecked) { expect_messages(bad_faces); }
TEST(BadInput, OutputIsChecked) { expect_messages(bad_output); }

TEST(BadInput, NumbersMustBeFinite) {
    for (const std::string value : {".nan", "nan", ".inf", "-.inf", "Infinity"})
        EXPECT_EQ(messages_of(changed(good_input, "timestep: 0.1", "timestep: " + value)),
                  "a.yaml:9:17: run.timestep: got " + value +
                      ", expected a finite number > 0 (time between exchanges)");
}

TEST(BadInput, WhatIsNoNumberIsNoTimestep) {
    for (const auto& [value, got] : bad_timesteps)
        EXPECT_EQ(
            messages_of(changed(good_input, "timestep: 0.1", "timestep: " + value)),
            "a.yaml:9:17: run.timestep: got " + got + ", expected a number > 0 (time between exchanges)");
}

}  // namespace
}  // namespace ricochet
