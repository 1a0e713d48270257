// SPDX-License-Identifier: BSD-3-Clause
#include "study/study_trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>

#include "model/particle_hash.hpp"
#include "parallel/collectives.hpp"
#include "parallel/outbox.hpp"
#include "ricochet/core/check.hpp"
#include "slabs/work_meter.hpp"

namespace ricochet {
namespace {

/// All bytes of a contact but the padding at its end.
std::span<const std::byte> content(const Contact& contact) {
    constexpr std::size_t size = offsetof(Contact, effect) + sizeof(Contact::effect);
    static_assert(size == sizeof(ContactKey) + 9 * sizeof(double) + 4 * sizeof(SpeciesIndex) +
                              sizeof(RuleNumber) + sizeof(ContactEffect),
                  "no padding between the members");
    return std::as_bytes(std::span(&contact, 1)).first(size);
}

Fingerprint fingerprint(std::span<const TracedContact> contacts) {
    Fingerprint sum;
    for (const TracedContact& contact : contacts) sum.add(std::as_bytes(std::span(&contact, 1)));
    return sum;
}

/// A contact or particle of one of two methods.
struct Row {
    TracedContact of;
    std::uint64_t is_of_second = 0;

    auto rank_by() const { return std::tie(of.key, of.hash, is_of_second); }
};

/// The key of the lowest row that only one method has, and which of them have a row of this key.
struct FirstDifference {
    ContactKey key;
    std::uint64_t is_in_first = 0, is_in_second = 0;
};

/// The first row without a match, among rows sorted by rank_by().
std::optional<FirstDifference> first_unmatched(const std::vector<Row>& rows) {
    const auto is_same_content = [](const Row& a, const Row& b) {
        return a.of.key == b.of.key && a.of.hash == b.of.hash;
    };
    for (auto row = rows.begin(); row != rows.end();) {
        const auto end =
            std::find_if_not(row, rows.end(), [&](const Row& r) { return is_same_content(r, *row); });
        const auto num_of_second = std::count_if(row, end, [](const Row& r) { return r.is_of_second != 0; });
        if (2 * num_of_second == std::distance(row, end)) {
            row = end;
            continue;
        }
        FirstDifference found{row->of.key, 0, 0};
        for (const Row& other : rows) {
            if (other.of.key == found.key)
                (other.is_of_second != 0 ? found.is_in_second : found.is_in_first) = 1;
        }
        return found;
    }
    return std::nullopt;
}

/// Brings the rows of both methods together, each on the rank that its lower id names. Collective.
std::optional<FirstDifference> first_difference(Exchange& exchange, std::span<const TracedContact> first,
                                                std::span<const TracedContact> second) {
    detail::Outbox<Row> outbox(exchange);
    const auto num_ranks = static_cast<std::uint64_t>(exchange.size());
    for (const TracedContact& row : first) outbox.add(static_cast<int>(row.key.low % num_ranks), {row, 0});
    for (const TracedContact& row : second) outbox.add(static_cast<int>(row.key.low % num_ranks), {row, 1});
    std::vector<Row> rows = outbox.deliver();
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rank_by() < b.rank_by(); });
    const std::optional<FirstDifference> own = first_unmatched(rows);
    const auto found =
        all_gather_records<FirstDifference>(exchange, std::span(own ? &*own : nullptr, own ? 1 : 0));
    if (found.empty()) return std::nullopt;
    return *std::min_element(
        found.begin(), found.end(),
        [](const FirstDifference& a, const FirstDifference& b) { return a.key < b.key; });
}

/// Rows with the id as key, so that particles are compared like contacts.
std::vector<TracedContact> rows_of(const Particles& particles) {
    std::vector<TracedContact> rows;
    rows.reserve(particles.size());
    Particles one;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        one.clear();
        one.append(particles, k);
        rows.push_back({{0, 0, particles.motion[k].id, 0}, ricochet::fingerprint(one).first});
    }
    return rows;
}

}  // namespace

void StudyTrace::begin_turn(std::uint64_t first_step) {
    first_step_ = first_step;
    forget_turn();
}

void StudyTrace::contacts(std::uint64_t step, std::span<const Contact> contacts) {
    RICOCHET_CHECK_EQ(step, first_step_ + steps_.size());
    const double began = thread_cpu_seconds();
    std::vector<TracedContact> rows;
    rows.reserve(contacts.size());
    for (const Contact& contact : contacts) {
        rows.push_back({contact.key, hash_bytes(content(contact), step)});
        if (!is_contact(contact.effect)) continue;
        ++num_contacts_;
        if (contact.species_high != wall_species) ++num_pair_contacts_;
    }
    all_contacts_.merge(fingerprint(rows));
    steps_.push_back(std::move(rows));
    cpu_seconds_ += thread_cpu_seconds() - began;
}

std::optional<TraceDifference> find_difference(Exchange& exchange, const StudyTrace& first,
                                               const StudyTrace& second) {
    const std::size_t num_steps = first.steps().size();
    RICOCHET_CHECK_EQ(num_steps, second.steps().size());
    RICOCHET_CHECK_EQ(first.first_step(), second.first_step());
    std::vector<std::uint64_t> words;
    for (std::size_t k = 0; k < num_steps; ++k) {
        const Fingerprint a = fingerprint(first.steps()[k]), b = fingerprint(second.steps()[k]);
        words.insert(words.end(), {a.first - b.first, a.second - b.second});
    }
    sum_over_ranks(exchange, words);
    for (std::size_t k = 0; k < num_steps; ++k) {
        if (words[2 * k] == 0 && words[2 * k + 1] == 0) continue;
        const auto found = first_difference(exchange, first.steps()[k], second.steps()[k]);
        RICOCHET_CHECK(found.has_value());
        return TraceDifference{first.first_step() + k, found->key, found->is_in_first != 0,
                               found->is_in_second != 0};
    }
    return std::nullopt;
}

std::optional<ParticleId> find_different_particle(Exchange& exchange, const Particles& first,
                                                  const Particles& second) {
    const Fingerprint a = fingerprint(first), b = fingerprint(second);
    const Fingerprint difference =
        sum_over_ranks(exchange, Fingerprint{a.first - b.first, a.second - b.second});
    if (difference == Fingerprint{}) return std::nullopt;
    const auto found = first_difference(exchange, rows_of(first), rows_of(second));
    RICOCHET_CHECK(found.has_value());
    return found->key.low;
}

Fingerprint sum_over_ranks(Exchange& exchange, const Fingerprint& mine) {
    std::array<std::uint64_t, 2> words{mine.first, mine.second};
    sum_over_ranks(exchange, std::span(words));
    return {words[0], words[1]};
}

}  // namespace ricochet
