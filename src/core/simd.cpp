// SPDX-License-Identifier: BSD-3-Clause
#include "core/simd.hpp"

#include "core/simd_targets.hpp"
// after simd_targets.hpp
#include <hwy/highway.h>

namespace ricochet {

std::vector<SimdTarget> supported_simd_targets() {
    std::vector<SimdTarget> targets;
    for (const std::int64_t id : hwy::SupportedAndGeneratedTargets())
        if (id != HWY_SCALAR && id != HWY_EMU128) targets.push_back({id, hwy::TargetName(id)});
    targets.push_back({HWY_SCALAR, hwy::TargetName(HWY_SCALAR)});
    return targets;
}

namespace {

void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

ForcedSimdTarget::ForcedSimdTarget(const SimdTarget& target) { choose(target.id); }
ForcedSimdTarget::~ForcedSimdTarget() { choose(0); }

}  // namespace ricochet
