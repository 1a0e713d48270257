// SPDX-License-Identifier: BSD-3-Clause
//
// How a wall of the box moves. It never leaves the box, in which all centres are at all times.
#pragma once

namespace ricochet {

/// Inwards from its face: amplitude (1 + sin(2 pi (frequency t + phase))) + velocity t, t from step 0.
struct WallMotion {
    double velocity = 0;   ///< length/time, >= 0
    double amplitude = 0;  ///< length, >= 0: it swings about a place this far inside its face
    double frequency = 0;  ///< 1/time
    double phase = 0;      ///< in periods

    bool is_in_face() const { return velocity == 0 && amplitude == 0; }
    bool rests() const { return velocity == 0 && (amplitude == 0 || frequency == 0); }
    friend bool operator==(const WallMotion&, const WallMotion&) = default;
};

}  // namespace ricochet
