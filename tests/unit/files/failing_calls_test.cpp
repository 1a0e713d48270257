// SPDX-License-Identifier: BSD-3-Clause
//
// Each system call of what the program writes itself fails in turn: once, or with all that follow, as if the process
// had been killed there. What was whole before is whole afterwards, or is known not to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "files/kernel_lock.hpp"
#include "files/output_file.hpp"
#include "files/output_lock.hpp"
#include "files/output_path.hpp"
#include "files/sealed_file.hpp"
#include "files/undo_journal.hpp"
#include "parallel/serial_exchange.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/shared_folder.hpp"

namespace ricochet {
namespace {

using test::bytes_of;
using test::FailingCalls;
using test::SharedFolder;
using test::write_bytes;
using testing::HasSubstr;

const std::string run_id = "0123456789abcdef0123456789abcdef";

/// Lets each call of `act` fail in turn, in the four ways, and calls check(whether act has thrown) after it, when the
/// calls do not fail any more. Returns the number of failures.
int fail_each(const std::function<void()>& prepare, const std::function<void()>& act,
              const std::function<void(bool)>& check) {
    int num_failures = 0;
    for (const bool stays : {false, true})
        for (const bool is_torn : {false, true})
            for (std::size_t first = 0;; ++first) {
                prepare();
                FailingCalls calls({.first = first, .stays = stays, .is_torn = is_torn});
                bool has_thrown = false;
                {
                    const CallsInstead instead(calls);
                    try {
                        act();
                    } catch (const std::runtime_error&) {
                        has_thrown = true;
                    }
                }
                SCOPED_TRACE(testing::Message() << "call " << first << ", " << stays << is_torn);
                if (!calls.has_failed()) break;
                ++num_failures;
                check(has_thrown);
            }
    return num_failures;
}

std::string content_with_id() { return run_id + std::string(3000, 'a'); }

void overwrite(const std::string& path, std::uint64_t offset, const std::string& bytes) {
    PosixFile file = PosixFile::open_for_writing(path);
    file.write(offset, std::as_bytes(std::span(bytes)));
    file.close();
}

/// Keeps and overwrites as the program does: what throws ends it.
void change_under_journal(const std::string& path, bool is_synced) {
    UndoJournal journal(path, run_id, is_synced);
    journal.begin(content_with_id().size());
    for (const std::uint64_t offset : {100u, 1500u, 700u, 90u}) {
        journal.keep(offset, 1000);
        overwrite(path, offset, std::string(1000, static_cast<char>('b' + offset % 7)));
    }
}

/// Rolls back where there is something to roll back, as recovery does.
void recover(const std::string& path) {
    const auto undo = find_undo(path);
    if (undo && undo->has_begun)
        roll_back(path, *undo);
    else if (undo)
        remove_undo(path);
}

TEST(FailingCalls, LeaveWhatTheJournalBringsBack) {
    for (const bool is_synced : {false, true}) {
        const SharedFolder folder;
        const std::string path = folder.file("a");
        const auto prepare = [&] {
            write_bytes(path, content_with_id());
            std::filesystem::remove(undo_path(path));
        };
        const auto check = [&](bool) {
            recover(path);
            EXPECT_EQ(bytes_of(path), content_with_id());
        };
        EXPECT_GT(fail_each(
                      prepare, [&] { change_under_journal(path, is_synced); }, check),
                  40);
    }
}

TEST(FailingCalls, LeaveARecoveryThatCanBeRepeated) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    const auto prepare = [&] {
        std::filesystem::remove(undo_path(path));
        write_bytes(path, content_with_id());
        change_under_journal(path, false);
    };
    const auto check = [&](bool) {
        recover(path);
        EXPECT_EQ(bytes_of(path), content_with_id());
        EXPECT_FALSE(std::filesystem::exists(undo_path(path)));
    };
    EXPECT_GT(fail_each(
                  prepare, [&] { recover(path); }, check),
              20);
}

/// A seal is never found whole on content that it does not fit, and what did not throw is sealed.
TEST(FailingCalls, LeaveNoFalseSeal) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    SerialExchange exchange;
    const auto check = [&](bool has_thrown) {
        const bool is_whole = !find_damage(exchange, path).has_value();
        EXPECT_TRUE(has_thrown || is_whole);
        EXPECT_TRUE(bytes_of(path).starts_with(content_with_id()));
        if (is_whole) {
            EXPECT_EQ(bytes_of(path).size(), content_with_id().size() + 40);
        }
    };
    const auto prepare = [&] { write_bytes(path, content_with_id()); };
    EXPECT_GT(fail_each(
                  prepare, [&] { seal_file(exchange, path, 77); }, check),
              8);
}

