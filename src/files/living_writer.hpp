// SPDX-License-Identifier: BSD-3-Clause
//
// For readers of an output: whether a living process writes it.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include "files/lock_holder.hpp"

namespace ricochet {

/// The process that writes the output, by the text of its lock; none where it has ended. Reads only. Not collective.
std::optional<LockHolder> find_living_writer(const std::string& output);

/// Whether a process writes the output, even if its lock was removed. Reads only. Not collective.
bool is_being_written(const std::string& output);

/// Calls `read`, which reads the output, and returns what it found. A reader in the middle of a write meets what looks
/// like damage. So while a process writes, `read` is called again, for some 5 s, where it throws or what it found does
/// not pass `is_whole`. Not collective.
template <class Read, class IsWhole>
auto read_while_written(const std::string& output, Read&& read, IsWhole&& is_whole) {
    using namespace std::chrono_literals;
    constexpr int most_attempts = 50;
    for (int attempt = 1;; ++attempt) {
        // Asked before: a run that ends meanwhile has left a whole file to the next attempt.
        const bool is_last = attempt == most_attempts || !is_being_written(output);
        try {
            auto found = read();
            if (is_last || is_whole(found)) return found;
        } catch (const std::exception&) {
            if (is_last) throw;
        }
        std::this_thread::sleep_for(100ms);
    }
}

template <class Read>
auto read_while_written(const std::string& output, Read&& read) {
    return read_while_written(output, read, [](const auto&) { return true; });
}

}  // namespace ricochet
