// SPDX-License-Identifier: BSD-3-Clause
//
// Locks of an output: which holders count as dead, and what keeps a second run out. Two locks in one process are two
// open files, which the kernel's locks distinguish as they do processes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "files/file_clock.hpp"
#include "files/kernel_lock.hpp"
#include "files/living_writer.hpp"
#include "files/lock_holder.hpp"
#include "files/output_lock.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::bytes_of;
using test::message_of;
using test::run_ranks;
using test::SharedFolder;
using test::write_bytes;
using testing::HasSubstr;

constexpr double now = 1e9;

/// A holder on another host, which renewed its text this many seconds ago.
LockHolder far_holder(double silence) {
    LockHolder holder = LockHolder::self();
    holder.host = "far";
    holder.kernel = "another";
    holder.process = "77 123";
    holder.renewed = now - silence;
    return holder;
}

LockEvidence evidence(bool has_kernel_lock, double seconds_since_boot = 1e6) {
    return {has_kernel_lock, now, seconds_since_boot};
}

TEST(LockHolder, OnAnotherHostDiesOfSilence) {
    const LockHolder self = LockHolder::self();
    for (const bool has_kernel_lock : {false, true}) {
        EXPECT_FALSE(is_dead(far_holder(299), self, evidence(has_kernel_lock)));
        EXPECT_TRUE(is_dead(far_holder(301), self, evidence(has_kernel_lock)));
        EXPECT_FALSE(is_dead(far_holder(100), self, evidence(has_kernel_lock, 50)));
    }
}

TEST(LockHolder, OnThisHostDiesWithItsKernel) {
    const LockHolder self = LockHolder::self();
    LockHolder holder = far_holder(100);
    holder.host = self.host;
    EXPECT_TRUE(is_dead(holder, self, evidence(true, 99)));
    EXPECT_FALSE(is_dead(holder, self, evidence(true, 101)));
    EXPECT_FALSE(is_dead(holder, self, evidence(false, 99)));
}

TEST(LockHolder, TimeOfRenewalIsANumberOfThePast) {
    EXPECT_TRUE(is_plausible_renewal(now - 1e6, now));
    EXPECT_TRUE(is_plausible_renewal(now + 10, now));
    EXPECT_FALSE(is_plausible_renewal(now + 1e4, now));
    EXPECT_FALSE(is_plausible_renewal(std::nan(""), now));
    EXPECT_FALSE(is_plausible_renewal(-std::numeric_limits<double>::infinity(), now));
}

TEST(FileClock, TellsFractionsOfASecond) {
    const SharedFolder folder;
    const std::string file = folder.file("a.h5md");
    write_bytes(file, "rows");
    const timespec times[2] = {{1'000'000'000, 750'000'000}, {1'000'000'000, 750'000'000}};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
    EXPECT_DOUBLE_EQ(time_of_last_write(file), 1'000'000'000.75);
    EXPECT_EQ(time_of_last_write(folder.file("none")), 0);
}

TEST(FileClock, IsThatOfFiles) {
    const SharedFolder folder;
    const FileClock clock(folder.file("a.lock"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.file("")));
    const std::string path = folder.file("later");
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT, 0644);
    EXPECT_NEAR(clock.now(), time_of_last_write(descriptor), 1);
    close(descriptor);
}

/// The descriptor of an open file; closes it at the end.
class OpenFile {
  public:
    explicit OpenFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDWR | O_CREAT, 0644)) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    OpenFile(OpenFile&&) = delete;
    OpenFile& operator=(OpenFile&&) = delete;
    ~OpenFile() { close(descriptor_); }
    int get() const { return descriptor_; }

  private:
    int descriptor_;
};

TEST(KernelMark, IsSeenByOthersAndDisturbsNoReader) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, "content");
    KernelMark mark, second;
    EXPECT_FALSE(is_marked(path));
    ASSERT_EQ(mark.set(path), KernelLock::taken);
    EXPECT_TRUE(is_marked(path));
    EXPECT_EQ(second.set(path), KernelLock::held_by_another);
    { const OpenFile reader(path); }  // plain locks of this process would end here
    EXPECT_TRUE(is_marked(path));

    const OpenFile reader(path);
    EXPECT_EQ(flock(reader.get(), LOCK_SH | LOCK_NB), 0);
    struct flock written {};  // as MPI-IO locks what it writes
    written.l_type = F_WRLCK;
    written.l_len = 1 << 20;
    EXPECT_EQ(fcntl(reader.get(), F_OFD_SETLK, &written), 0);

    EXPECT_EQ(mark.set(path), KernelLock::taken);
    mark.remove();
    EXPECT_FALSE(is_marked(path));
    EXPECT_EQ(second.set(path), KernelLock::taken);
    EXPECT_EQ(mark.set(folder.file("absent")), KernelLock::unknown);
}

