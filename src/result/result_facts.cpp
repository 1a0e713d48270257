// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_facts.hpp"

#include <fmt/format.h>

#include "hdf5/hdf5_attribute.hpp"
#include "result/body_table.hpp"
#include "result/frame_rows.hpp"
#include "result/result_reader.hpp"
#include "ricochet/result/result_info.hpp"

namespace ricochet {
namespace {

Json box_facts(const ResultDescription& description) {
    const Box& box = description.box;
    Json size = Json::list(), boundary = Json::list();
    for (int axis = 0; axis < box.dimension; ++axis) {
        size.add(box.size[axis]);
        boundary.add(box.is_periodic(axis) ? "periodic" : "reflecting");
    }
    Json facts{{"size", size}, {"boundary", boundary}};
    if (description.start_pressure) facts["start_pressure"] = *description.start_pressure;
    return facts;
}

Json body_facts(const std::vector<Body>& bodies) {
    Json facts = Json::list();
    for (const Body& body : bodies)
        facts.add(Json{{"name", body.name}, {"shape", word_of(body.shape)}, {"side", word_of(body.side)}});
    return facts;
}

/// Of the species that are no spheres.
Json shape_facts(const std::vector<Species>& species) {
    Json facts = Json::list();
    for (const Species& kind : species)
        if (!kind.corners.empty())
            facts.add(
                Json{{"species", kind.name}, {"corners", kind.corners.size()}, {"volume", kind.content}});
    return facts;
}

Json count_facts(const ResultReader& reader, std::uint64_t frame) {
    const std::vector<std::uint64_t> counts = FrameRows(reader).count_by_species(frame);
    Json facts;
    for (std::size_t s = 0; s < counts.size(); ++s) facts[reader.description().species[s].name] = counts[s];
    return facts;
}

/// By species where there are frames.
Json particle_facts(const ResultReader& reader) {
    Json facts{{"at_start", reader.description().num_particles}, {"rows", reader.num_rows()}};
    const std::uint64_t num_frames = reader.complete().frames;
    if (num_frames == 0) return facts;
    facts["first_frame"] = count_facts(reader, 0);
    facts["last_frame"] = count_facts(reader, num_frames - 1);
    return facts;
}

Json stamp_facts(const FrameStamp& stamp) { return {{"step", stamp.step}, {"time", stamp.time}}; }

Json frame_facts(const ResultReader& reader) {
    const std::uint64_t num_frames = reader.complete().frames;
    Json facts{{"complete", num_frames}};
    if (num_frames == 0) return facts;
    facts["first"] = stamp_facts(reader.stamp(0));
    facts["last"] = stamp_facts(reader.stamp(num_frames - 1));
    return facts;
}

Json collision_facts(const ResultReader& reader) {
    if (reader.description().collisions.selection.mode == CollisionSelection::Mode::none)
        return {{"logged", false}};
    Json facts{
        {"logged", true}, {"rows", reader.complete().collisions}, {"before_step", reader.complete().steps}};
    const hdf5::Dataset log = reader.open("/ricochet/collisions");
    if (hdf5::has_attribute(log.get(), "stopped_because"))
        facts["stopped_because"] = hdf5::read_text(log.get(), "stopped_because");
    return facts;
}

Json observable_facts(const ResultReader& reader) {
    Json names = Json::list();
    for (const ObservableInfo& info : reader.description().observables) names.add(info.name);
    return {{"samples", reader.complete().samples}, {"names", names}};
}

Json state_facts(const ResultReader& reader) {
    const std::uint64_t num_frames = reader.complete().frames;
    if (num_frames == 0) return {};
    return {{"step", reader.stamp(num_frames - 1).step},
            {"hash", fmt::format("{:016x}", hash_state(reader.path(), num_frames - 1))}};
}

Json text_facts(const std::vector<NamedText>& texts) {
    Json facts;
    for (const auto& [name, text] : texts) facts[name] = text;
    return facts;
}

}  // namespace

Json facts_of_result(const std::string& path) {
    const ResultReader reader(path);
    const ResultDescription& description = reader.description();
    return {{"title", description.title},
            {"box", box_facts(description)},
            {"bodies", body_facts(description.bodies)},
            {"shapes", shape_facts(description.species)},
            {"particles", particle_facts(reader)},
            {"timestep", description.timestep},
            {"seed", description.seed},
            {"run", description.identity.run_id},
            {"precision", description.precision == Precision::float64 ? "float64" : "float32"},
            {"frames", frame_facts(reader)},
            {"collisions", collision_facts(reader)},
            {"observables", observable_facts(reader)},
            {"state", state_facts(reader)},
            {"units", text_facts(description.units)},
            {"notes", text_facts(description.notes)},
            {"provenance", text_facts(description.provenance)}};
}

}  // namespace ricochet
