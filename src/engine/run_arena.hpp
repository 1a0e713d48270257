// SPDX-License-Identifier: BSD-3-Clause
//
// The working memory of a run of islands: the event heap, pools, scratch and counts. One arena serves one run at a
// time. Threads would have one each (step_engine.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "engine/event_heap.hpp"
#include "engine/face_watch.hpp"
#include "engine/instants.hpp"
#include "engine/run_pools.hpp"
#include "engine/step_context.hpp"
#include "engine/step_state.hpp"
#include "ricochet/engine/step_counters.hpp"

namespace ricochet {

/// Orders events of equal time and generation by ids.
class LaterByIds {
  public:
    LaterByIds(const StepContext& context, const LocalMotion& local) : context_(&context), local_(&local) {}
    bool operator()(const Prediction& p, const Prediction& q) const { return ids_of(p) > ids_of(q); }

  private:
    struct Ids {
        ParticleId low, high;
        friend auto operator<=>(const Ids&, const Ids&) = default;
    };
    Ids ids_of(const Prediction& p) const {
        if (p.b.is_of_remote_event()) {
            const ContactKey& key = context_->remote[p.remote_event].event.key;
            return {key.low, key.high};
        }
        const ParticleId a = local_->motion(p.a).id;
        const ParticleId b = p.b.is_particle()
                                 ? local_->motion(p.b.slot()).id
                                 : obstacle_id(context_->obstacles[p.b.obstacle_index()].number);
        return {std::min(a, b), std::max(a, b)};
    }

    const StepContext* context_;
    const LocalMotion* local_;
};

struct RunArena {
    RunArena(const StepContext& context, StepState& state)
        : heap(LaterByIds(context, state.local)), pools(state.memory) {}

    EventHeap<LaterByIds> heap;
    RunPools pools;
    std::vector<InitialPrediction> later_contacts;  ///< found, but not filed: of later windows
    Instants instants;                              ///< of the window's contacts
    FaceWatch faces;
    StepStatistics statistics;
    ContactScratch contact_scratch;
    std::vector<Slot> slot_scratch;
};

}  // namespace ricochet
