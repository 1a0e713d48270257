// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/collectives.hpp"

#include <algorithm>
#include <numeric>

#include "ricochet/core/check.hpp"

namespace ricochet {

std::optional<std::string> agreed_message(Exchange& exchange, const std::optional<std::string>& mine) {
    std::int64_t ranks_above = mine ? exchange.size() - exchange.rank() : 0;
    exchange.max(std::span(&ranks_above, 1));
    if (ranks_above == 0) return std::nullopt;
    return broadcast_text(exchange, mine.value_or(""), exchange.size() - static_cast<int>(ranks_above));
}

std::uint64_t max_of_ranks(Exchange& exchange, std::uint64_t mine) {
    RICOCHET_CHECK_LT(mine, std::uint64_t{1} << 63);
    auto value = static_cast<std::int64_t>(mine);
    exchange.max(std::span(&value, 1));
    return static_cast<std::uint64_t>(value);
}

std::uint64_t sum_of_ranks(Exchange& exchange, std::uint64_t mine) {
    sum_over_ranks(exchange, std::span(&mine, 1));
    return mine;
}

void sum_over_ranks(Exchange& exchange, std::span<std::uint64_t> values) {
    exchange.sum({reinterpret_cast<std::int64_t*>(values.data()), values.size()});
}

GlobalRows locate_rows(Exchange& exchange, std::uint64_t num_local) {
    return {exchange.sum_below(num_local), sum_of_ranks(exchange, num_local)};
}

std::string broadcast_text(Exchange& exchange, const std::string& text, int root) {
    Bytes bytes;
    append_records(bytes, std::span<const char>(text));
    exchange.broadcast(bytes, root);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Particles gather_particles(Exchange& exchange, const Particles& mine, int root) {
    const auto motion = gather_records<Motion>(exchange, mine.motion, root);
    const std::vector<Attributes> my_attributes(mine.attributes.begin(), mine.attributes.end());
    const auto attributes = gather_records<Attributes>(exchange, my_attributes, root);
    std::vector<Track> my_track;
    for (std::size_t k = 0; k < mine.size(); ++k) my_track.push_back(mine.track[k]);
    const auto track = gather_records<Track>(exchange, my_track, root);
    std::vector<Tethers> tethers;
    if (mine.track.keeps_tethers()) tethers = gather_records<Tethers>(exchange, mine.track.tethers(), root);
    std::vector<double> latest;
    if (mine.track.keeps_latest_contacts())
        latest = gather_records<double>(exchange, mine.track.latest_contacts(), root);
    std::vector<std::size_t> order(motion.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return motion[a].id < motion[b].id; });
    Particles all;
    for (const std::size_t k : order) all.push_back(motion[k], attributes[k], track[k]);
    if (mine.track.keeps_tethers()) all.track.keep_tethers();
    for (std::size_t place = 0; place < tethers.size(); ++place)
        all.track.tethers()[place] = tethers[order[place]];
    if (mine.track.keeps_latest_contacts()) all.track.keep_latest_contacts();
    for (std::size_t place = 0; place < latest.size(); ++place)
        all.track.latest_contacts()[place] = latest[order[place]];
    return all;
}

}  // namespace ricochet
