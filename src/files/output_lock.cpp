// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

#include "files/lock_holder.hpp"
#include "files/posix_file.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

enum class KernelLock { taken, held_by_another, unknown };

KernelLock take_kernel_lock(int descriptor) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
#ifdef F_OFD_SETLK
    if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return KernelLock::taken;
    if (errno == EAGAIN || errno == EACCES) return KernelLock::held_by_another;
#endif
    return KernelLock::unknown;
}

/// Time given to a holder that has just created its file.
void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

/// Longer than it takes until other nodes see a write to a side file.
void wait_for_others() { std::this_thread::sleep_for(std::chrono::seconds(2)); }

}  // namespace

/// The side file, open and held; on rank 0 only.
class OutputLock::SideFile {
  public:
    explicit SideFile(const std::string& output)
        : output_(output), path_(path_behind_links(output) + ".lock"), self_(LockHolder::self()) {
        constexpr int most_tries = 20;
        try {
            for (int k = 0; k < most_tries && !is_held_; ++k) {
                close_file();
                is_held_ = try_to_hold();
            }
        } catch (const InputError&) {
            close_file();
            throw;
        }
        if (!is_held_)
            throw InputError(fmt::format("output file {}: {} changes all the time", output_, path_));
        thread_ = std::thread([this] { renew(); });
    }
    SideFile(const SideFile&) = delete;
    SideFile& operator=(const SideFile&) = delete;
    SideFile(SideFile&&) = delete;
    SideFile& operator=(SideFile&&) = delete;
    ~SideFile() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        end_.notify_all();
        if (thread_.joinable()) thread_.join();
        if (descriptor_ >= 0 && is_own()) unlink(path_.c_str());
        close_file();
    }

    std::optional<std::string> problem() const {
        if (!is_lost_.load()) return std::nullopt;
        return fmt::format(
            "{}: its lock {} was replaced while this run did not renew it; another run may write it", output_,
            path_);
    }

  private:
    /// Returns false when something has changed meanwhile and the attempt must be repeated. Throws InputError
    /// where another run is alive.
    bool try_to_hold() {
        const bool is_new = open_new();
        if (!is_new && !open_existing()) return false;
        const KernelLock kernel_lock = take_kernel_lock(descriptor_);
        if (!is_at_its_path()) return false;
        if (!is_new) {
            replace_or_refuse(kernel_lock);
            if (kernel_lock == KernelLock::held_by_another) {
                unlink(path_.c_str());
                must_check_again_ = true;
                return false;
            }
        } else if (kernel_lock == KernelLock::held_by_another) {
            return false;
        }
        write_text();
        if (must_check_again_ || (!is_new && kernel_lock == KernelLock::unknown)) wait_for_others();
        return is_own();
    }

    bool open_new() {
        descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (descriptor_ < 0 && errno != EEXIST) fail("created");
        return descriptor_ >= 0;
    }

    bool open_existing() {
        descriptor_ = ::open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
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
        const double now = seconds_since_1970();
        const auto holder = text.empty() ? std::optional(unknown_holder()) : LockHolder::from_text(text);
        if (!holder)
            throw InputError(
                fmt::format("output file {}: {} is no lock of this program; move it away", output_, path_));
        if (!is_dead(*holder, self_, kernel_lock == KernelLock::taken, now)) refuse(*holder, now);
    }

    [[noreturn]] void refuse(const LockHolder& holder, double now) const {
        const bool is_far = holder.kernel != self_.kernel;
        throw InputError(fmt::format(
            "output file {}: another run writes it: {}; wait for its end or choose another name{}", output_,
            holder.describe(now),
            is_far ? fmt::format(" (a run on another host counts as dead after {} minutes without renewal)",
                                 patience_minutes)
                   : ""));
    }

    /// A file without text is as old as its modification time.
    LockHolder unknown_holder() const {
        struct stat info {};
        LockHolder holder;
        holder.host = holder.process = "unknown";
        if (fstat(descriptor_, &info) == 0) holder.renewed = static_cast<double>(info.st_mtime);
        return holder;
    }

    bool is_at_its_path() const {
        struct stat by_path {
        }, opened{};
        return lstat(path_.c_str(), &by_path) == 0 && fstat(descriptor_, &opened) == 0 &&
               by_path.st_dev == opened.st_dev && by_path.st_ino == opened.st_ino && S_ISREG(opened.st_mode);
    }

    bool is_own() const {
        const auto holder = LockHolder::from_text(read_text());
        return is_at_its_path() && holder && holder->token == self_.token;
    }

    std::string read_text() const {
        std::array<char, 2048> buffer{};
        const ssize_t length = pread(descriptor_, buffer.data(), buffer.size(), 0);
        return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
    }

    void write_text() {
        self_.renewed = seconds_since_1970();
        const std::string text = self_.to_text();
        if (pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()) ||
            fsync(descriptor_) != 0)
            fail("written");
    }

    void close_file() {
        if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    }

    /// A full disk does not end the run: the text is written in place, and retried.
    void renew() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
        std::unique_lock lock(mutex_);
        while (!end_.wait_for(lock, std::chrono::duration<double>(renewal_seconds),
                              [this] { return is_over_; })) {
            if (!is_own()) {
                is_lost_ = true;
                return;
            }
            try {
                write_text();
            } catch (const InputError&) {
            }
        }
    }

    std::string output_, path_;
    LockHolder self_;
    int descriptor_ = -1;
    bool must_check_again_ = false;
    bool is_held_ = false;
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

std::optional<std::string> OutputLock::problem() const {
    return side_file_ ? side_file_->problem() : std::nullopt;
}

void OutputLock::release() noexcept { side_file_.reset(); }

OutputLock& lock_of_this_process() {
    static OutputLock lock;
    return lock;
}

}  // namespace ricochet
