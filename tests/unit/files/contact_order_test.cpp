// SPDX-License-Identifier: BSD-3-Clause
//
// The order of the contacts of a step, against a plain sort by whole keys.
#include "result/contact_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

namespace ricochet {
namespace {

using Contacts = std::vector<Contact>;

Contact contact(double time, std::uint64_t generation, ParticleId low, ParticleId high,
                ContactEffect effect = ContactEffect::bounce) {
    Contact made;
    made.key = {time, generation, low, high};
    made.effect = effect;
    return made;
}

/// Contacts with these times, and keys that differ.
Contacts contacts_at(const std::vector<double>& times) {
    std::mt19937_64 generator(7);
    Contacts contacts;
    for (const double time : times) {
        const ParticleId low = generator() % 1000;
        contacts.push_back(contact(time, generator() % 3, low, low + 1 + contacts.size()));
    }
    std::shuffle(contacts.begin(), contacts.end(), generator);
    return contacts;
}

Contacts random_contacts(std::size_t count, const std::function<double(double)>& time_of) {
    std::mt19937_64 generator(count);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> times(count);
    for (double& time : times) time = time_of(uniform(generator));
    return contacts_at(times);
}

/// Their order by the rows of the file that they become.
std::vector<std::uint32_t> order_by_rows(const Contacts& contacts, const std::vector<bool>& is_accepted) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < contacts.size(); ++k)
        if (is_accepted[k]) order.push_back(k);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return to_row<OutcomeRow>(0, contacts[a]).order() < to_row<OutcomeRow>(0, contacts[b]).order();
    });
    return order;
}

void expect_order(ContactOrder& order, const Contacts& contacts) {
    std::vector<bool> is_accepted;
    const auto accepts = [](const Contact& made) { return made.key.high % 5 != 0; };
    for (const Contact& made : contacts) is_accepted.push_back(accepts(made));
    const auto indices = [](std::span<const ContactOrder::Place> places) {
        std::vector<std::uint32_t> found;
        for (const ContactOrder::Place& place : places) found.push_back(place.index);
        return found;
    };
    EXPECT_EQ(indices(order.sort(contacts, accepts)), order_by_rows(contacts, is_accepted));
    is_accepted.assign(contacts.size(), true);
    EXPECT_EQ(indices(order.sort(contacts, [](const Contact&) { return true; })),
              order_by_rows(contacts, is_accepted));
}

TEST(ContactOrder, IsThatOfEvenTimes) {
    ContactOrder order;
    for (const std::size_t count : {0, 1, 2, 3, 5, 100, 20000})
        expect_order(order, random_contacts(count, [](double x) { return 0.1 * x; }));
}

/// Some buckets are empty, others long.
TEST(ContactOrder, IsThatOfUnevenTimes) {
    ContactOrder order;
    expect_order(order, random_contacts(5000, [](double x) { return x * x * x * x * x * x; }));
    expect_order(order, random_contacts(5000, [](double x) { return x < 0.9 ? 0 : 1e6 * x; }));
    expect_order(order, random_contacts(5000, [](double x) { return std::floor(4 * x); }));
}

/// Times that no bucket can be told from.
TEST(ContactOrder, IsThatOfExtremeTimes) {
    ContactOrder order;
    const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
    expect_order(order, contacts_at(std::vector<double>(100, 0.0)));
    expect_order(order, contacts_at({0, least, 2 * least, 0, 3 * least, least}));
    expect_order(order, contacts_at({most, 0, most / 2, least, 1}));
}

/// At one time the generation decides, then the lower id, then the higher one.
TEST(ContactOrder, IsThatOfKeysAtOneTime) {
    Contacts contacts;
    for (const std::uint64_t generation : {2, 0, 1})
        for (const ParticleId low : {3, 1, 2})
            for (const ParticleId high : {9, 8, 7, 6})
                contacts.push_back(contact(0.5, generation, low, high));
    contacts.push_back(contact(0.25, 7, 20, 21));
    contacts.push_back(contact(0.75, 0, 0, 1));
    ContactOrder order;
    expect_order(order, contacts);
    const auto places = order.sort(contacts, [](const Contact&) { return true; });
    EXPECT_EQ(contacts[places[0].index].key.low, 20u);
    for (std::size_t k = 1; k < places.size(); ++k)
        EXPECT_LT(contacts[places[k - 1].index].key, contacts[places[k].index].key);
}

/// Decays and breaks come before contacts at time 0, and decays after the drift behind all.
TEST(ContactOrder, PutsFirstWhatIsBeforeTheDrive) {
    const Contacts contacts{contact(0, 0, 1, 2), contact(0, 0, 5, 6, ContactEffect::decay),
                            contact(0.1, 0, 5, 7, ContactEffect::decay),
                            contact(0, 0, 0, 3, ContactEffect::hold),
                            contact(0, 0, 4, 9, ContactEffect::part)};
    ContactOrder order;
    std::vector<std::uint32_t> found;
    for (const auto& place : order.sort(contacts, [](const Contact&) { return true; }))
        found.push_back(place.index);
    EXPECT_EQ(found, (std::vector<std::uint32_t>{4, 1, 3, 0, 2}));
}

}  // namespace
}  // namespace ricochet
