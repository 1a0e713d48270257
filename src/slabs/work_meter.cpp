// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/work_meter.hpp"

#include <ctime>
#include <utility>

namespace ricochet {

double thread_cpu_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

WorkMeter::Pause::Pause(WorkMeter& meter)
    : meter_(meter), began_(meter.is_measuring_ ? thread_cpu_seconds() : 0) {}

WorkMeter::Pause::~Pause() {
    if (meter_.is_measuring_) meter_.waiting_ += thread_cpu_seconds() - began_;
}

void WorkMeter::start() {
    is_measuring_ = true;
    waiting_ = 0;
    began_ = thread_cpu_seconds();
}

double WorkMeter::stop() {
    is_measuring_ = false;
    return thread_cpu_seconds() - began_ - waiting_;
}

int WorkMeter::ranks_on_node() {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    return inner_.ranks_on_node();
}

void WorkMeter::swap_messages(MessagePhase phase, std::span<const int> neighbours,
                              std::span<const Bytes> outgoing, std::vector<Bytes>& incoming) {
    const Pause pause(*this);
    traffic_.num_messages += outgoing.size();
    for (const Bytes& message : outgoing) traffic_.num_bytes += message.size();
    inner_.swap_messages(phase, neighbours, outgoing, incoming);
}

std::vector<std::uint64_t> WorkMeter::all_to_all_numbers(std::span<const std::uint64_t> numbers) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    return inner_.all_to_all_numbers(numbers);
}

void WorkMeter::all_to_all_pieces(std::span<const BytesView> outgoing, std::span<const BytesRoom> incoming) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    inner_.all_to_all_pieces(outgoing, incoming);
}

void WorkMeter::max(std::span<double> values) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    inner_.max(values);
}

void WorkMeter::max(std::span<std::int64_t> values) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    inner_.max(values);
}

void WorkMeter::sum(std::span<std::int64_t> values) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    inner_.sum(values);
}

std::uint64_t WorkMeter::sum_below(std::uint64_t mine) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    return inner_.sum_below(mine);
}

std::uint64_t WorkMeter::bit_or(std::uint64_t flags) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    return inner_.bit_or(flags);
}

std::vector<Bytes> WorkMeter::all_gather(std::span<const std::byte> mine) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    return inner_.all_gather(mine);
}

std::vector<Bytes> WorkMeter::gather(std::span<const std::byte> mine, int root) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    return inner_.gather(mine, root);
}

void WorkMeter::broadcast(Bytes& bytes, int root) {
    const Pause pause(*this);
    ++traffic_.num_collectives;
    inner_.broadcast(bytes, root);
}

}  // namespace ricochet
