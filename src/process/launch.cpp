// SPDX-License-Identifier: BSD-3-Clause
#include "process/launch.hpp"

#include <array>
#include <ctime>
#include <fstream>

#include "run/input.hpp"

namespace ricochet {
namespace {

std::string utc_date() {
    const std::time_t now = std::time(nullptr);
    std::tm fields{};
    std::array<char, 32> text{};
    if (gmtime_r(&now, &fields) == nullptr) return "unknown";
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &fields)};
}

std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos)
            return line.substr(line.find(": ") + 2);
    return "unknown";
}

}  // namespace

std::vector<NamedText> describe_launch(Exchange& exchange, const std::string& line) {
    return {{"command", on_root(exchange, [&] { return line; })},
            {"date", on_root(exchange, utc_date)},
            {"cpu", on_root(exchange, cpu_model)}};
}

}  // namespace ricochet
