// SPDX-License-Identifier: BSD-3-Clause
#include "files/living_writer.hpp"

#include <fstream>
#include <iterator>

#include "files/file_clock.hpp"
#include "files/kernel_lock.hpp"
#include "files/posix_file.hpp"

namespace ricochet {

std::optional<LockHolder> find_living_writer(const std::string& output) {
    std::ifstream lock(path_behind_links(output) + ".lock", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(lock), {}};
    auto holder = LockHolder::from_text(text);
    if (!holder) return std::nullopt;
    const LockEvidence evidence{false, FileClock(output).now(), seconds_since_boot()};
    if (is_dead(*holder, LockHolder::self(), evidence)) return std::nullopt;
    return holder;
}

bool is_being_written(const std::string& output) {
    return is_marked(output) || find_living_writer(output).has_value();
}

}  // namespace ricochet
