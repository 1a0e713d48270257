// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/model/track_list.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace ricochet {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();

Track track_of(std::int64_t image) {
    const auto x = static_cast<double>(image);
    return {{x, -x, 0.5}, {image, 0, -1}};
}

void expect_tracks(const TrackList& list, const std::vector<std::int64_t>& images) {
    ASSERT_EQ(list.size(), images.size());
    for (std::size_t k = 0; k < images.size(); ++k) {
        const Track expected = track_of(images[k]), track = list[k];
        EXPECT_EQ(track.origin, expected.origin);
        EXPECT_EQ(track.image, expected.image) << "of " << k;
        EXPECT_EQ(list.origin(k), expected.origin);
        EXPECT_EQ(list.image(k), expected.image);
    }
}

TEST(TrackList, TakesThreeBytesForSmallImages) {
    TrackList list;
    for (const std::int64_t image : {0, 127, -128, 5}) list.push_back(track_of(image));
    expect_tracks(list, {0, 127, -128, 5});
    EXPECT_EQ(list.image_bytes(), 3u);
}

TEST(TrackList, GivesAllMoreBytesWhenOneDoesNotFit) {
    std::vector<std::int64_t> images{3, -7};
    TrackList list;
    for (const std::int64_t image : images) list.push_back(track_of(image));
    std::size_t bytes = 3;
    for (const int bits : {8, 16, 32}) {
        const std::int64_t beyond = std::int64_t{1} << (bits - 1);
        for (const std::int64_t image : {beyond - 1, -beyond}) {
            list.push_back(track_of(image));
            images.push_back(image);
            EXPECT_EQ(list.image_bytes(), bytes);
            expect_tracks(list, images);
        }
        for (const std::int64_t image : {beyond, -beyond - 1}) {
            TrackList wide = list;
            wide.set(0, track_of(image));
            EXPECT_EQ(wide.image_bytes(), 2 * bytes);
            std::vector<std::int64_t> changed = images;
            changed[0] = image;
            expect_tracks(wide, changed);
        }
        bytes *= 2;
        list.push_back(track_of(beyond));
        images.push_back(beyond);
    }
    for (const std::int64_t image : {most, least}) {
        list.set(1, track_of(image));
        images[1] = image;
        expect_tracks(list, images);
    }
}

TEST(TrackList, WidensWhicheverAxisNeedsIt) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        TrackList list;
        list.resize(2);
        TrackList::Image image{1, 2, 3};
        list.set_image(0, image);
        image[axis] = most;
        list.set_image(1, image);
        EXPECT_EQ(list.image(0), (TrackList::Image{1, 2, 3}));
        EXPECT_EQ(list.image(1), image);
    }
}

TEST(TrackList, ResizesAndCopies) {
    TrackList list;
    list.reserve(4);
    EXPECT_TRUE(list.empty());
    list.resize(2);
    EXPECT_EQ(list[1].origin, Vec3{});
    EXPECT_EQ(list.image(1), TrackList::Image{});
    list.set(0, track_of(1000));
    list.copy_within(0, 1);
    list.copy_within(1, 1);
    expect_tracks(list, {1000, 1000});
    list.set_origin(0, {});
    EXPECT_EQ(list.origin(0), Vec3{});
    EXPECT_EQ(list.image(0), track_of(1000).image);
    list.clear();
    EXPECT_TRUE(list.empty());
    list.push_back(track_of(1));
    EXPECT_EQ(list.image_bytes(), 3u);
    expect_tracks(list, {1});
}

Tethers tethers_to(std::uint64_t partner) {
    Tethers tethers;
    tethers.add(partner, 1);
    return tethers;
}

TEST(TrackListTethers, AreKeptOnceAskedFor) {
    TrackList list;
    list.resize(2);
    EXPECT_FALSE(list.keeps_tethers());
    EXPECT_TRUE(list.tethers().empty());
    list.keep_tethers();
    ASSERT_EQ(list.tethers().size(), 2u);
    EXPECT_TRUE(list.tethers()[1].empty());
    list.tethers()[1] = tethers_to(7);
    list.keep_tethers();
    list.push_back({});
    ASSERT_EQ(list.tethers().size(), 3u);
    EXPECT_EQ(list.tethers()[1], tethers_to(7));
    EXPECT_TRUE(list.tethers()[2].empty());
}

TEST(TrackListTethers, GoWhereTracksGo) {
    TrackList list;
    list.keep_tethers();
    list.resize(3);
    list.tethers()[2] = tethers_to(5);
    list.copy_within(2, 0);
    list.resize(1);
    list.resize(2);
    EXPECT_EQ(list.tethers()[0], tethers_to(5));
    EXPECT_TRUE(list.tethers()[1].empty());
    list.set(0, track_of(300));  // wider images
    EXPECT_EQ(list.tethers()[0], tethers_to(5));
    list.clear();
    EXPECT_TRUE(list.keeps_tethers());
    EXPECT_TRUE(list.tethers().empty());
}

TEST(TrackListContacts, AreKeptOnceAskedFor) {
    TrackList list;
    list.resize(2);
    EXPECT_TRUE(list.latest_contacts().empty());
    list.keep_latest_contacts();
    ASSERT_EQ(list.latest_contacts().size(), 2u);
    EXPECT_EQ(list.latest_contacts()[1], no_contact_yet);
    list.latest_contacts()[1] = -3;
    list.push_back({});
    EXPECT_EQ(list.latest_contacts()[2], no_contact_yet);
    list.copy_within(1, 0);
    EXPECT_EQ(list.latest_contacts()[0], -3);
}

/// What the other list does not keep stays as it is.
TEST(TrackListContacts, AreTakenFromAnotherList) {
    TrackList from, to, plain;
    for (TrackList* list : {&from, &to, &plain}) list->resize(2);
    from.keep_latest_contacts();
    from.latest_contacts()[1] = -2;
    to.take_more(0, from, 1);
    EXPECT_EQ(to.latest_contacts()[0], -2);
    EXPECT_EQ(to.latest_contacts()[1], no_contact_yet);
    EXPECT_FALSE(to.keeps_tethers());
    to.take_more(0, plain, 1);
    EXPECT_EQ(to.latest_contacts()[0], -2);
}

}  // namespace
}  // namespace ricochet
