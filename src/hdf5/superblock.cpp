// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/superblock.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <optional>
#include <span>

#include "core/text.hpp"

namespace ricochet {
namespace {

struct EndPlace {
    std::uint64_t place = 0;  ///< in the file
    std::uint64_t end = 0;
    bool is_checked = false;  ///< by a checksum
};

std::optional<EndPlace> find_end(const PosixFile& file) {
    constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    constexpr int first_with_checksum = 2;
    std::array<unsigned char, 48> head{};
    if (file.size() < head.size()) return std::nullopt;
    file.read(0, std::as_writable_bytes(std::span(head)));
    if (!std::equal(signature.begin(), signature.end(), head.begin())) return std::nullopt;
    EndPlace found;
    found.is_checked = head[8] >= first_with_checksum;
    found.place = found.is_checked ? 28 : 40;
    std::memcpy(&found.end, &head.at(found.place), sizeof found.end);
    return found;
}

}  // namespace

std::uint64_t end_of_content(const PosixFile& file) {
    const auto found = find_end(file);
    return found ? found->end : file.size();
}

std::optional<std::string> find_cut(const std::string& path) noexcept {
    try {
        const PosixFile file = PosixFile::open_for_reading(path);
        const std::uint64_t expected = end_of_content(file), size = file.size();
        if (size >= expected) return std::nullopt;
        return text_of("is cut off: it has ", size, " bytes, and HDF5 wrote ", expected);
    } catch (const std::exception&) {
        return std::nullopt;  // what HDF5 says must do
    }
}

void raise_end_of_content(PosixFile& file) {
    const auto found = find_end(file);
    const std::uint64_t length = file.size();
    if (!found || found->is_checked || found->end >= length) return;
    file.write(found->place, std::as_bytes(std::span(&length, 1)));
    file.sync();
}

}  // namespace ricochet
