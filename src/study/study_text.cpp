// SPDX-License-Identifier: BSD-3-Clause
#include "study/study_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/readable.hpp"

namespace ricochet {
namespace {

struct Column {
    const char* name;
    const char* meaning;
    std::string (*value)(const StudyResult&, const MethodCost&);
};

/// Nothing for what is divided by nothing, as by contacts where none collide.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : ""; }
std::string short_number(double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : "none";
}

double particles(const StudyResult& s) { return s.num_particle_steps / static_cast<double>(s.num_steps); }
double contacts(const StudyResult& s) { return static_cast<double>(s.num_contacts); }
double contacts_per_step(const StudyResult& s) { return contacts(s) / static_cast<double>(s.num_steps); }
double contacts_per_second(const StudyResult& s, const MethodCost& m) {
    return contacts_per_step(s) / (m.seconds.median * s.num_ranks);
}
/// A queue of events has no search of all particles.
double links(const MethodCost& m) {
    return m.counts.num_sorted > 0
               ? static_cast<double>(m.counts.num_pairs) / static_cast<double>(m.counts.num_sorted)
               : 0;
}
double per_particle_step(std::uint64_t count, const StudyResult& s) {
    return static_cast<double>(count) / s.num_particle_steps;
}
double per_contact(std::uint64_t count, const StudyResult& s) {
    return static_cast<double>(count) / contacts(s);
}
std::string per_step(std::uint64_t count, const StudyResult& s) {
    return number(static_cast<double>(count) / static_cast<double>(s.num_steps));
}
double rank_steps(const StudyResult& s) { return s.num_ranks * static_cast<double>(s.num_steps); }
std::string hash_text(const Fingerprint& hash) {
    return fmt::format("{:016x}{:016x}", hash.first, hash.second);
}

constexpr std::array columns{
    Column{"method", "word of search.method, perhaps with that of search.loop",
           [](const StudyResult&, const MethodCost& m) { return m.name; }},
    Column{"ranks", "number of ranks",
           [](const StudyResult& s, const MethodCost&) { return std::to_string(s.num_ranks); }},
    Column{"particles", "number of particles, the mean over the steps",
           [](const StudyResult& s, const MethodCost&) { return number(particles(s)); }},
    Column{"steps", "number of steps that each method did",
           [](const StudyResult& s, const MethodCost&) { return std::to_string(s.num_steps); }},
    Column{"compared_per_particle_step",
           "bounding spheres that a search compared with others; 0 in a loop of events",
           [](const StudyResult& s, const MethodCost& m) {
               return number(per_particle_step(m.counts.num_compared, s));
           }},
    Column{"candidates_per_particle_step", "pairs that the search named, at first and after contacts",
           [](const StudyResult& s, const MethodCost& m) {
               return number(per_particle_step(m.num_candidates(), s));
           }},
    Column{"exact_tests_per_particle_step", "contact times of pairs that were computed",
           [](const StudyResult& s, const MethodCost& m) {
               return number(per_particle_step(m.num_exact_tests(), s));
           }},
    Column{"links_per_particle",
           "pairs that one search of all particles named, by particle; 0 in a queue of events",
           [](const StudyResult&, const MethodCost& m) { return number(links(m)); }},
    Column{"contacts_per_step", "contacts of pairs, and with walls",
           [](const StudyResult& s, const MethodCost&) { return per_step(s.num_contacts, s); }},
    Column{"pair_contacts_per_step", "contacts of pairs",
           [](const StudyResult& s, const MethodCost&) { return per_step(s.num_pair_contacts, s); }},
    Column{"touching_pairs_per_step", "pairs that touch in a step, each once; with --after-steps",
           [](const StudyResult& s, const MethodCost&) {
               return s.after_steps ? per_step(s.after_steps->num_touching, s) : "";
           }},
    Column{"overlapping_after_step",
           "of these, pairs that a search for overlaps after each step would find, on straight paths",
           [](const StudyResult& s, const MethodCost&) {
               return s.after_steps ? per_step(s.after_steps->num_overlapping, s) : "";
           }},
    Column{
        "searches_per_contact", "looks at the neighbours of a particle after a contact",
        [](const StudyResult& s, const MethodCost& m) { return number(per_contact(m.num_searches(), s)); }},
    Column{"enlargements_per_contact", "paths that a contact bent out of their bounding sphere",
           [](const StudyResult& s, const MethodCost& m) {
               return number(per_contact(m.counts.num_enlarged, s));
           }},
    Column{"topological_per_contact",
           "changes that a kinetic structure made by itself: cells crossed, ends exchanged, flips",
           [](const StudyResult& s, const MethodCost& m) {
               return number(per_contact(m.counts.num_topological, s));
           }},
    Column{"topological_per_step", "the same per step, of all ranks",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_topological, s); }},
    Column{"resets_per_step", "of these, time bounds that had grown as wide as a subspace",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_resets, s); }},
    Column{"entered_per_step", "of these, subspaces that time bounds entered",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_entered, s); }},
    Column{"left_per_step", "of these, subspaces that time bounds left",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_left, s); }},
    Column{"bound_pairs_per_step", "of these, pairs of time bounds that met",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_bound_pairs, s); }},
    Column{"bound_walls_per_step", "of these, time bounds that met a wall",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_bound_walls, s); }},
    Column{"certificates_per_step",
           "times computed at which two ends exchange, two time bounds meet, or a triangulation flips",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_certificates, s); }},
    Column{"changed_certificates_per_step", "of these, for particles that a contact had changed",
           [](const StudyResult& s, const MethodCost& m) {
               return per_step(m.counts.num_changed_certificates, s);
           }},
    Column{"first_certificates_per_step", "the same, at the start of the step",
           [](const StudyResult& s, const MethodCost& m) {
               return per_step(m.counts.num_first_certificates, s);
           }},
    Column{"rebuilds_per_step", "kinetic structures built anew within a step, of all ranks",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_rebuilt, s); }},
    Column{"on_cells_per_step", "triangulations for which cells stood in, likewise",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_on_cells, s); }},
    Column{"replaced_per_step",
           "structures that lost a contact, so that a reserve did the step again, likewise",
           [](const StudyResult& s, const MethodCost& m) { return per_step(m.counts.num_replaced, s); }},
    Column{"seconds_per_step", "wall time of the slowest rank, the median over the turns",
           [](const StudyResult&, const MethodCost& m) { return number(m.seconds.median); }},
    Column{"seconds_per_step_q1", "its lower quartile",
           [](const StudyResult&, const MethodCost& m) { return number(m.seconds.lower); }},
    Column{"seconds_per_step_q3", "its upper quartile",
           [](const StudyResult&, const MethodCost& m) { return number(m.seconds.upper); }},
    Column{"cpu_seconds_per_step",
           "CPU time of all ranks together, the median over the turns; waiting ranks may use some too",
           [](const StudyResult&, const MethodCost& m) { return number(m.cpu_seconds.median); }},
    Column{"cpu_seconds_per_step_q1", "its lower quartile",
           [](const StudyResult&, const MethodCost& m) { return number(m.cpu_seconds.lower); }},
    Column{"cpu_seconds_per_step_q3", "its upper quartile",
           [](const StudyResult&, const MethodCost& m) { return number(m.cpu_seconds.upper); }},
    Column{
        "binning_seconds_per_step", "time to make bounding spheres and sort them, mean over ranks",
        [](const StudyResult& s, const MethodCost& m) { return number(m.binning_seconds / rank_steps(s)); }},
    Column{
        "search_seconds_per_step", "time to name pairs and compute their contact times, likewise",
        [](const StudyResult& s, const MethodCost& m) { return number(m.search_seconds / rank_steps(s)); }},
    Column{
        "events_seconds_per_step", "time of contacts and of the searches after them, likewise",
        [](const StudyResult& s, const MethodCost& m) { return number(m.events_seconds / rank_steps(s)); }},
    Column{"contacts_per_second_per_core", "contacts_per_step / (seconds_per_step x ranks)",
           [](const StudyResult& s, const MethodCost& m) { return number(contacts_per_second(s, m)); }},
    Column{"search_bytes_per_particle", "memory of the search's own arrays; 0 where it does not count them",
           [](const StudyResult& s, const MethodCost& m) { return number(m.search_bytes / particles(s)); }},
    Column{"engine_bytes_per_particle", "memory of the engine's other arrays: spheres, neighbours, islands",
           [](const StudyResult& s, const MethodCost& m) { return number(m.engine_bytes / particles(s)); }},
    Column{"contacts_hash", "of every bit of all contacts; the same for all methods and numbers of ranks",
           [](const StudyResult& s, const MethodCost&) { return hash_text(s.contacts); }},
    Column{"state_hash", "of every bit of the particles at the end; likewise",
           [](const StudyResult& s, const MethodCost&) { return hash_text(s.final_particles); }}};

