// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_lock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "files/file_clock.hpp"
#include "files/kernel_lock.hpp"
#include "files/lock_holder.hpp"
#include "files/posix_file.hpp"
#include "files/system_calls.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Time given to a holder that has just created its file.
void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

/// Longer than it takes until other nodes see a write to a side file.
void wait_for_others() { std::this_thread::sleep_for(std::chrono::seconds(2)); }

/// How long the operating system's lock of a holder that has ended may outlive it: leases of network file systems
/// last 90 s.
constexpr std::chrono::seconds lease{100};

bool exists(const std::string& path) {
    struct stat info {};
    return system_calls().lstat(path.c_str(), &info) == 0;
}

}  // namespace

/// The side file, open and held, and the mark on the output; on rank 0 only.
class OutputLock::SideFile {
  public:
    explicit SideFile(const std::string& output)
        : output_(output),
          target_(path_behind_links(output)),
          path_(target_ + ".lock"),
          clock_(path_),
          self_(LockHolder::self()) {
        if (!exists(path_) && is_marked(target_)) throw InputError(describe_mark());
        try {
            hold();
        } catch (const InputError&) {
            close_file();
            throw;
        }
        thread_ = std::thread([this] { renew(); });
        if (mark_output()) return;
        end();
        throw InputError(describe_mark());
    }
    SideFile(const SideFile&) = delete;
    SideFile& operator=(const SideFile&) = delete;
    SideFile(SideFile&&) = delete;
    SideFile& operator=(SideFile&&) = delete;
    ~SideFile() { end(); }

    /// False where another run has marked the output.
    bool mark_output() {
        const KernelLock lock = mark_.set(target_);
        is_marked_ = lock == KernelLock::taken;
        return lock != KernelLock::held_by_another;
    }

    std::optional<std::string> problem() const {
        if (!is_lost_.load()) return std::nullopt;
        return fmt::format(
            "{}: its lock {} was replaced while this run did not renew it; another run may write it", output_,
            path_);
    }

    std::string describe_mark() const {
        return fmt::format(
            "output file {}: another run writes it, under another name or with its lock {} removed; "
            "wait for its end or choose another name",
            output_, path_);
    }

  private:
    void hold() {
        constexpr int most_tries = 20;
        bool is_held = false;
        for (int k = 0; k < most_tries && !is_held; ++k) {
            close_file();
            is_held = try_to_hold();
        }
        if (!is_held)
            throw InputError(fmt::format("output file {}: {} changes all the time", output_, path_));
    }

    /// Returns false when something has changed meanwhile and the attempt must be repeated. Throws InputError
    /// where another run is alive.
    bool try_to_hold() {
        const bool is_new = open_new();
        if (!is_new && !open_existing()) return false;
        KernelLock kernel_lock = take_kernel_lock(descriptor_);
        if (!is_at_its_path()) return false;
        if (is_new && kernel_lock == KernelLock::held_by_another) return false;
        if (!is_new) {
            if (kernel_lock == KernelLock::held_by_another) kernel_lock = wait_for_lease();
            replace_or_refuse(kernel_lock);
            if (!is_at_its_path()) return false;
        }
        write_text();
        if (!is_new && kernel_lock == KernelLock::unknown) wait_for_others();
        return is_own();
    }

    /// Waits for the lock of a holder that has certainly ended. Any other that has the lock is alive.
    KernelLock wait_for_lease() {
        const auto deadline = std::chrono::steady_clock::now() + lease;
        KernelLock lock = KernelLock::held_by_another;
        while (lock == KernelLock::held_by_another && std::chrono::steady_clock::now() < deadline) {
            const auto holder = LockHolder::from_text(read_text());
            if (!holder || !has_ended(*holder, self_)) break;
            wait_a_moment();
            lock = take_kernel_lock(descriptor_);
        }
        return lock;
    }

    bool open_new() {
        descriptor_ = system_calls().open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (descriptor_ < 0 && errno != EEXIST) fail("created");
        return descriptor_ >= 0;
    }

    bool open_existing() {
        descriptor_ = system_calls().open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
        if (descriptor_ < 0 && errno != ENOENT) fail("opened");
        return descriptor_ >= 0;
    }

    [[noreturn]] void fail(const char* what) const {
        throw InputError(fmt::format("output file {}: its lock {} cannot be {}: {}", output_, path_, what,
                                     std::strerror(errno)));
    }

    /// Returns where the holder is dead. A holder without text has just created the file, or died right after
    /// that.
    void replace_or_refuse(KernelLock kernel_lock) {
        std::string text = read_text();
        if (text.empty() && kernel_lock == KernelLock::taken) return;
        if (text.empty()) {
            wait_a_moment();
            text = read_text();
        }
        auto holder = text.empty() ? std::optional(unknown_holder()) : LockHolder::from_text(text);
        if (!holder)
            throw InputError(
                fmt::format("output file {}: {} is no lock of this program; move it away", output_, path_));
        const LockEvidence evidence{kernel_lock == KernelLock::taken, clock_.now(), seconds_since_boot()};
        if (!is_plausible_renewal(holder->renewed, evidence.now))
            holder->renewed = time_of_last_write(descriptor_);
        if (kernel_lock == KernelLock::held_by_another || !is_dead(*holder, self_, evidence))
            refuse(*holder, kernel_lock, evidence.now);
    }

