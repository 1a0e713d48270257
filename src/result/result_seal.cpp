// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_seal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "hdf5/hdf5_types.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t num_records = 2;

static_assert(sizeof(ResultSeal) == 10 * sizeof(std::uint64_t));

hdf5::Handle seal_type() {
    constexpr std::array names{"serial",     "frames",         "collisions",  "samples",     "steps",
                               "sum_frames", "sum_collisions", "sum_samples", "description", "own"};
    static_assert(names.size() * sizeof(std::uint64_t) == sizeof(ResultSeal));
    hdf5::CompoundBuilder type(sizeof(ResultSeal));
    for (std::size_t k = 0; k < names.size(); ++k)
        type.field(names[k], k * sizeof(std::uint64_t), hdf5::number_type<std::uint64_t>());
    return type.take();
}

std::uint64_t hash_of(const ResultSeal& seal) {
    return hash_bytes(std::as_bytes(std::span(&seal, 1)).first(offsetof(ResultSeal, own_hash)));
}

void write_record(Exchange& exchange, hdf5::Dataset& dataset, ResultSeal& seal) {
    const hdf5::Handle type = seal_type();
    seal.own_hash = hash_of(seal);
    const hsize_t num_own = exchange.rank() == 0 ? 1 : 0;
    dataset.write(exchange, {{seal.serial % num_records}, {num_own}}, type.get(), &seal);
}

/// The intact records, the newest first.
std::vector<ResultSeal> read_intact(const hdf5::Dataset& dataset) {
    const hdf5::Handle type = seal_type();
    if (dataset.shape() != hdf5::Extents{num_records} || H5Tequal(dataset.type().get(), type.get()) <= 0)
        return {};
    std::vector<ResultSeal> seals(num_records);
    dataset.read({{0}, {num_records}}, type.get(), seals.data());
    std::erase_if(seals, [](const ResultSeal& seal) { return seal.own_hash != hash_of(seal); });
    std::sort(seals.begin(), seals.end(), [](const auto& a, const auto& b) { return a.serial > b.serial; });
    return seals;
}

auto counter_bytes(const CompleteRows& rows) { return std::as_bytes(std::span(&rows, 1)); }

}  // namespace

void create_seals(Exchange& exchange, hid_t parent, const ResultSums& sums) {
    const hdf5::Handle type = seal_type();
    auto dataset = hdf5::Dataset::create_fixed(parent, "checksums", type.get(), {num_records});
    ResultSeal seal;
    seal.sums = sums;
    write_record(exchange, dataset, seal);
    write_seal(exchange, dataset, seal);
}

std::optional<ResultSeal> read_seal(const hdf5::Dataset& dataset, const CompleteRows& complete) {
    for (const ResultSeal& seal : read_intact(dataset))
        if (seal.complete == complete) return seal;
    return std::nullopt;
}

CompleteRows untorn(const CompleteRows& found, const hdf5::Dataset& dataset) {
    const std::vector<ResultSeal> seals = read_intact(dataset);
    if (seals.size() < num_records || found == seals[1].complete) return found;
    const auto bytes = counter_bytes(found), newer = counter_bytes(seals[0].complete),
               older = counter_bytes(seals[1].complete);
    const auto first_old = std::mismatch(bytes.begin(), bytes.end(), newer.begin()).first;
    const bool is_torn = std::equal(first_old, bytes.end(), older.begin() + (first_old - bytes.begin()));
    return is_torn ? seals[0].complete : found;
}

void write_seal(Exchange& exchange, hdf5::Dataset& dataset, ResultSeal& seal) {
    ++seal.serial;
    write_record(exchange, dataset, seal);
}

}  // namespace ricochet
