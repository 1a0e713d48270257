// SPDX-License-Identifier: BSD-3-Clause
#include "files/file_clock.hpp"

#include "files/posix_file.hpp"
#include "files/system_calls.hpp"

namespace ricochet {
namespace {

double host_clock() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

double last_write_in(const struct stat& info) {
    return static_cast<double>(info.st_mtim.tv_sec) + 1e-9 * static_cast<double>(info.st_mtim.tv_nsec);
}

}  // namespace

FileClock::FileClock(const std::string& path) {
    std::string name = path + ".XXXXXX";
    const int descriptor = system_calls().mkstemp(name.data());
    set(host_clock());
    if (descriptor < 0) return;
    remove_where_possible(name);
    read_again(descriptor);
    system_calls().close(descriptor);
}

double FileClock::now() const {
    return time_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - read_at_).count();
}

void FileClock::read_again(int descriptor) {
    if (const double time = time_of_last_write(descriptor); time > 0) set(time);
}

void FileClock::set(double time) {
    time_ = time;
    read_at_ = std::chrono::steady_clock::now();
}

double time_of_last_write(int descriptor) {
    struct stat info {};
    return system_calls().fstat(descriptor, &info) == 0 ? last_write_in(info) : 0;
}

double time_of_last_write(const std::string& path) {
    struct stat info {};
    return system_calls().stat(path.c_str(), &info) == 0 ? last_write_in(info) : 0;
}

}  // namespace ricochet
