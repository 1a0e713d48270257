// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/parallel/collectives.hpp"

#include <algorithm>
#include <numeric>

namespace ricochet {

std::string agreed_message(Exchange& exchange, const std::string& mine) {
    if (exchange.bit_or(mine.empty() ? 0 : 1) == 0) return "";
    for (const Bytes& part : exchange.all_gather(std::as_bytes(std::span(mine))))
        if (!part.empty()) return {reinterpret_cast<const char*>(part.data()), part.size()};
    return "";
}

Particles gather_particles(Exchange& exchange, const Particles& mine, int root) {
    const auto motion = gather_records<Motion>(exchange, mine.motion, root);
    const std::vector<Attributes> my_attributes(mine.attributes.begin(), mine.attributes.end());
    const auto attributes = gather_records<Attributes>(exchange, my_attributes, root);
    std::vector<Track> my_track;
    for (std::size_t k = 0; k < mine.size(); ++k) my_track.push_back(mine.track[k]);
    const auto track = gather_records<Track>(exchange, my_track, root);
    std::vector<std::size_t> order(motion.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return motion[a].id < motion[b].id; });
    Particles all;
    for (const std::size_t k : order) all.push_back(motion[k], attributes[k], track[k]);
    return all;
}

}  // namespace ricochet
