// SPDX-License-Identifier: BSD-3-Clause
#include "config/foreign_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ricochet::detail {
namespace {

constexpr std::array<ForeignWord, 37> all_foreign_words{{
    {"temperature temp kbt t reft gentemp", "dynamics.kT", "k_B times the temperature"},
    {"dt deltat stepsize tstep timestep", "run.timestep", ""},
    {"time runtime totaltime simulationtime tmax tend duration", "run.steps",
     "the time is steps times timestep"},
    {"nsteps numsteps numberofsteps maxsteps nstep", "run.steps", ""},
    {"randomseed rngseed rng", "run.seed", ""},
    {"equilibration equilibrationsteps warmup burnin", "run.equilibrate", ""},
    {"diameter diameters sigma d0", "species[].radius", "half of the diameter"},
    {"particleradius r", "species[].radius", ""},
    {"m", "species[].mass", ""},
    {"d diffusivity diffusioncoefficient diffusionconstant diff difc", "species[].diffusion", ""},
    {"fixed freeze frozen immobile immovable movable mobile static", "species[].moves",
     "the axes along which the particles move; [] for none"},
    {"density rho concentration", "species[].number_density", "particles per volume; or volume_fraction"},
    {"phi eta packingfraction packing areafraction", "species[].volume_fraction", ""},
    {"n number numparticles nparticles numberofparticles npart particles mol", "species[].count", ""},
    {"lx ly lz boxsize boxlength boxdimensions cell simulationbox", "box.size", "a list of edges"},
    {"dimension dimensions dim ndim", "box.size", "two edges make discs, three spheres"},
    {"pbc periodic boundaries boundaryconditions periodicity", "box.boundary", ""},
    {"integrator ensemble model", "dynamics.type", ""},
    {"velocity initialvelocities initialvelocity v0 genvel", "dynamics.velocities", ""},
    {"cor en elasticity coefficientofrestitution restitutioncoefficient", "contacts.restitution", ""},
    {"tc collapse contactduration collisiontime", "contacts.collapse", "with a duration"},
    {"obstacle obstacles surface surfaces compartment compartments geometry region", "bodies", ""},
    {"reactions reaction", "contacts.pairs", "with react"},
    {"bonds bond springs", "contacts.pairs", "with stick, which tethers partners"},
    {"dump dumpevery dumpperiod frames snapshots snapshotevery writeevery saveevery outputevery trajectory",
     "output.trajectory_every", "in steps"},
    {"thermo thermoevery logevery reportevery observables", "output.observables_every", "in steps"},
    {"outputfile outfile filename", "output.file", ""},
    {"events logcollisions", "output.collisions", ""},
    {"neighborlist neighbourlist neighbor neighbour neighlist celllist cellsize", "search.method", ""},
    {"gravity g gravitationalacceleration", "fields.gravity", "the acceleration along each axis"},
    {"force forces externalforce field externalfield", "",
     "there is no force but fields.gravity and self_gravity (ballistic), fields.drift and species.force "
     "(Brownian)"},
    {"friction gamma drag damping mu", "",
     "there is no friction: Brownian particles have a diffusion, and contacts a restitution"},
    {"potential epsilon lj pairstyle cutoff rcut rc skin charge charges interaction interactions", "",
     "there are no potentials: particles are hard, and contacts say what happens where they meet"},
    {"thermostat barostat pressure nvt npt nve tcoupl pcoupl taut taup", "",
     "there is no thermostat: ballistic particles keep their energy, Brownian ones follow their diffusion"},
    {"rotation orientation angularvelocity inertia shape torque spin", "",
     "there is no rotation: particles are smooth spheres or discs"},
    {"restart restartfile continue checkpoint checkpointfile", "",
     "there is no such key: ricochet run --continue goes on from output.checkpoint"},
    {"threads numthreads cores ranks nprocs processors gpu device", "",
     "there is no such key: mpirun -n says on how many ranks it runs"},
}};

constexpr std::array<ForeignWord, 12> words_of_sections{{
    {"box.length box.l box.edge box.edges", "box.size", "a list of edges"},
    {"run.run run.timestop run.stop run.n", "run.steps", ""},
    {"output.path output.name", "output.file", ""},
    {"decays[].species decays[].reactant decays[].parent", "decays[].from", ""},
    {"decays[].products decays[].product", "decays[].to", ""},
    {"decays[].k decays[].koff decays[].probability", "decays[].rate", "in 1/time"},
    {"decays[].halflife decays[].lifetime", "decays[].rate",
     "0.693 over the half-life, or 1 over the lifetime"},
    {"contacts.pairs[].react.products contacts.pairs[].react.product", "contacts.pairs[].react.to", ""},
    {"contacts.pairs[].react.k contacts.pairs[].react.kon", "contacts.pairs[].react.rate", ""},
    {"box.boundary[].absorbing box.boundary[].absorb box.boundary[].open", "",
     "walls are reflecting, and absorb what contacts.pairs says: {between: [NAME, wall], react: {to: []}}"},
    {"dynamics.type.langevin dynamics.type.diffusion dynamics.type.diffusive dynamics.type.bd", "",
     "particles that diffuse are brownian"},
    {"dynamics.type.newtonian dynamics.type.elastic dynamics.type.md dynamics.type.nve dynamics.type.edmd",
     "", "particles that fly straight between contacts are ballistic"},
}};

/// Without what does not count.
std::string without_marks(std::string_view key) {
    std::string text;
    for (const char c : key)
        if (c != '_' && c != '-' && c != ' ')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool contains(std::string_view words, std::string_view word) {
    return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

std::string as_answer(const ForeignWord& found) {
    if (found.path.empty()) return fmt::format("; {}", found.remark);
    if (found.remark.empty()) return fmt::format(", did you mean {}?", found.path);
    return fmt::format(", did you mean {} ({})?", found.path, found.remark);
}

std::string answer_of(std::span<const ForeignWord> table, const std::string& word) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const ForeignWord& row) { return contains(row.words, word); });
    return word.empty() || found == table.end() ? "" : as_answer(*found);
}

}  // namespace

std::span<const ForeignWord> foreign_words() { return all_foreign_words; }

std::span<const ForeignWord> foreign_words_of_sections() { return words_of_sections; }

std::string translated_word(std::string_view key) { return answer_of(all_foreign_words, without_marks(key)); }

std::string translated_word_in(std::string_view path, std::string_view word) {
    return answer_of(words_of_sections, fmt::format("{}.{}", path, without_marks(word)));
}

}  // namespace ricochet::detail
