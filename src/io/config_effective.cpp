// SPDX-License-Identifier: BSD-3-Clause
//
// A Config back into an input. Numbers are written with the fewest digits that read back as the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "io/config_check.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {

namespace {

/// The word of a row at the position of an enumerator.
template <class Enum>
std::string_view word_of(std::string_view path, Enum value) {
    return detail::split_words(find_option(path)->words).at(static_cast<std::size_t>(value));
}

std::string in_digits(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {digits, end};
}

/// A double-quoted scalar.
std::string in_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (byte < 0x20 || byte == 0x7f)
            quoted += fmt::format("\\x{:02x}", byte);
        else
            quoted += c;
    }
    return quoted + '"';
}

/// Block-style YAML, line by line.
class Writer {
  public:
    void section(std::string_view name) { line(fmt::format("{}:", name), 2); }
    void end() { indent_ -= 2; }
    /// The first key after this gets the dash.
    void begin_item() {
        dash_ = true;
        indent_ += 2;
    }
    void value(std::string_view key, std::string_view text) { line(fmt::format("{}: {}", key, text), 0); }
    void value(std::string_view key, double number) { value(key, std::string_view(in_digits(number))); }
    void value(std::string_view key, std::uint64_t integer) {
        value(key, std::string_view(std::to_string(integer)));
    }
    void quoted(std::string_view key, std::string_view text) {
        value(key, std::string_view(in_quotes(text)));
    }

    std::string text() && { return std::move(text_); }

  private:
    void line(const std::string& content, std::size_t deeper) {
        text_ += std::string(dash_ ? indent_ - 2 : indent_, ' ') + (dash_ ? "- " : "") + content + '\n';
        dash_ = false;
        indent_ += deeper;
    }

    std::string text_;
    std::size_t indent_ = 0;
    bool dash_ = false;
};

void write_box(Writer& out, const Box& box) {
    std::string sizes, words;
    for (int axis = 0; axis < box.dimension; ++axis) {
        sizes += fmt::format("{}{}", axis == 0 ? "" : ", ", in_digits(box.size[axis]));
        words +=
            fmt::format("{}{}", axis == 0 ? "" : ", ", to_word(box.boundary[static_cast<std::size_t>(axis)]));
    }
    out.section("box");
    out.value("size", '[' + sizes + ']');
    out.value("boundary", '[' + words + ']');
    out.end();
}

void write_radius(Writer& out, const Species& species) {
    if (!species.radius_distribution) return out.value("radius", species.radius);
    out.section("radius");
    out.section("lognormal");
    out.value("median", species.radius_distribution->median);
    out.value("sigma", species.radius_distribution->sigma);
    out.value("min", species.radius_distribution->minimum);
    out.value("max", species.radius_distribution->maximum);
    out.end();
    out.end();
}

void write_diffusion(Writer& out, const Species& species) {
    if (species.diffusion != 0) out.value("diffusion", species.diffusion);
    if (!species.stokes_einstein) return;
    out.section("diffusion");
    out.section("stokes_einstein");
    out.value("viscosity", species.stokes_einstein->viscosity);
    out.value("temperature", species.stokes_einstein->temperature);
    out.end();
    out.end();
}

void write_all_species(Writer& out, const Config& config) {
    out.section("species");
    for (const Species& species : config.species) {
        out.begin_item();
        out.quoted("name", species.name);
        write_radius(out, species);
        if (species.mass != 0) out.value("mass", species.mass);
        write_diffusion(out, species);
        if (config.placement.method != PlacementMethod::file) out.value("count", species.count);
        out.end();
    }
    out.end();
}

void write_placement(Writer& out, const PlacementOptions& placement) {
    out.section("placement");
    out.value("method", to_word(placement.method));
    if (placement.method == PlacementMethod::lattice) out.value("type", to_word(placement.lattice));
    if (placement.method == PlacementMethod::file) {
        out.quoted("path", placement.path);
        out.value("frame", placement.frame ? std::to_string(*placement.frame) : "last");
    }
    out.end();
}

void write_dynamics(Writer& out, const DynamicsOptions& dynamics) {
    out.section("dynamics");
    out.value("type", to_word(dynamics.type));
    out.value("kT", dynamics.kT);
    if (dynamics.type == DynamicsType::ballistic) out.value("velocities", to_word(dynamics.velocities));
    out.end();
}

/// [a, b] by name.
std::string names_of(const Config& config, SpeciesIndex a, SpeciesIndex b) {
    const auto name = [&](SpeciesIndex s) {
        return s == wall_species ? "wall" : in_quotes(config.species[s].name);
    };
    return fmt::format("[{}, {}]", name(a), name(b));
}