std::string row_text(const StudyResult& s, const MethodCost& m) {
    return fmt::format(
        "{:<28}{:>11.4g}{:>24}{:>11.4g}{:>12}{:>11.4g}{:>12.4g}{:>11.4g}{:>11.4g}{:>11}{:>11}{:>13}"
        "{:>9.0f}{:>9.0f}\n",
        m.name, 1e3 * m.seconds.median,
        fmt::format("{:.4g} to {:.4g}", 1e3 * m.seconds.lower, 1e3 * m.seconds.upper),
        1e3 * m.cpu_seconds.median, short_number(contacts_per_second(s, m)),
        per_particle_step(m.counts.num_compared, s), per_particle_step(m.num_candidates(), s),
        per_particle_step(m.num_exact_tests(), s), links(m), short_number(per_contact(m.num_searches(), s)),
        short_number(per_contact(m.counts.num_enlarged, s)),
        short_number(per_contact(m.counts.num_topological, s)), m.search_bytes / particles(s),
        m.engine_bytes / particles(s));
}

/// What a method's time is not its own for.
std::string stand_in_text(const StudyResult& s, const MethodCost& m) {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0)
            text +=
                fmt::format("{}: {} in {} of {:.0f} steps of a rank\n", m.name, what, count, rank_steps(s));
    };
    add(m.counts.num_on_cells, "cells stood in for the triangulation");
    add(m.counts.num_replaced, "a contact was lost, and a reserve did the step again,");
    return text;
}

