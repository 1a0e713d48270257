// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/dynamics/drive.hpp"

#include <algorithm>

namespace ricochet {

void DriveList::start(Particles& owned) const {
    for (const auto& drive : drives_) drive->start(owned);
}

void DriveList::before_drift(Particles& owned, DrivenStep step) const {
    for (const auto& drive : drives_) drive->before_drift(owned, step);
}

void DriveList::after_drift(Particles& owned, DrivenStep step) const {
    std::for_each(drives_.rbegin(), drives_.rend(),
                  [&](const auto& drive) { drive->after_drift(owned, step); });
}

}  // namespace ricochet
