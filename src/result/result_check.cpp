// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_check.hpp"

#include <fmt/format.h>

#include <exception>

#include "hdf5/chunk_map.hpp"
#include "hdf5/hdf5_description.hpp"
#include "hdf5/hdf5_file.hpp"
#include "parallel/collectives.hpp"
#include "result/body_table.hpp"
#include "result/result_reader.hpp"
#include "result/result_seal.hpp"
#include "result/result_sums.hpp"
#include "result/species_shapes.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using OnPiece = std::function<void()>;

constexpr const char* seals_path = "/ricochet/checksums";

/// Errors of HDF5 begin with the path.
std::string damaged(const std::string& path, std::string what) {
    if (what.starts_with(path + ": ")) what.erase(0, path.size() + 2);
    return path + ": is damaged: " + what;
}

void require_seals(const ResultReader& reader) {
    if (!hdf5::has_object(reader.file(), seals_path))
        throw InputError(reader.path() + ": has no checksums; an earlier version of ricochet has written it");
}

std::optional<std::string> find_structure_problem(const ResultReader& reader, const OnPiece& on_piece) {
    const auto seal = read_seal(reader.open(seals_path), reader.complete());
    if (!seal) return "its counters of complete rows, or their checksums, are not what was written";
    if (seal->description != 0 && seal->description != hdf5::hash_of_description(reader.file()))
        return "its description (names, shapes, attributes) is not what was written";
    const hdf5::Handle group = hdf5::open_group(reader.file(), "ricochet");
    if (!has_bodies_of_its_hash(group.get()))
        return "its bodies are not what was written (their hash is another)";
    if (!has_shapes_of_its_hash(group.get()))
        return "its shapes are not what was written (their hash is another)";
    return hdf5::find_misplaced_chunk(reader.file(), on_piece);
}

std::optional<std::string> find_difference(const ResultSums& found, const ResultSums& expected) {
    constexpr const char* other = " are not what was written (their checksum is another)";
    if (found.frames != expected.frames) return fmt::format("its frames{}", other);
    if (found.collisions != expected.collisions) return fmt::format("its rows of collisions{}", other);
    if (found.samples != expected.samples) return fmt::format("its observables{}", other);
    return std::nullopt;
}

/// Runs `find`. A read error counts as damage, also where a damaged length asks for more memory than there
/// is.
template <class Find>
std::optional<std::string> problem_of(const std::string& path, const Find& find) {
    try {
        if (const std::optional<std::string> problem = find()) return damaged(path, *problem);
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& error) {
        return damaged(path, error.what());
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> find_damage_of_structure(const std::string& path, const OnPiece& on_piece) {
    return problem_of(path, [&] {
        const ResultReader reader(path);
        require_seals(reader);
        return find_structure_problem(reader, on_piece);
    });
}

bool has_checked_description(const std::string& path) {
    const ResultReader reader(path);
    require_seals(reader);
    const auto seal = read_seal(reader.open(seals_path), reader.complete());
    return seal && seal->description != 0;
}

std::optional<std::string> find_damage_of_rows(Exchange& exchange, const std::string& path,
                                               const ResultPosition& position, const OnPiece& on_piece) {
    const Share share{static_cast<std::uint64_t>(exchange.rank()),
                      static_cast<std::uint64_t>(exchange.size())};
    const CompleteRows rows{position.frames, position.collisions, position.samples, 0};
    ResultSums sums;
    std::optional<std::string> problem;
    try {
        problem = problem_of(path, [&]() -> std::optional<std::string> {
            sums = read_sums(ResultReader(path), rows, share, on_piece);
            return std::nullopt;
        });
    } catch (const InputError& error) {
        problem = error.what();
    }
    if (auto agreed = agreed_message(exchange, problem)) return agreed;
    return problem_of(path, [&] { return find_difference(sum_over(exchange, sums), position.sums); });
}

std::optional<std::string> find_damage_of_result(const std::string& path, const OnPiece& on_piece) {
    return problem_of(path, [&]() -> std::optional<std::string> {
        const ResultReader reader(path);
        require_seals(reader);
        if (auto problem = find_structure_problem(reader, on_piece)) return problem;
        const auto seal = read_seal(reader.open(seals_path), reader.complete());
        return find_difference(read_sums(reader, reader.complete(), {}, on_piece), seal->sums);
    });
}

}  // namespace ricochet