std::string after_steps_text(const StudyResult& s) {
    if (!s.after_steps) return "";
    const std::uint64_t all = s.after_steps->num_touching, found = s.after_steps->num_overlapping;
    std::string text =
        fmt::format("looking for overlaps after each step: of {} pairs that touch in a step", all);
    if (all > 0)
        text += fmt::format(", {} overlap at its end, and {} ({:.3g} %) would be missed", found, all - found,
                            100 * static_cast<double>(all - found) / static_cast<double>(all));
    return text + "\n";
}

}  // namespace

std::string describe_study() {
    std::string text =
        "All methods continue the same start and take turns over the same steps. After each turn contacts "
        "and\n"
        "particles are compared bit by bit; where they differ the study ends with status 1. A signal ends it "
        "after\n"
        "the turn, with what is known so far and status 1. Under mpirun it runs on all ranks. Columns of the "
        "CSV file, counts added over the ranks, empty where nothing collided:\n";
    for (const Column& column : columns) text += fmt::format("  {:<30}{}\n", column.name, column.meaning);
    return text;
}

std::string study_table(const StudyResult& study) {
    std::string text = fmt::format(
        "{:.0f} particles, {} steps on {} rank{}, {:.6g} contacts per step; the same for all methods:\n"
        "contacts {}, particles at the end {}\n",
        particles(study), study.num_steps, study.num_ranks, study.num_ranks == 1 ? "" : "s",
        contacts_per_step(study), hash_text(study.contacts).substr(0, 16),
        hash_text(study.final_particles).substr(0, 16));
    text += fmt::format("{:<28}{:>11}{:>24}{:>11}{:>12}{:>34}{:>11}{:>35}{:>18}\n", "", "ms", "", "CPU ms",
                        "contacts/s", "per particle step:", "links", "per contact:", "bytes/particle:");
    text +=
        fmt::format("{:<28}{:>11}{:>24}{:>11}{:>12}{:>11}{:>12}{:>11}{:>11}{:>11}{:>11}{:>13}{:>9}{:>9}\n",
                    "method", "per step", "quartiles", "per step", "per core", "compared", "candidates",
                    "tests", "", "searches", "enlarged", "topological", "search", "rest");
    for (const MethodCost& method : study.methods) text += row_text(study, method);
    for (const MethodCost& method : study.methods) text += stand_in_text(study, method);
    return text + after_steps_text(study);
}

std::string study_csv(const StudyResult& study) {
    std::string text;
    for (const Column& column : columns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
    text += "\n";
    for (const MethodCost& method : study.methods) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            text += fmt::format("{}{}", k == 0 ? "" : ",", columns[k].value(study, method));
        text += "\n";
    }
    return text;
}

}  // namespace ricochet
