// SPDX-License-Identifier: BSD-3-Clause
#include "result/start_ids.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_types.hpp"
#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"
#include "result/result_sums.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

std::optional<std::string> find_problem(std::uint64_t total, std::uint64_t expected,
                                        const std::vector<ParticleId>& sorted) {
    if (total != expected)
        return "there are " + std::to_string(total) + " ids, and " + std::to_string(expected) +
               " were expected";
    const auto found = std::adjacent_find(sorted.begin(), sorted.end());
    if (found == sorted.end()) return std::nullopt;
    return "particle " + std::to_string(*found) + " exists twice";
}

}  // namespace

bool needs_start_ids(const ResultDescription& description) {
    return description.first_new_id && *description.first_new_id != description.num_particles;
}

bool has_start_ids(hid_t file) {
    return hdf5::has_object(hdf5::open_group(file, "ricochet").get(), start_ids_name);
}

std::vector<ParticleId> read_start_ids(hid_t file, std::uint64_t first, std::uint64_t count) {
    std::vector<ParticleId> ids(count);
    hdf5::Dataset::open(hdf5::open_group(file, "ricochet").get(), start_ids_name)
        .read({{first}, {count}}, hdf5::number_type<ParticleId>(), ids.data());
    return ids;
}

StartIds::StartIds(Exchange& exchange, const ResultDescription& description,
                   std::vector<ParticleId> own_ids) {
    if (!needs_start_ids(description)) return;
    total_ = sum_of_ranks(exchange, own_ids.size());
    if (total_ == 0) return;
    ids_ = sort_across_ranks(exchange, std::move(own_ids), [](ParticleId id) { return id; });
    first_ = locate_rows(exchange, ids_.size()).first;
    if (auto problem = agreed_message(exchange, find_problem(total_, description.num_particles, ids_)))
        throw RunError("ids of the start: " + *problem);
    sum_ = sum_of_ranks(exchange, sum_of_elements(start_ids_name, first_, std::span<const ParticleId>(ids_)));
}

void StartIds::write(Exchange& exchange, hid_t group) const {
    if (total_ == 0) return;
    auto dataset =
        hdf5::Dataset::create_fixed(group, start_ids_name, hdf5::number_type<ParticleId>(), {total_});
    dataset.write(exchange, {{first_}, {ids_.size()}}, hdf5::number_type<ParticleId>(), ids_.data());
}

}  // namespace ricochet
