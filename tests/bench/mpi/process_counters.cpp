// SPDX-License-Identifier: BSD-3-Clause
#include "process_counters.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif

namespace ricochet::bench {

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024 * static_cast<double>(usage.ru_maxrss);
}

InstructionCounter::InstructionCounter() {
#ifdef __linux__
    perf_event_attr wanted{};
    wanted.size = sizeof wanted;
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0));
#endif
}

InstructionCounter::~InstructionCounter() {
    if (file_ >= 0) close(file_);
}

std::optional<std::uint64_t> InstructionCounter::count() const {
    std::uint64_t value = 0;
    if (file_ < 0 || read(file_, &value, sizeof value) != sizeof value || value == 0) return std::nullopt;
    return value;
}

}  // namespace ricochet::bench
