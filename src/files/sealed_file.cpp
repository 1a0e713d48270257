// SPDX-License-Identifier: BSD-3-Clause
#include "files/sealed_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "core/hash.hpp"
#include "files/posix_file.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{4} << 20;
constexpr std::array<char, 8> magic{'R', 'I', 'C', 'O', 'S', 'E', 'A', '2'};

struct Seal {
    std::array<char, 8> mark = magic;
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;
    std::uint64_t owner = 0;
    std::uint64_t own_hash = 0;

    std::uint64_t expected_own_hash() const {
        return hash_bytes(std::as_bytes(std::span(this, 1)).first(sizeof(Seal) - sizeof own_hash));
    }
};
static_assert(sizeof(Seal) == 40);

// This rank's share of the checksum of the first `length` bytes.
std::uint64_t own_checksum(Exchange& exchange, const PosixFile& file, std::uint64_t length) {
    std::vector<std::byte> block;
    std::uint64_t sum = 0;
    const auto stride = static_cast<std::uint64_t>(exchange.size());
    for (auto k = static_cast<std::uint64_t>(exchange.rank()); k * block_bytes < length; k += stride) {
        block.resize(std::min(block_bytes, length - k * block_bytes));
        file.read(k * block_bytes, block);
        sum += hash_bytes(block, k + 1);
    }
    return sum;
}

// Collective; throws RunError on all ranks when one cannot read.
std::uint64_t checksum_of(Exchange& exchange, const std::string& path, std::uint64_t length) {
    std::optional<std::string> problem;
    std::uint64_t own = 0;
    try {
        own = own_checksum(exchange, PosixFile::open_for_reading(path), length);
    } catch (const RunError& error) {
        problem = error.what();
    }
    throw_together<RunError>(exchange, problem);
    return sum_of_ranks(exchange, own);
}

void append_seal(const std::string& path, Seal seal) {
    seal.own_hash = seal.expected_own_hash();
    PosixFile file = PosixFile::open_for_writing(path);
    file.write(seal.length, std::as_bytes(std::span(&seal, 1)));
    file.sync();
    file.close();
}

// Reads the seal; a sentence when there is none that fits the file.
std::optional<std::string> read_seal(const std::string& path, Seal& seal) {
    try {
        const PosixFile file = PosixFile::open_for_reading(path);
        const std::uint64_t size = file.size();
        if (size == 0) return "it is empty";
        if (size < sizeof(Seal)) return "it is cut off";
        file.read(size - sizeof(Seal), std::as_writable_bytes(std::span(&seal, 1)));
        if (seal.mark != magic || seal.own_hash != seal.expected_own_hash())
            return "it is cut off, or its end is damaged";
        if (seal.length != size - sizeof(Seal)) return "its length is not the one it was written with";
        return std::nullopt;
    } catch (const RunError& error) {
        return error.what();
    }
}

}  // namespace

void seal_file(Exchange& exchange, const std::string& path, std::uint64_t owner) {
    std::uint64_t length = 0;
    run_on_root<RunError>(exchange, [&] { length = PosixFile::open_for_reading(path).size(); });
    length = value_of_root(exchange, length);
    const std::uint64_t checksum = checksum_of(exchange, path, length);
    run_on_root<RunError>(
        exchange, [&] { append_seal(path, {.length = length, .checksum = checksum, .owner = owner}); });
}

std::optional<std::uint64_t> owner_of_sealed(const std::string& path) {
    Seal seal;
    if (read_seal(path, seal)) return std::nullopt;
    return seal.owner;
}

std::optional<std::string> find_damage(Exchange& exchange, const std::string& path) {
    Seal seal;
    std::optional<std::string> problem;
    if (exchange.rank() == 0) problem = read_seal(path, seal);
    if (auto agreed = agreed_message(exchange, problem)) return agreed;
    seal = value_of_root(exchange, seal);
    try {
        if (checksum_of(exchange, path, seal.length) == seal.checksum) return std::nullopt;
    } catch (const RunError& error) {
        return error.what();
    }
    return "its content has changed since it was written";
}

std::optional<std::uint64_t> checksum_of_file(Exchange& exchange, const std::string& path) {
    std::error_code error;
    std::uint64_t length = 0;
    if (exchange.rank() == 0 && std::filesystem::is_regular_file(path, error))
        length = std::filesystem::file_size(path, error);
    length = value_of_root(exchange, length);
    try {
        if (length > 0) return checksum_of(exchange, path, length);
    } catch (const RunError&) {
    }
    return std::nullopt;
}

}  // namespace ricochet
