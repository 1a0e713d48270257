// SPDX-License-Identifier: BSD-3-Clause
#include "files/lock_holder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>
#include <system_error>
#include <vector>

namespace ricochet {
namespace {

constexpr const char* first_line = "ricochet lock: a run writes the file that this one is named after\n";
constexpr std::size_t text_length = 1024;

std::string first_word_of(const char* path) {
    std::string word;
    std::ifstream(path) >> word;
    return word;
}

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string process_space() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
}

/// Id and start time of a running process; empty when there is none. The name may hold any characters. The
/// state follows it and, 19 fields later, the start time.
std::string identity_of_process(const std::string& id) {
    std::ifstream file(fmt::format("/proc/{}/stat", id));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
    const bool is_running = fields.size() > 19 && fields[0] != "Z" && fields[0] != "X";
    return is_running ? fmt::format("{} {}", id, fields[19]) : "";
}

std::string draw_token() {
    std::random_device source;
    return fmt::format("{:08x}{:08x}", source(), source());
}

std::string value_after(const std::string& text, const std::string& key) {
    const std::size_t found = text.find(fmt::format("\n{}: ", key));
    if (found == std::string::npos) return "";
    const std::size_t begin = found + key.size() + 3;
    return text.substr(begin, text.find('\n', begin) - begin);
}

bool is_gone(const LockHolder& holder) {
    const std::string id = holder.process.substr(0, holder.process.find(' '));
    return identity_of_process(id) != holder.process;
}

}  // namespace

LockHolder LockHolder::self() {
    LockHolder self;
    self.host = host_name();
    self.kernel = first_word_of("/proc/sys/kernel/random/boot_id");
    self.process_space = ricochet::process_space();
    self.process = identity_of_process(std::to_string(getpid()));
    if (const std::string job = environment("SLURM_JOB_ID"); !job.empty()) {
        self.job = fmt::format("Slurm job {}", job);
        self.job_start = environment("SLURM_RESTART_COUNT");
        if (self.job_start.empty()) self.job_start = std::to_string(0);
    }
    self.token = draw_token();
    return self;
}

std::string LockHolder::to_text() const {
    std::string text = fmt::format(
        "{}host: {}\nkernel: {}\nprocess space: {}\nprocess: {}\njob: {}\njob start: {}\ntoken: {}\n"
        "since: {:.3f}\nrenewed: {:.3f}\n",
        first_line, host, kernel, process_space, process, job, job_start, token, since, renewed);
    text.resize(text_length, ' ');
    text.back() = '\n';
    return text;
}

std::optional<LockHolder> LockHolder::from_text(const std::string& text) {
    if (!text.starts_with(first_line)) return std::nullopt;
    LockHolder holder;
    holder.host = value_after(text, "host");
    holder.kernel = value_after(text, "kernel");
    holder.process_space = value_after(text, "process space");
    holder.process = value_after(text, "process");
    holder.job = value_after(text, "job");
    holder.job_start = value_after(text, "job start");
    holder.token = value_after(text, "token");
    holder.since = std::strtod(value_after(text, "since").c_str(), nullptr);
    holder.renewed = std::strtod(value_after(text, "renewed").c_str(), nullptr);
    return holder;
}

std::string LockHolder::describe(double now) const {
    return fmt::format("process {} on host {}{}{}, which renewed its lock {:.0f} s ago",
                       process.substr(0, process.find(' ')), host, job.empty() ? "" : ", ", job,
                       now - renewed);
}

bool has_ended(const LockHolder& holder, const LockHolder& self) {
    if (!holder.kernel.empty() && holder.kernel == self.kernel)
        return holder.process_space == self.process_space && is_gone(holder);
    return !holder.job.empty() && holder.job == self.job && holder.job_start != self.job_start;
}

bool is_dead(const LockHolder& holder, const LockHolder& self, const LockEvidence& evidence) {
    if (has_ended(holder, self)) return true;
    const double silence = evidence.now - holder.renewed;
    if (!holder.kernel.empty() && holder.kernel == self.kernel) {
        if (evidence.has_kernel_lock) return true;
        if (holder.process_space == self.process_space) return false;
    }
    const bool is_of_this_host = !holder.host.empty() && holder.host == self.host;
    if (is_of_this_host && evidence.has_kernel_lock && silence > evidence.seconds_since_boot) return true;
    return silence > 60 * patience_minutes;
}

bool is_plausible_renewal(double renewed, double now) {
    return std::isfinite(renewed) && renewed < now + 60 * patience_minutes;
}

double seconds_since_boot() {
    timespec time{};
    if (clock_gettime(CLOCK_BOOTTIME, &time) != 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(time.tv_sec);
}

}  // namespace ricochet
