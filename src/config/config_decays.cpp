// SPDX-License-Identifier: BSD-3-Clause
//
// The decays of an input: names become species.
#include <fmt/format.h>

#include "model/world_facts.hpp"

#include "config/checked_input.hpp"

namespace ricochet::detail {

namespace {

class DecayList : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        for (std::size_t k = 0; k < config_.decays.size(); ++k) {
            const std::string path = fmt::format("decays.{}", k);
            if (has(path + ".from") && has(path + ".to")) complete(config_.decays[k], path);
        }
        // Every particle that was ever born keeps its row in frames.
        if (!has("output.compression"))
            config_.output.compression =
                has_births(world_of(config_)) ? OutputCompression::gzip : OutputCompression::none;
    }

  private:
    void complete(DecayRule& rule, const std::string& path) {
        const auto from = species_named(*find(path + ".from"), path + ".from");
        if (!from) return;
        rule.from = *from;
        for (const TreeNode& name : items(path + ".to")) {
            const auto product = product_named(name, rule.from, path + ".to");
            if (!product) return;
            rule.products.push_back(*product);
        }
        if (rule.products.size() == 1 && rule.products.front() == rule.from)
            report(path + ".to", fmt::format("got {}, which decays, expected another species, two, or none",
                                             config_.species[rule.from].name));
    }
};

}  // namespace

void apply_decays(const TreeNode& root, Config& config, Issues& issues) {
    DecayList(root, config, issues).apply();
}

}  // namespace ricochet::detail
