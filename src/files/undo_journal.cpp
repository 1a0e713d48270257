// SPDX-License-Identifier: BSD-3-Clause
#include "files/undo_journal.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <system_error>

#include "core/hash.hpp"
#include "files/output_watch.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;
constexpr std::array<char, 8> journal_mark{'R', 'I', 'C', 'O', 'U', 'N', 'D', '1'};
constexpr std::size_t id_bytes = 32;

struct Head {
    std::array<char, 8> mark = journal_mark;
    std::uint64_t end = 0;
    std::uint64_t serial = 0;
    std::array<char, id_bytes> run_id{};
    std::uint64_t own_hash = 0;

    std::uint64_t expected_own_hash() const {
        return hash_bytes(std::as_bytes(std::span(this, 1)).first(sizeof(Head) - sizeof own_hash));
    }
};
static_assert(sizeof(Head) == 64);

struct RecordHead {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint64_t serial = 0;
    std::uint64_t hash = 0;

    std::uint64_t expected_hash(std::span<const std::byte> bytes) const {
        return hash_bytes(
            bytes, hash_bytes(std::as_bytes(std::span(this, 1)).first(sizeof(RecordHead) - sizeof hash)));
    }
};
static_assert(sizeof(RecordHead) == 32);

/// A valid record, and where its bytes are in the journal.
struct Block {
    RecordHead head;
    std::uint64_t place = 0;
};

bool has_mark(const PosixFile& journal) {
    std::array<char, journal_mark.size()> mark{};
    const std::size_t length = std::min<std::uint64_t>(journal.size(), mark.size());
    journal.read(0, std::as_writable_bytes(std::span(mark).first(length)));
    return std::equal(journal_mark.begin(), journal_mark.begin() + static_cast<std::ptrdiff_t>(length),
                      mark.begin());
}

std::optional<Head> read_head(const PosixFile& journal) {
    Head head;
    if (journal.size() < sizeof head) return std::nullopt;
    journal.read(0, std::as_writable_bytes(std::span(&head, 1)));
    if (head.mark != journal_mark || head.own_hash != head.expected_own_hash()) return std::nullopt;
    return head;
}

/// The valid record at `place`, if there is one.
std::optional<Block> read_block(const PosixFile& journal, std::uint64_t place, std::uint64_t serial) {
    Block block{{}, place + sizeof(RecordHead)};
    const std::uint64_t size = journal.size();
    if (size < block.place) return std::nullopt;
    journal.read(place, std::as_writable_bytes(std::span(&block.head, 1)));
    if (block.head.serial != serial || block.head.length > size - block.place) return std::nullopt;
    std::vector<std::byte> bytes(block.head.length);
    journal.read(block.place, bytes);
    if (block.head.hash != block.head.expected_hash(bytes)) return std::nullopt;
    return block;
}

/// The valid records, oldest first.
std::vector<Block> read_blocks(const PosixFile& journal, const Head& head) {
    std::vector<Block> blocks;
    std::uint64_t place = sizeof(Head);
    while (const auto block = read_block(journal, place, head.serial)) {
        place = block->place + block->head.length;
        blocks.push_back(*block);
    }
    return blocks;
}

std::string text_of(const std::array<char, id_bytes>& run_id) {
    return {run_id.begin(), std::find(run_id.begin(), run_id.end(), '\0')};
}

bool is_of(const std::string& output, const std::string& run_id) {
    std::error_code error;
    return fs::is_regular_file(output, error) && (run_id.empty() || contains_run_id(output, run_id));
}

}  // namespace

std::string undo_path(const std::string& output) { return path_behind_links(output) + ".undo"; }

UndoJournal::UndoJournal(const std::string& output, const std::string& run_id, bool is_synced)
    : output_path_(output),
      run_id_(run_id),
      output_(PosixFile::open_for_reading(output)),
      journal_(PosixFile::create(undo_path(output))),
      is_synced_(is_synced) {
    RICOCHET_CHECK_LE(run_id.size(), id_bytes);
    if (is_synced) sync_folder(folder_of(undo_path(output)));
}

void UndoJournal::begin(std::uint64_t end) {
    Head head;
    head.end = end;
    head.serial = ++serial_;
    std::copy(run_id_.begin(), run_id_.end(), head.run_id.begin());
    head.own_hash = head.expected_own_hash();
    journal_.truncate(0);
    journal_.write(0, std::as_bytes(std::span(&head, 1)));
    if (is_synced_) journal_.sync();
    end_ = std::min(end, output_.size());
    length_ = sizeof head;
    kept_.clear();
}

void UndoJournal::keep(std::uint64_t offset, std::uint64_t length) {
    if (offset >= end_) return;
    length = std::min(length, end_ - offset);
    if (length == 0 || is_kept(offset, offset + length)) return;
    RecordHead head{offset, length, serial_};
    record_.resize(sizeof head + length);
    const std::span<std::byte> bytes = std::span(record_).subspan(sizeof head);
    output_.read(offset, bytes);
    head.hash = head.expected_hash(bytes);
    std::memcpy(record_.data(), &head, sizeof head);
    journal_.write(length_, record_);
    if (is_synced_) journal_.sync();
    length_ += record_.size();
    note_kept(offset, offset + length);
}

bool UndoJournal::is_kept(std::uint64_t offset, std::uint64_t end) const {
    const auto next = kept_.upper_bound(offset);
    return next != kept_.begin() && std::prev(next)->second >= end;
}

/// Merges with the ranges that it touches.
void UndoJournal::note_kept(std::uint64_t offset, std::uint64_t end) {
    auto next = kept_.upper_bound(offset);
    if (next != kept_.begin() && std::prev(next)->second >= offset) {
        --next;
        offset = next->first;
    }
    while (next != kept_.end() && next->first <= end) {
        end = std::max(end, next->second);
        next = kept_.erase(next);
    }
    kept_.emplace(offset, end);
}

void UndoJournal::remove() { remove_undo(output_path_); }

std::optional<FoundUndo> find_undo(const std::string& output) {
    FoundUndo found;
    found.path = undo_path(output);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(found.path, error))) return std::nullopt;
    require_regular_file(found.path);
    const PosixFile journal = PosixFile::open_for_reading(found.path);
    if (!has_mark(journal))
        throw InputError(found.path +
                         ": is no journal of this program, which writes one under this name; "
                         "move it away");
    const std::optional<Head> head = read_head(journal);
    if (!head) return found;
    found.has_begun = true;
    found.end = head->end;
    found.run_id = text_of(head->run_id);
    found.is_of_output = is_of(output, found.run_id);
    found.num_blocks = read_blocks(journal, *head).size();
    return found;
}

void roll_back(const std::string& output, const FoundUndo& undo) {
    RICOCHET_CHECK(undo.has_begun && undo.is_of_output);
    const PosixFile journal = PosixFile::open_for_reading(undo.path);
    const std::vector<Block> blocks = read_blocks(journal, read_head(journal).value());
    PosixFile file = PosixFile::open_for_writing(output);
    std::vector<std::byte> bytes;
    for (std::size_t k = blocks.size(); k-- > 0;) {
        const Block& block = blocks[k];
        bytes.resize(block.head.length);
        journal.read(block.place, bytes);
        file.write(block.head.offset, bytes);
    }
    file.truncate(undo.end);
    file.sync();
    file.close();
    remove_undo(output);
}

void remove_undo(const std::string& output) {
    const std::string path = undo_path(output);
    remove_file(path);
    sync_folder(folder_of(path));
}

}  // namespace ricochet
