// SPDX-License-Identifier: BSD-3-Clause
//
// The engine among bodies against the reference, in every bit: all searches and loops, sub-windows, intervals and
// ranks, at random. RICOCHET_BODY_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "tests/support/differential.hpp"

namespace ricochet::test {
namespace {

std::string shape_of(const BodyShape& shape) {
    constexpr std::array names{"sphere", "capsule", "cylinder", "box", "plane", "spheres"};
    return names[shape.index()];
}

/// Contacts at bodies, by shape and side.
class BodyContacts {
  public:
    void add(const FuzzCase& fuzz, const SlabRun& run) {
        const World world = world_of(fuzz.system);
        for (const Contact& contact : run.contacts) {
            if (contact.species_high != wall_species || contact.body < first_body) continue;
            const std::size_t part = contact.body - first_body;
            if (part >= world.bodies.size()) {
                ++counts_["patch"];
                continue;
            }
            const Body& body = world.bodies[part];
            const bool passes = contact.effect == ContactEffect::pass;
            ++counts_[shape_of(body.shape) + (passes                          ? " passed"
                                              : body.side == BodySide::inside ? " inside"
                                              : body.side == BodySide::both   ? " from both sides"
                                                                              : "")];
        }
    }
    /// Each kind has at least so many.
    void expect_of_all(std::uint64_t least) const {
        for (const auto& [name, count] : counts_) {
            std::printf("%s %llu  ", name.c_str(), static_cast<unsigned long long>(count));
            EXPECT_GE(count, least) << name;
        }
        std::printf("\n");
        EXPECT_EQ(counts_.size(), 20u);
    }

  private:
    std::map<std::string, std::uint64_t> counts_;
};

TEST(BodyFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_BODY_FUZZ", {0, 450});
    BodyContacts contacts;
    expect_reference_of_seeds(body_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        contacts.add(fuzz, expected);
    });
    if (seeds.first == 0) contacts.expect_of_all(30);
}

/// The systems are random.
TEST(LongBodyFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(body_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
