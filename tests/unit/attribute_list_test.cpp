// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/model/attribute_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/hash_random.hpp"

namespace ricochet {
namespace {

Attributes of_radius(double radius) {
    Attributes attributes;
    attributes.radius = radius;
    return attributes;
}

std::vector<double> radii(const AttributeList& list) {
    std::vector<double> result;
    for (const Attributes& attributes : list) result.push_back(attributes.radius);
    EXPECT_EQ(result.size(), list.size());
    for (std::size_t k = 0; k < list.size(); ++k) EXPECT_EQ(list[k].radius, result[k]);
    return result;
}
using Radii = std::vector<double>;

AttributeList list_of(const Radii& wanted) {
    AttributeList list;
    for (const double radius : wanted) list.push_back(of_radius(radius));
    return list;
}

TEST(AttributeList, KeepsOneRecordForEqualParticles) {
    const AttributeList list = list_of({2, 2, 2});
    EXPECT_TRUE(list.is_shared());
    EXPECT_EQ(list.records().size(), 1u);
    EXPECT_EQ(list.lookup().mask, 0u);
    EXPECT_EQ(radii(list), (Radii{2, 2, 2}));
}

TEST(AttributeList, KeepsOneRecordForEachKind) {
    AttributeList list = list_of({2, 2, 3, 2});
    EXPECT_FALSE(list.is_shared());
    EXPECT_EQ(list.records().size(), 2u);
    EXPECT_EQ(radii(list), (Radii{2, 2, 3, 2}));
    list.copy_within(2, 0);
    EXPECT_EQ(radii(list), (Radii{3, 2, 3, 2}));
    list.clear();
    EXPECT_TRUE(list.empty());
    list.push_back(of_radius(4));
    EXPECT_TRUE(list.is_shared());
    EXPECT_EQ(radii(list), Radii{4});
}

/// Against a plain list, in any order of kinds, after clearing and after changing all.
TEST(AttributeList, FindsKindsAgain) {
    test::HashRandom random(5);
    AttributeList list;
    std::vector<Attributes> expected;
    for (int k = 0; k < 3000; ++k) {
        Attributes attributes = of_radius(static_cast<double>(random.index(3)));
        attributes.species = static_cast<SpeciesIndex>(random.index(20) * 8);
        list.push_back(attributes);
        expected.push_back(attributes);
        if (k % 500 == 250) {
            const auto narrow = [](Attributes& a) { a.radius = std::min(a.radius, 1.0); };
            list.change_all(narrow);
            std::for_each(expected.begin(), expected.end(), narrow);
        }
        if (k % 500 == 400) {
            list.clear();
            expected.clear();
        }
    }
    EXPECT_FALSE(list.is_shared());
    ASSERT_EQ(list.size(), expected.size());
    EXPECT_TRUE(std::equal(list.begin(), list.end(), expected.begin()));
}

/// Each particle has its own attributes then.
TEST(AttributeList, KeepsManyKinds) {
    constexpr std::size_t most = AttributeList::most_kinds;
    Radii wanted;
    for (std::size_t k = 0; k < 2 * most; ++k) wanted.push_back(static_cast<double>(k % most));
    AttributeList list = list_of(wanted);
    EXPECT_EQ(list.records().size(), most);
    EXPECT_EQ(radii(list), wanted);
    AttributeList set = list;
    set.set(3, of_radius(0.5));
    list.push_back(of_radius(0.5));
    wanted.push_back(0.5);
    EXPECT_EQ(list.records().size(), wanted.size());
    EXPECT_EQ(radii(list), wanted);
    wanted.pop_back();
    wanted[3] = 0.5;
    EXPECT_EQ(radii(set), wanted);
    set.copy_within(3, 0);
    wanted[0] = 0.5;
    EXPECT_EQ(radii(set), wanted);
    list.clear();
    list.push_back(of_radius(4));
    EXPECT_TRUE(list.is_shared());
}

TEST(AttributeList, NamesThePlacesOfRecords) {
    AttributeList shared = list_of({1, 1, 1}), of_kinds = list_of({1, 2, 1}), of_each = of_kinds;
    of_each.edit(2).radius = 4;
    for (const AttributeList* list : {&shared, &of_kinds, &of_each}) {
        const AttributeList::Lookup lookup = list->lookup();
        const auto places = lookup.places<2>(1);
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_EQ(places[i], &(*list)[1 + i]);
            EXPECT_EQ(&lookup[1 + i], places[i]);
        }
    }
}

TEST(AttributeList, TellsBitsApartThatCompareEqual) {
    AttributeList list = list_of({0.0, -0.0});
    EXPECT_FALSE(list.is_shared());
    EXPECT_TRUE(std::signbit(list[1].radius));
}

TEST(AttributeList, SetsOneAlone) {
    AttributeList list = list_of({2, 2, 2});
    list.set(1, of_radius(2));
    EXPECT_TRUE(list.is_shared());
    list.set(1, of_radius(5));
    EXPECT_EQ(radii(list), (Radii{2, 5, 2}));
    list.edit(2).radius = 6;
    list.set(0, list[1]);
    EXPECT_EQ(radii(list), (Radii{5, 5, 6}));
    AttributeList shared = list_of({1, 1});
    shared.edit(0).radius = 3;
    EXPECT_EQ(radii(shared), (Radii{3, 1}));
}

TEST(AttributeList, AddsAnotherOfAnyStorage) {
    Radii many;
    for (std::size_t k = 0; k <= AttributeList::most_kinds; ++k) many.push_back(static_cast<double>(k));
    for (const Radii& wanted : {Radii{2, 2}, Radii{2, 3}, many}) {
        AttributeList list = list_of(wanted);
        list.push_back_another(1);
        Radii one_more = wanted;
        one_more.push_back(wanted[1]);
        EXPECT_EQ(radii(list), one_more);
        EXPECT_EQ(list.is_shared(), wanted == (Radii{2, 2}));
    }
}

/// Whatever it holds.
TEST(AttributeList, HasTheRoomAskedFor) {
    Radii many;
    for (std::size_t k = 0; k <= AttributeList::most_kinds; ++k) many.push_back(static_cast<double>(k));
    for (const Radii& wanted : {Radii{2, 2}, Radii{2, 3}, many}) {
        AttributeList before, afterwards = list_of(wanted);
        before.reserve(1000);
        for (const double radius : wanted) before.push_back(of_radius(radius));
        afterwards.reserve(1000);
        for (const AttributeList* list : {&before, &afterwards}) {
            EXPECT_GE(list->capacity(), 1000u);
            EXPECT_EQ(radii(*list), wanted);
            EXPECT_EQ(list->is_shared(), wanted == (Radii{2, 2}));
        }
    }
}

TEST(AttributeList, ChangesAll) {
    AttributeList shared = list_of({2, 2}), each = list_of({1, 2});
    const auto twice = [](Attributes& attributes) { attributes.radius *= 2; };
    shared.change_all(twice);
    each.change_all(twice);
    EXPECT_EQ(radii(shared), (Radii{4, 4}));
    EXPECT_EQ(radii(each), (Radii{2, 4}));
}

TEST(AttributeList, ResizesWithDefaultRecords) {
    AttributeList list;
    list.resize(3);
    EXPECT_TRUE(list.is_shared());
    EXPECT_EQ(radii(list), (Radii{0, 0, 0}));
    list = list_of({2, 2, 2});
    list.resize(2);
    EXPECT_TRUE(list.is_shared());
    list.resize(3);
    EXPECT_EQ(radii(list), (Radii{2, 2, 0}));
    list.resize(1);
    EXPECT_EQ(radii(list), Radii{2});
    list.resize(0);
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.begin(), list.end());
}

TEST(AttributeList, LeavesNothingWhereItIsMovedFrom) {
    AttributeList list = list_of({2, 3});
    AttributeList moved = std::move(list);
    EXPECT_EQ(radii(moved), (Radii{2, 3}));
    EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move)
    list.push_back(of_radius(1));
    EXPECT_EQ(radii(list), Radii{1});
    moved = std::move(list);
    EXPECT_EQ(radii(moved), Radii{1});
    moved = AttributeList(moved);
    EXPECT_EQ(radii(moved), Radii{1});
}

}  // namespace
}  // namespace ricochet