/// A lock of a run on another host, whose text was renewed an hour ago, with the kernel's lock on it.
TEST(OutputLock, LiveKernelLockOutweighsItsText) {
    const SharedFolder folder;
    const std::string output = folder.file("a.h5md");
    LockHolder holder = far_holder(0);
    holder.renewed = FileClock(output).now() - 3600;
    write_bytes(output + ".lock", holder.to_text());
    {
        const OpenFile live(output + ".lock");
        ASSERT_EQ(take_kernel_lock(live.get()), KernelLock::taken);
        run_ranks(2, [&](Exchange& exchange) {
            OutputLock second;
            EXPECT_THAT(message_of<InputError>([&] { second.take(exchange, output); }),
                        HasSubstr("the operating system holds the lock for it"));
        });
        EXPECT_EQ(bytes_of(output + ".lock"), holder.to_text());
    }
    run_ranks(1, [&](Exchange& exchange) { EXPECT_NO_THROW(OutputLock().take(exchange, output)); });
}

TEST(OutputLock, MarkKeepsOthersOutWithoutSideFile) {
    const SharedFolder folder;
    const std::string output = folder.file("a.h5md"), other_name = folder.file("b.h5md");
    run_ranks(1, [&](Exchange& exchange) {
        OutputLock lock;
        lock.take(exchange, output);
        write_bytes(output, "rows");
        std::filesystem::create_hard_link(output, other_name);
        lock.mark_output(exchange);
        std::filesystem::remove(output + ".lock");
        for (const std::string& path : {output, other_name})
            EXPECT_THAT(message_of<InputError>([&] { OutputLock().take(exchange, path); }),
                        HasSubstr("another run writes it, under another name"));
        EXPECT_FALSE(std::filesystem::exists(output + ".lock"));
        lock.release();
        EXPECT_NO_THROW(OutputLock().take(exchange, output));
    });
}

TEST(LivingWriter, LetsReadersTryAgain) {
    const SharedFolder folder;
    const std::string output = folder.file("a.h5md");
    write_bytes(output, "rows");
    int num_reads = 0;
    const auto read = [&] {
        if (++num_reads < 3) throw InputError("read in the middle of a write");
        return num_reads;
    };
    EXPECT_THAT(message_of<InputError>([&] { read_while_written(output, read); }),
                HasSubstr("middle of a write"));
    EXPECT_EQ(num_reads, 1);
    run_ranks(1, [&](Exchange& exchange) {
        OutputLock lock;
        lock.take(exchange, output);
        num_reads = 0;
        EXPECT_EQ(read_while_written(output, read), 3);
        int num_sights = 0;
        EXPECT_EQ(read_while_written(
                      output, [&] { return ++num_sights; }, [](int found) { return found == 4; }),
                  4);
    });
}

TEST(LivingWriter, MayEndDuringARead) {
    const SharedFolder folder;
    const std::string output = folder.file("a.h5md");
    write_bytes(output, "rows");
    run_ranks(1, [&](Exchange& exchange) {
        OutputLock lock;
        lock.take(exchange, output);
        int num_reads = 0;
        const auto read = [&] {
            if (++num_reads > 1) return num_reads;
            lock.release();
            throw InputError("read in the middle of the last write");
        };
        EXPECT_EQ(read_while_written(output, read), 2);
    });
}

/// Waits for two renewals, without work.
TEST(LongOutputLock, RestoresTheSideFile) {
    const SharedFolder folder;
    const std::string output = folder.file("a.h5md"), side_file = output + ".lock";
    const std::chrono::duration<double> renewal(renewal_seconds + 1);
    run_ranks(1, [&](Exchange& exchange) {
        write_bytes(output, "rows");
        OutputLock lock;
        lock.take(exchange, output);
        std::filesystem::remove(side_file);
        std::this_thread::sleep_for(renewal);
        EXPECT_TRUE(LockHolder::from_text(bytes_of(side_file)).has_value());
        EXPECT_EQ(lock.problem(), std::nullopt);

        std::filesystem::remove(side_file);
        write_bytes(side_file, far_holder(0).to_text());
        std::this_thread::sleep_for(2 * renewal);
        EXPECT_THAT(lock.problem().value_or(""), HasSubstr("was replaced"));
    });
    EXPECT_TRUE(std::filesystem::exists(side_file));
}

}  // namespace
}  // namespace ricochet
