// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/chunk_index.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include "ricochet/core/error.hpp"

namespace ricochet::hdf5 {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};  // the undefined address
constexpr std::size_t address_bytes = 8, length_bytes = 8;

/// Bytes of the file, read as little-endian numbers.
class Piece {
  public:
    Piece(const PosixFile& file, std::uint64_t offset, std::uint64_t length) : bytes_(length) {
        file.read(offset, bytes_);
    }

    std::size_t size() const { return bytes_.size(); }
    template <class Number>
    Number at(std::size_t place) const {
        if (place > size() || size() - place < sizeof(Number))
            throw RunError("an object header is too short");
        Number number{};
        std::memcpy(&number, &bytes_[place], sizeof number);
        return number;
    }
    bool begins_with(std::string_view text) const {
        return size() >= text.size() && std::memcmp(bytes_.data(), text.data(), text.size()) == 0;
    }

  private:
    std::vector<std::byte> bytes_;
};

/// The root of the index, and the number of axes, that of the element's bytes included.
struct Root {
    std::uint64_t address = none;
    std::size_t num_axes = 0;
};

/// The root in a data layout message that begins at `place`; none for another layout or version.
std::optional<Root> root_in_layout(const Piece& piece, std::size_t place) {
    constexpr int version_with_tree = 3, chunked = 2;
    if (piece.at<std::uint8_t>(place) != version_with_tree || piece.at<std::uint8_t>(place + 1) != chunked)
        return std::nullopt;
    return Root{piece.at<std::uint64_t>(place + 3), piece.at<std::uint8_t>(place + 2)};
}

struct HeaderBlock {
    std::uint64_t offset = 0, length = 0;
};

/// The root in a block of messages. Continuations are added to `blocks`.
std::optional<Root> find_root(const Piece& block, std::vector<HeaderBlock>& blocks) {
    constexpr std::uint16_t layout = 8, continuation = 16;
    constexpr std::size_t message_head = 8;
    for (std::size_t place = 0; place + message_head <= block.size();) {
        const auto type = block.at<std::uint16_t>(place);
        const auto size = block.at<std::uint16_t>(place + 2);
        place += message_head;
        if (type == layout) return root_in_layout(block, place);
        if (type == continuation)
            blocks.push_back(
                {block.at<std::uint64_t>(place), block.at<std::uint64_t>(place + address_bytes)});
        place += size;
    }
    return std::nullopt;
}

/// The root by an object header of version 1, which is followed by its first block.
std::optional<Root> root_of(const PosixFile& file, haddr_t header) {
    constexpr std::uint64_t prefix = 16;
    constexpr std::size_t most_blocks = 1000;
    const Piece head(file, header, prefix);
    if (head.at<std::uint8_t>(0) != 1) return std::nullopt;
    std::vector<HeaderBlock> blocks{{header + prefix, head.at<std::uint32_t>(8)}};
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        if (blocks.size() > most_blocks || blocks[k].length > file.size())
            throw RunError("an object header is damaged");
        if (const auto root = find_root(Piece(file, blocks[k].offset, blocks[k].length), blocks)) return root;
    }
    return std::nullopt;
}

/// Walks the tree. A node has a head, then keys and children in turn.
class IndexWalk {
  public:
    IndexWalk(const PosixFile& file, std::size_t num_axes, const std::function<void()>& on_piece)
        : file_(file), key_bytes_(8 + length_bytes * num_axes), on_piece_(on_piece) {}

    void visit(std::uint64_t address, std::optional<int> expected_level = {}) {
        on_piece_();
        const Piece head(file_, address, head_bytes);
        const int level = head.at<std::uint8_t>(5);
        const std::size_t num_children = head.at<std::uint16_t>(6);
        const bool is_of_chunks = head.at<std::uint8_t>(4) == 1;
        // Levels fall from node to node, so that the walk ends.
        if (!head.begins_with("TREE") || !is_of_chunks || (expected_level && level != *expected_level))
            throw RunError("an index of chunks is damaged");
        const std::size_t entry = key_bytes_ + address_bytes;
        const Piece entries(file_, address + head_bytes, num_children * entry);
        for (std::size_t k = 0; k < num_children; ++k) {
            const auto child = entries.at<std::uint64_t>(k * entry + key_bytes_);
            if (level > 0)
                visit(child, level - 1);
            else
                chunks_.push_back({child, entries.at<std::uint32_t>(k * entry)});
        }
    }

    std::vector<StoredChunk> take() { return std::move(chunks_); }

  private:
    static constexpr std::size_t head_bytes = 8 + 2 * address_bytes;

    const PosixFile& file_;
    std::size_t key_bytes_;
    const std::function<void()>& on_piece_;
    std::vector<StoredChunk> chunks_;
};

/// Whether addresses and lengths have 8 bytes, as by default.
bool has_usual_sizes(const PosixFile& file) {
    constexpr int first_other_superblock = 2;
    const Piece head(file, 0, 16);
    return head.at<std::uint8_t>(8) < first_other_superblock && head.at<std::uint8_t>(13) == address_bytes &&
           head.at<std::uint8_t>(14) == length_bytes;
}

}  // namespace

std::optional<std::vector<StoredChunk>> read_chunk_index(const PosixFile& file, haddr_t header,
                                                         const std::function<void()>& on_piece) {
    if (!has_usual_sizes(file)) return std::nullopt;
    const auto root = root_of(file, header);
    if (!root) return std::nullopt;
    IndexWalk walk(file, root->num_axes, on_piece);
    if (root->address != none) walk.visit(root->address);
    return walk.take();
}

}  // namespace ricochet::hdf5