TEST(FailingCalls, LeaveNoHalfExport) {
    const SharedFolder folder;
    const std::string path = folder.file("a.csv");
    const std::string line(100'000, 'x');
    const auto act = [&] {
        OutputFile file(path);
        for (int k = 0; k < 7; ++k) file.write(line);
        file.close();
    };
    int num_single = 0;
    for (std::size_t first = 0;; ++first) {
        std::filesystem::remove(path);
        FailingCalls calls({.first = first, .is_torn = first % 2 == 0, .reason = ENOSPC});
        const CallsInstead instead(calls);
        const std::string message = test::message_of<std::runtime_error>(act);
        if (!calls.has_failed()) break;
        ++num_single;
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_THAT(message, HasSubstr("No space left on device"));
    }
    EXPECT_GT(num_single, 3);
}

/// Interrupted and short transfers are no failures.
class ShortCalls : public SystemCalls {
  public:
    ssize_t pread(int descriptor, void* bytes, std::size_t length, off_t offset) override {
        if (is_interrupted()) return -1;
        return SystemCalls::pread(descriptor, bytes, (length + 2) / 3, offset);
    }
    ssize_t pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset) override {
        if (is_interrupted()) return -1;
        return SystemCalls::pwrite(descriptor, bytes, (length + 2) / 3, offset);
    }
    int fallocate(int descriptor, off_t offset, off_t length) override {
        if (is_interrupted()) return -1;
        return SystemCalls::fallocate(descriptor, offset, length);
    }

  private:
    bool is_interrupted() {
        errno = EINTR;
        return ++num_calls_ % 2 == 1;
    }
    int num_calls_ = 0;
};

TEST(FailingCalls, AreGoneOnAfterAnInterruption) {
    const SharedFolder folder;
    ShortCalls calls;
    const CallsInstead instead(calls);
    PosixFile file = PosixFile::create(folder.file("a"));
    file.reserve(0, 5000);
    EXPECT_EQ(file.size(), 5000u);
    const std::string text = content_with_id();
    file.write(7, std::as_bytes(std::span(text)));
    std::string back(text.size(), '\0');
    file.read(7, std::as_writable_bytes(std::span(back)));
    EXPECT_EQ(back, text);
    EXPECT_THROW(file.read(4999, std::as_writable_bytes(std::span(back))), RunError);
}

/// A file system without locks and without renaming to a free name.
class PlainFileSystem : public SystemCalls {
  public:
    int fcntl(int /*descriptor*/, int /*command*/, struct flock* /*region*/) override {
        return refuse(ENOSYS);
    }
    int fallocate(int /*descriptor*/, off_t /*offset*/, off_t /*length*/) override {
        return refuse(EOPNOTSUPP);
    }
    int rename_to_free_name(const char* /*from*/, const char* /*to*/) override { return refuse(EINVAL); }

  private:
    static int refuse(int reason) {
        errno = reason;
        return -1;
    }
};

TEST(FailingCalls, OfAPlainFileSystemAreDoneWithout) {
    const SharedFolder folder;
    PlainFileSystem calls;
    const CallsInstead instead(calls);
    PosixFile file = PosixFile::create(folder.file("a"));
    file.reserve(10, 90);
    EXPECT_EQ(file.size(), 100u);
    write_bytes(folder.file("b"), "other");
    EXPECT_THAT(test::message_of<RunError>([&] { rename_to_free_name(folder.file("a"), folder.file("b")); }),
                HasSubstr("File exists"));
    rename_to_free_name(folder.file("a"), folder.file("c"));
    EXPECT_EQ(bytes_of(folder.file("c")).size(), 100u);
    EXPECT_FALSE(is_marked(folder.file("c")));
    SerialExchange exchange;
    OutputLock first, second;
    first.take(exchange, folder.file("d"));
    EXPECT_THROW(second.take(exchange, folder.file("d")), InputError);
}

/// A lock whose side file cannot be written is not had, and leaves nothing that refuses the next run.
TEST(FailingCalls, LeaveNoLockThatIsNotHeld) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    SerialExchange exchange;
    const auto act = [&] {
        OutputLock lock;
        lock.take(exchange, path);
    };
    const auto check = [&](bool) {
        OutputLock lock;
        EXPECT_NO_THROW(lock.take(exchange, path));
    };
    EXPECT_GT(fail_each([] {}, act, check), 8);
}

TEST(FailingCalls, OfADiskWithoutAnswerAreSaid) {
    class NoAnswer : public SystemCalls {
      public:
        int statvfs(const char* /*path*/, struct statvfs* /*disk*/) override {
            errno = EIO;
            return -1;
        }
    } calls;
    const SharedFolder folder;
    const CallsInstead instead(calls);
    SerialExchange exchange;
    EXPECT_THAT(test::message_of<RunError>([&] { require_free_space(exchange, folder.file("a"), 1); }),
                HasSubstr("cannot look up the free space"));
}

}  // namespace
}  // namespace ricochet
