// SPDX-License-Identifier: BSD-3-Clause
//
// A step, or a part of one, as an interval of the time since the step began.
#pragma once

namespace ricochet {

struct TimeSpan {
    double begin = 0;
    double end = 0;  ///< not included

    double length() const { return end - begin; }
    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

}  // namespace ricochet
