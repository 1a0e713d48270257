// SPDX-License-Identifier: BSD-3-Clause
#include "config/foreign_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ricochet::detail {
namespace {

constexpr std::array<ForeignWord, 33> all_foreign_words{{
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
    {"density rho concentration", "species[].number_density", "particles per volume; or volume_fraction"},
    {"phi eta packingfraction packing areafraction", "species[].volume_fraction", ""},
    {"n number numparticles nparticles numberofparticles npart particles mol", "species[].count", ""},
    {"lx ly lz boxsize boxlength boxdimensions cell simulationbox", "box.size", "a list of edges"},
    {"dimension dimensions dim ndim", "box.size", "two edges make discs, three spheres"},
    {"pbc periodic boundaries boundaryconditions periodicity", "box.boundary", ""},
    {"integrator ensemble model", "dynamics.type", ""},
    {"velocity initialvelocities initialvelocity v0 genvel", "dynamics.velocities", ""},
    {"cor en elasticity coefficientofrestitution restitutioncoefficient", "contacts.restitution", ""},
    {"reactions reaction", "contacts.pairs", "with react"},
    {"bonds bond springs", "contacts.pairs", "with stick, which tethers partners"},
    {"dump dumpevery dumpperiod frames snapshots snapshotevery writeevery saveevery outputevery trajectory",
     "output.trajectory_every", "in steps"},
    {"thermo thermoevery logevery reportevery observables", "output.observables_every", "in steps"},
    {"outputfile outfile filename", "output.file", ""},
    {"events logcollisions", "output.collisions", ""},
    {"neighborlist neighbourlist neighbor neighbour neighlist celllist cellsize", "search.method", ""},
    {"gravity g force forces externalforce field externalfield", "",
     "there is no force: particles fly straight between contacts"},
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

}  // namespace

std::span<const ForeignWord> foreign_words() { return all_foreign_words; }

std::string translated_word(std::string_view key) {
    const std::string word = without_marks(key);
    const auto found = std::find_if(all_foreign_words.begin(), all_foreign_words.end(),
                                    [&](const ForeignWord& row) { return contains(row.words, word); });
    return word.empty() || found == all_foreign_words.end() ? "" : as_answer(*found);
}

}  // namespace ricochet::detail
