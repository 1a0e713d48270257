// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_datasets.hpp"

#include "result/start_ids.hpp"

namespace ricochet {
namespace {

const std::string trajectory = "/particles/trajectory/", ricochet_group = "/ricochet/",
                  observables = "/ricochet/observables/";

void add_frames(const ResultDescription& description, std::vector<ResultDataset>& all) {
    for (const std::string name : particle_elements)
        all.push_back({trajectory, name + "/value", RowsOf::frame_particles});
    for (const std::string name : particle_attributes)
        if (description.has_changing_particles)
            all.push_back({trajectory, name + "/value", RowsOf::frame_particles});
        else
            all.push_back({trajectory, name, RowsOf::all_frames});
    for (const char* name : {"position/step", "position/time", "box/edges/value"})
        all.push_back({trajectory, name, RowsOf::frames});
    if (description.first_new_id) all.push_back({ricochet_group, "rows", RowsOf::frames});
}

/// All observables have the steps and times of the first.
void add_observables(const ResultDescription& description, std::vector<ResultDataset>& all) {
    bool is_first = true;
    for (const ObservableInfo& info : description.observables) {
        all.push_back({observables, info.name + "/value", RowsOf::samples});
        for (const char* part : {"step", "time"})
            all.push_back({observables + info.name + "/", part, RowsOf::samples, !is_first});
        is_first = false;
    }
}

}  // namespace

std::uint64_t ResultDataset::num_rows(const CompleteRows& complete,
                                      std::uint64_t num_particles_at_start) const {
    switch (rows) {
        case RowsOf::start:
        case RowsOf::all_frames:
            return num_particles_at_start;
        case RowsOf::frames:
        case RowsOf::frame_particles:
            return complete.frames;
        case RowsOf::collisions:
            return complete.collisions;
        case RowsOf::samples:
            return complete.samples;
    }
    return 0;
}

std::vector<ResultDataset> datasets_of(const ResultDescription& description) {
    std::vector<ResultDataset> all{{ricochet_group, start_ids_name, RowsOf::start}};
    add_frames(description, all);
    all.push_back({ricochet_group, "collisions", RowsOf::collisions});
    add_observables(description, all);
    return all;
}

}  // namespace ricochet
