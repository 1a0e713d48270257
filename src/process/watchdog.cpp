// SPDX-License-Identifier: BSD-3-Clause
#include "process/watchdog.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Checks within the limit. Ranks check at different moments, up to one interval apart; after that all hung
/// ranks have printed.
constexpr int intervals_per_limit = 20;

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

/// Signals are for the main thread.
void block_all_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Watchdog::Watchdog(int rank, double limit_minutes) : rank_(rank), limit_(60 * limit_minutes) {
    if (limit_minutes > 0) thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    end_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Watchdog::watch() {
    block_all_signals();
    const auto interval = std::min(limit_ / intervals_per_limit, std::chrono::duration<double>(10));
    std::uint64_t seen = 0;
    Clock::time_point latest = Clock::now();
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, interval, [this] { return is_over_; })) {
        const std::uint64_t now = num_notes_.load(std::memory_order_acquire);
        if (now != seen) {
            seen = now;
            latest = Clock::now();
        } else if (Clock::now() - latest >= limit_) {
            end_program();
        }
    }
}

void Watchdog::end_program() const {
    std::fprintf(stderr,
                 "watchdog: no progress for %.3g minutes (run.watchdog): rank %d on %s is at %s, step %llu\n",
                 limit_.count() / 60, rank_, host_name().c_str(), phase_.load(),
                 static_cast<unsigned long long>(step_.load()));
    std::fflush(stderr);
    std::this_thread::sleep_for(2 * limit_ / intervals_per_limit + std::chrono::seconds(1));
    std::_Exit(static_cast<int>(ExitStatus::run_failed));
}

}  // namespace ricochet
