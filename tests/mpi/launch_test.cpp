// SPDX-License-Identifier: BSD-3-Clause
//
// The test program itself: every rank takes part, and the ranks agree.
#include <gtest/gtest.h>

#include <boost/mpi.hpp>
#include <functional>

#include "ricochet/hdf5/library_versions.hpp"

namespace ricochet {
namespace {

TEST(Launch, ReachesEveryRank) {
    const boost::mpi::communicator world;
    const int sum = boost::mpi::all_reduce(world, world.rank() + 1, std::plus<>());
    EXPECT_EQ(sum, world.size() * (world.size() + 1) / 2);
}

TEST(LibraryVersions, NamesWhatIsLinked) {
    const auto versions = library_versions();
    ASSERT_EQ(versions.size(), 3u);
    for (const auto& library : versions) {
        EXPECT_FALSE(library.name.empty());
        EXPECT_NE(library.version.find_first_of("0123456789"), std::string::npos) << library.name;
        EXPECT_EQ(library.version.find('\n'), std::string::npos) << library.name;
    }
}

}  // namespace
}  // namespace ricochet
