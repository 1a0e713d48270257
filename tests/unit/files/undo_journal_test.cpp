// SPDX-License-Identifier: BSD-3-Clause
//
// The rollback journal: whatever was overwritten, and wherever the process was killed, the old state comes back.
#include "files/undo_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "ricochet/core/error.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/shared_folder.hpp"

namespace ricochet {
namespace {

using test::bytes_of;
using test::SharedFolder;
using test::write_bytes;
using testing::HasSubstr;

const std::string run_id = "0123456789abcdef0123456789abcdef";
constexpr std::size_t end_of_content = 3000, length = 4000;

std::string first_content() {
    std::mt19937 chance(1);
    std::string content(length, '\0');
    for (char& byte : content) byte = static_cast<char>(chance() % 256);
    return content.replace(100, run_id.size(), run_id);
}

struct Change {
    std::uint64_t offset = 0;
    std::string bytes;
};

/// Overlapping ones, some across the end of content, some beyond it.
std::vector<Change> random_changes() {
    std::mt19937 chance(2);
    std::vector<Change> changes;
    for (int k = 0; k < 60; ++k)
        changes.push_back(
            {200 + chance() % (length - 500), std::string(1 + chance() % 300, static_cast<char>(k))});
    return changes;
}

void overwrite(const std::string& path, const Change& change) {
    PosixFile file = PosixFile::open_for_writing(path);
    file.write(change.offset, std::as_bytes(std::span(change.bytes)));
    file.close();
}

void expect_comes_back(const std::string& path, const std::string& content) {
    const auto undo = find_undo(path);
    ASSERT_TRUE(undo && undo->is_of_output);
    roll_back(path, *undo);
    EXPECT_EQ(bytes_of(path), content.substr(0, end_of_content));
    EXPECT_FALSE(std::filesystem::exists(undo_path(path)));
}

/// Copies output and journal, the journal cut off at `journal_length`, and lets the copy come back.
void expect_copy_comes_back(const SharedFolder& folder, std::size_t journal_length,
                            const std::string& content) {
    const std::string copy = folder.file("copy");
    write_bytes(copy, bytes_of(folder.file("a")));
    write_bytes(undo_path(copy), bytes_of(undo_path(folder.file("a"))).substr(0, journal_length));
    expect_comes_back(copy, content);
}

TEST(UndoJournal, BringsBackEveryState) {
    const SharedFolder folder;
    const std::string path = folder.file("a"), content = first_content();
    write_bytes(path, content);
    UndoJournal journal(path, run_id, false);
    journal.begin(end_of_content);
    for (const Change& change : random_changes()) {
        const std::size_t before = bytes_of(undo_path(path)).size();
        journal.keep(change.offset, change.bytes.size());
        const std::size_t after = bytes_of(undo_path(path)).size();
        for (std::size_t cut = before; cut <= after; cut += 1 + (after - before) / 5)
            expect_copy_comes_back(folder, cut, content);  // a torn record, before its write
        overwrite(path, {change.offset, change.bytes.substr(0, change.bytes.size() / 2)});
        expect_copy_comes_back(folder, after, content);
        overwrite(path, change);
        expect_copy_comes_back(folder, after, content);
    }
    expect_comes_back(path, content);
}

TEST(UndoJournal, KeepsEachPlaceOnce) {
    const SharedFolder folder;
    write_bytes(folder.file("a"), first_content());
    UndoJournal journal(folder.file("a"), run_id, false);
    journal.begin(end_of_content);
    const auto size_after = [&](std::uint64_t offset, std::uint64_t num_bytes) {
        journal.keep(offset, num_bytes);
        return bytes_of(undo_path(folder.file("a"))).size();
    };
    const std::size_t size = size_after(300, 200);
    EXPECT_EQ(size_after(350, 100), size);
    EXPECT_EQ(size_after(end_of_content, 100), size);
    EXPECT_GT(size_after(500, 100), size);
    const std::size_t larger = size_after(200, 100);
    EXPECT_EQ(size_after(200, 400), larger) << "three ranges that touch are one";
}

/// Blocks of an earlier beginning are forgotten.
TEST(UndoJournal, BeginsAnew) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, first_content());
    UndoJournal journal(path, run_id, true);
    journal.begin(end_of_content);
    for (const Change& change : random_changes()) {
        journal.keep(change.offset, change.bytes.size());
        overwrite(path, change);
    }
    const std::string content = bytes_of(path);
    journal.begin(end_of_content);
    EXPECT_EQ(find_undo(path)->num_blocks, 0u);
    journal.keep(0, 50);
    overwrite(path, {0, std::string(50, 'x')});
    EXPECT_EQ(find_undo(path)->num_blocks, 1u);
    expect_comes_back(path, content);
}

TEST(UndoJournal, MayBePutBackTwice) {
    const SharedFolder folder;
    const std::string path = folder.file("a"), content = first_content();
    write_bytes(path, content);
    UndoJournal journal(path, run_id, false);
    journal.begin(end_of_content);
    for (const Change& change : random_changes()) {
        journal.keep(change.offset, change.bytes.size());
        overwrite(path, change);
    }
    const std::string kept = bytes_of(undo_path(path));
    roll_back(path, *find_undo(path));
    write_bytes(undo_path(path), kept);  // as if it had been killed before the removal
    overwrite(path, random_changes().front());
    expect_comes_back(path, content);
}

/// The run id tells whose journal it is.
TEST(UndoJournal, KnowsItsOutput) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    EXPECT_FALSE(find_undo(path));
    write_bytes(path, first_content());
    EXPECT_FALSE(find_undo(path));
    UndoJournal(path, run_id, false).begin(end_of_content);
    EXPECT_TRUE(find_undo(path)->is_of_output);
    write_bytes(path, std::string(length, 'x'));
    EXPECT_FALSE(find_undo(path)->is_of_output);
    std::filesystem::remove(path);
    EXPECT_FALSE(find_undo(path)->is_of_output);
    EXPECT_EQ(find_undo(path)->run_id, run_id);
}

/// As it is between the emptying and the new head.
TEST(UndoJournal, HasNothingToPutBackWithoutAHead) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, first_content());
    UndoJournal(path, run_id, false).begin(end_of_content);
    const std::string head = bytes_of(undo_path(path));
    for (std::size_t cut = 0; cut < head.size(); ++cut) {
        write_bytes(undo_path(path), head.substr(0, cut));
        EXPECT_FALSE(find_undo(path)->has_begun) << cut;
    }
}

TEST(UndoJournal, LeavesOtherFilesAlone) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, first_content());
    write_bytes(undo_path(path), "notes of the user");
    EXPECT_THAT(test::message_of<InputError>([&] { find_undo(path); }),
                HasSubstr("a.undo: is no journal of this program"));
    EXPECT_THAT(test::message_of<RunError>([&] { UndoJournal(path, run_id, false); }),
                HasSubstr("a.undo: cannot create"));
    EXPECT_EQ(bytes_of(undo_path(path)), "notes of the user");
}

}  // namespace
}  // namespace ricochet