void write_contacts(Writer& out, const Config& config) {
    out.section("contacts");
    out.value("restitution", config.contacts.restitution);
    out.section("walls");
    out.value("restitution", config.contacts.wall_restitution);
    out.end();
    if (!config.contacts.pairs.empty()) {
        out.section("pairs");
        for (const PairRestitution& pair : config.contacts.pairs) {
            out.begin_item();
            out.value("between", names_of(config, pair.a, pair.b));
            out.value("restitution", pair.restitution);
            out.end();
        }
        out.end();
    }
    out.end();
}

void write_run(Writer& out, const RunOptions& run) {
    out.section("run");
    out.value("timestep", run.timestep);
    out.value("steps", run.num_steps);
    out.value("seed", run.seed);
    if (run.equilibrate) {
        out.section("equilibrate");
        out.value("collisions_per_particle", *run.equilibrate);
        out.end();
    }
    out.value("contact_cap", run.contact_cap);
    out.value("sub_window", run.sub_window);
    out.value("halo_margin", run.halo_margin);
    out.value("balance", word_of("run.balance", run.balance));
    out.value("watchdog", run.watchdog);
    out.end();
}

std::string collisions_in_words(const Config& config) {
    if (config.output.collisions != CollisionChoice::pairs)
        return std::string(word_of("output.collisions", config.output.collisions));
    std::string list;
    for (const auto& [a, b] : config.output.collision_pairs)
        list += fmt::format("{}{}", list.empty() ? "" : ", ", names_of(config, a, b));
    return '[' + list + ']';
}

void write_output(Writer& out, const Config& config) {
    out.section("output");
    out.quoted("file", config.output.file);
    out.quoted("author", config.output.author);
    out.value("trajectory_every", config.output.trajectory_every);
    out.value("observables_every", config.output.observables_every);
    out.value("collisions", collisions_in_words(config));
    out.value("collision_byte_budget", config.output.collision_byte_budget);
    out.value("precision", to_word(config.output.precision));
    out.value("compression", to_word(config.output.compression));
    out.section("checkpoint");
    out.value("every_steps", config.output.checkpoint.every_steps);
    out.value("every_minutes", config.output.checkpoint.every_minutes);
    out.value("keep", config.output.checkpoint.keep);
    out.end();
    out.end();
}

}  // namespace

std::string effective_yaml(const Config& config) {
    Writer out;
    out.quoted("title", config.title);
    out.section("units");
    out.quoted("length", config.units.length);
    out.quoted("time", config.units.time);
    out.quoted("energy", config.units.energy);
    out.end();
    write_box(out, config.box);
    write_all_species(out, config);
    write_placement(out, config.placement);
    write_dynamics(out, config.dynamics);
    write_contacts(out, config);
    out.section("search");
    out.value("method", to_word(config.search));
    out.end();
    write_run(out, config.run);
    write_output(out, config);
    return std::move(out).text();
}

std::string placement_path(const Config& config) {
    if (config.placement.method != PlacementMethod::file) return "";
    return (std::filesystem::path(config.input_name).parent_path() / config.placement.path).string();
}

std::vector<PairRestitution> restitution_of_pairs(const Config& config) {
    std::map<std::pair<SpeciesIndex, SpeciesIndex>, double> rules;
    for (const PairRestitution& rule : config.contacts.pairs) rules[{rule.a, rule.b}] = rule.restitution;
    const auto num_species = static_cast<SpeciesIndex>(config.species.size());
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) rules.try_emplace({a, b}, config.contacts.restitution);
        rules.try_emplace({a, wall_species}, config.contacts.wall_restitution);
    }
    std::vector<PairRestitution> all;
    all.reserve(rules.size());
    for (const auto& [pair, restitution] : rules) all.push_back({pair.first, pair.second, restitution});
    return all;
}

std::string_view to_word(PlacementMethod value) { return word_of("placement.method", value); }
std::string_view to_word(LatticeType value) { return word_of("placement.type", value); }
std::string_view to_word(DynamicsType value) { return word_of("dynamics.type", value); }
std::string_view to_word(StartVelocities value) { return word_of("dynamics.velocities", value); }
std::string_view to_word(SearchMethod value) { return word_of("search.method", value); }
std::string_view to_word(OutputPrecision value) { return word_of("output.precision", value); }
std::string_view to_word(OutputCompression value) { return word_of("output.compression", value); }
std::string_view to_word(Boundary value) { return word_of("box.boundary", value); }

}  // namespace ricochet
