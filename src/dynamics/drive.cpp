// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/dynamics/drive.hpp"

namespace ricochet {

void DriveList::start(Particles& owned) const {
    for (const auto& drive : drives_) drive->start(owned);
}

void DriveList::before_drift(Particles& owned, DrivenStep step) const {
    for (const auto& drive : drives_) drive->before_drift(owned, step);
}

void DriveList::after_drift(Particles& owned, DrivenStep step) const {
    for (auto drive = drives_.rbegin(); drive != drives_.rend(); ++drive) (*drive)->after_drift(owned, step);
}

}  // namespace ricochet
