// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_seal.hpp"

#include <array>
#include <cstddef>
#include <span>

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
    const hdf5::Handle type = seal_type();
    std::array<ResultSeal, num_records> records;
    if (dataset.shape() != hdf5::Extents{num_records} || H5Tequal(dataset.type().get(), type.get()) <= 0)
        return std::nullopt;
    dataset.read({{0}, {num_records}}, type.get(), records.data());
    std::optional<ResultSeal> newest;
    for (const ResultSeal& seal : records)
        if (seal.own_hash == hash_of(seal) && seal.complete == complete &&
            (!newest || newest->serial < seal.serial))
            newest = seal;
    return newest;
}

void write_seal(Exchange& exchange, hdf5::Dataset& dataset, ResultSeal& seal) {
    ++seal.serial;
    write_record(exchange, dataset, seal);
}

}  // namespace ricochet
