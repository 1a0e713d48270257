// SPDX-License-Identifier: BSD-3-Clause
#include "run/input.hpp"

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

enum Outcome : char { success, input_error, run_error };

Bytes to_bytes(char outcome, const std::string& text) {
    const std::string content = outcome + text;
    Bytes bytes;
    append_records(bytes, std::span<const char>(content));
    return bytes;
}

Bytes outcome_of(const std::function<std::string()>& work) {
    try {
        return to_bytes(success, work());
    } catch (const InputError& error) {
        return to_bytes(input_error, error.what());
    } catch (const RunError& error) {
        return to_bytes(run_error, error.what());
    }
}

}  // namespace

std::string on_root(Exchange& exchange, const std::function<std::string()>& work) {
    Bytes bytes;
    if (exchange.rank() == 0) bytes = outcome_of(work);
    exchange.broadcast(bytes, 0);
    const auto outcome = static_cast<char>(bytes.front());
    std::string text(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
    if (outcome == input_error) throw InputError(text);
    if (outcome == run_error) throw RunError(text);
    return text;
}

RunInput read_input(Exchange& exchange, const std::string& path, const std::vector<std::string>& overrides) {
    RunInput input;
    input.text = on_root(exchange, [&] { return read_input_text(path); });
    input.config = parse_config(input.text, path, overrides, [&](const std::string& file) {
        return on_root(exchange, [&] { return read_sphere_text(file); });
    });
    return input;
}

}  // namespace ricochet
