// SPDX-License-Identifier: BSD-3-Clause
#include "core/hash.hpp"
#include "model/particle_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "model/reorder.hpp"

namespace ricochet {
namespace {

std::uint64_t hash_text(const std::string& text, std::uint64_t seed = 0) {
    return hash_values(std::span<const char>(text), seed);
}

// Published values of XXH64.
TEST(Hash, MatchesPublishedValues) {
    EXPECT_EQ(hash_text(""), 0xEF46DB3751D8E999ULL);
    EXPECT_EQ(hash_text("a"), 0xD24EC4F1A98C6E5BULL);
    EXPECT_EQ(hash_text("abc"), 0x44BC2CF5AD770999ULL);
    EXPECT_EQ(hash_text("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1ULL);
}

TEST(Hash, EveryByteAndTheSeedCount) {
    std::string text(100, 'x');
    const std::uint64_t before = hash_text(text);
    EXPECT_NE(hash_text(text, 1), before);
    EXPECT_NE(hash_text(text + '\0'), before);
    for (char& c : text) {
        c = 'y';
        EXPECT_NE(hash_text(text), before);
        c = 'x';
    }
}

Particles some_particles() {
    Particles particles;
    for (ParticleId id = 0; id < 50; ++id) {
        Attributes attributes;
        attributes.radius = 0.5;
        particles.push_back({{0.5 * static_cast<double>(id), 1, 2}, {1, 0, 0}, 0, id}, attributes, {});
    }
    return particles;
}

TEST(Fingerprint, DoesNotDependOnOrderOrPartition) {
    const Particles particles = some_particles();
    Particles reversed = particles, even, odd;
    std::vector<std::uint32_t> order(particles.size());
    std::iota(order.rbegin(), order.rend(), 0u);
    reorder(reversed, order);
    for (std::size_t k = 0; k < particles.size(); ++k) (k % 2 == 0 ? even : odd).append(particles, k);
    Fingerprint merged = fingerprint(odd);
    merged.merge(fingerprint(even));
    EXPECT_EQ(fingerprint(reversed), fingerprint(particles));
    EXPECT_EQ(merged, fingerprint(particles));
}

TEST(Fingerprint, EveryBitCounts) {
    const Particles particles = some_particles();
    Particles changed = particles;
    changed.motion[7].velocity.x = 1 + 0x1p-52;
    EXPECT_NE(fingerprint(changed), fingerprint(particles));
    changed = particles;
    std::swap(changed.motion[3].id, changed.motion[4].id);
    EXPECT_NE(fingerprint(changed), fingerprint(particles));
    changed = particles;
    changed.track.set_image(9, {0, 0, -1});
    EXPECT_NE(fingerprint(changed), fingerprint(particles));
}

std::vector<double> some_numbers() {
    std::vector<double> numbers(101);
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = 0.25 * static_cast<double>(k % 7);
    return numbers;
}

TEST(SequenceSum, IsTheSumOverAnyParts) {
    const std::vector<double> numbers = some_numbers();
    const std::span<const double> all(numbers);
    const std::uint64_t whole = sequence_sum(1, 0, all);
    for (std::size_t cut = 0; cut <= numbers.size(); cut += 9)
        EXPECT_EQ(sequence_sum(1, cut, all.subspan(cut)) + sequence_sum(1, 0, all.first(cut)), whole);
    EXPECT_NE(sequence_sum(2, 0, all), whole);
    EXPECT_NE(sequence_sum(1, 1, all), whole);
}

TEST(SequenceSum, EveryBitAndEveryPlaceCount) {
    std::vector<double> numbers = some_numbers();
    const auto sum = [&] { return sequence_sum(1, 0, std::span<const double>(numbers)); };
    const std::uint64_t whole = sum();
    for (const std::size_t k : {std::size_t{0}, numbers.size() - 1})
        for (int bit = 0; bit < 64; ++bit) {
            auto word = std::bit_cast<std::uint64_t>(numbers[k]);
            numbers[k] = std::bit_cast<double>(word ^ (std::uint64_t{1} << bit));
            EXPECT_NE(sum(), whole) << k << " " << bit;
            numbers[k] = std::bit_cast<double>(word);
        }
    std::swap(numbers[3], numbers[4]);
    EXPECT_NE(sum(), whole);
}

// Records are words in a row; their places are those of the words.
TEST(SequenceSum, TakesRecordsOfSeveralWords) {
    struct Record {
        double x, y;
    };
    const std::vector<Record> records{{1, 2}, {3, 4}, {5, 6}};
    const std::vector<double> numbers{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(sequence_sum(9, 1, std::span<const Record>(records).subspan(1)),
              sequence_sum(9, 2, std::span<const double>(numbers).subspan(2)));
    const std::vector<std::uint32_t> small{7, 8, 9};
    const std::span<const std::uint32_t> all(small);
    EXPECT_EQ(sequence_sum(9, 0, all.first(1)) + sequence_sum(9, 1, all.subspan(1)), sequence_sum(9, 0, all));
}

}  // namespace
}  // namespace ricochet