    [[noreturn]] void refuse(const LockHolder& holder, KernelLock kernel_lock, double now) const {
        std::string hint;
        if (kernel_lock == KernelLock::held_by_another)
            hint = " (the operating system holds the lock for it, so it is alive)";
        else if (holder.kernel != self_.kernel)
            hint = fmt::format(" (a run on another host counts as dead after {} minutes without renewal)",
                               patience_minutes);
        throw InputError(fmt::format(
            "output file {}: another run writes it: {}; wait for its end or choose another name{}", output_,
            holder.describe(now), hint));
    }

    /// A file without text is as old as its modification time.
    LockHolder unknown_holder() const {
        LockHolder holder;
        holder.host = holder.process = "unknown";
        holder.renewed = time_of_last_write(descriptor_);
        return holder;
    }

    bool is_at_its_path() const {
        struct stat by_path {
        }, opened{};
        return system_calls().lstat(path_.c_str(), &by_path) == 0 &&
               system_calls().fstat(descriptor_, &opened) == 0 && by_path.st_dev == opened.st_dev &&
               by_path.st_ino == opened.st_ino && S_ISREG(opened.st_mode);
    }

    bool is_own() const {
        const auto holder = LockHolder::from_text(read_text());
        return is_at_its_path() && holder && holder->token == self_.token;
    }

    std::string read_text() const {
        std::array<char, 2048> buffer{};
        const ssize_t length = system_calls().pread(descriptor_, buffer.data(), buffer.size(), 0);
        return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
    }

    void write_text() {
        self_.renewed = clock_.now();
        if (self_.since == 0) self_.since = self_.renewed;
        const std::string text = self_.to_text();
        if (system_calls().pwrite(descriptor_, text.data(), text.size(), 0) !=
                static_cast<ssize_t>(text.size()) ||
            system_calls().fsync(descriptor_) != 0)
            fail("written");
        clock_.read_again(descriptor_);
    }

    void close_file() {
        if (descriptor_ >= 0) system_calls().close(std::exchange(descriptor_, -1));
    }

    void renew() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
        std::unique_lock lock(mutex_);
        bool was_own = true;
        while (!end_.wait_for(lock, std::chrono::duration<double>(renewal_seconds),
                              [this] { return is_over_; })) {
            const bool is_own_now = renew_or_restore();
            if (!is_own_now && !(was_own && is_marked_.load())) {
                is_lost_ = true;
                return;
            }
            was_own = is_own_now;
        }
    }

    /// Restores a side file that was removed, which excludes no other run while the output is marked. One that
    /// another run has put in its place goes with that run, which the mark refuses. A full disk does not end the
    /// run: the text is written in place, and retried.
    bool renew_or_restore() {
        try {
            if (is_own()) {
                write_text();
            } else if (is_marked_.load() && !exists(path_)) {
                close_file();
                if (open_new() && take_kernel_lock(descriptor_) == KernelLock::taken) write_text();
            }
        } catch (const InputError&) {
        }
        return is_own();
    }

    /// Ends the thread and removes what is left of the lock.
    void end() noexcept {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        end_.notify_all();
        if (thread_.joinable()) thread_.join();
        if (descriptor_ >= 0 && is_own()) remove_where_possible(path_);
        close_file();
        mark_.remove();
    }

    std::string output_, target_, path_;
    FileClock clock_;
    LockHolder self_;
    int descriptor_ = -1;
    KernelMark mark_;
    std::atomic<bool> is_marked_{false};
    std::atomic<bool> is_lost_{false};
    std::mutex mutex_;
    std::condition_variable end_;
    bool is_over_ = false;  ///< guarded by mutex_
    std::thread thread_;
};

OutputLock::OutputLock() = default;

OutputLock::~OutputLock() { release(); }

void OutputLock::take(Exchange& exchange, const std::string& output) {
    run_on_root<InputError>(exchange, [&] { side_file_ = std::make_unique<SideFile>(output); });
}

void OutputLock::mark_output(Exchange& exchange) {
    run_on_root<RunError>(exchange, [&] {
        if (side_file_ && !side_file_->mark_output()) throw RunError(side_file_->describe_mark());
    });
}

std::optional<std::string> OutputLock::problem() const {
    return side_file_ ? side_file_->problem() : std::nullopt;
}

void OutputLock::release() noexcept { side_file_.reset(); }

OutputLock& lock_of_this_process() {
    static OutputLock lock;
    return lock;
}

}  // namespace ricochet
