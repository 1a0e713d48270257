// SPDX-License-Identifier: BSD-3-Clause
//
// What every engine of a slab does in a step, however it resolves contacts. It takes the particles over, counts
// windows, lists boundary events, commits, and writes the particles back. Engines derive from it.
//
// Layout: StepContext is written by engines, between runs. StepState and RunArena are written by runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/run_arena.hpp"
#include "engine/shared_index.hpp"
#include "engine/step_context.hpp"
#include "engine/step_state.hpp"

namespace ricochet {

class SlabEngine : public StepEngine, protected StepWindow {
  public:
    std::string name_of_obstacle(ParticleId id) const override { return context_.obstacles.name_of(id); }
    const StepStatistics& statistics() const override { return arena().statistics; }
    void end_step() override;
    void abandon_step() override;
    std::size_t num_ended() const override { return ended_.size(); }

  protected:
    /// What the caller may do next.
    enum class Stage : std::uint8_t { no_step, planning, between_windows, in_window };

    SlabEngine(const World& world, const ContactRules& rules, const EngineOptions& options)
        : StepEngine(rules, most_beyond_walls(world)), context_(world, rules, options), state_(context_) {}

    /// The working memory of the derived engine, which resolves the contacts.
    virtual RunArena& arena() = 0;
    virtual const RunArena& arena() const = 0;

    // The open window.
    void collect_boundary_events(unsigned neighbour, std::vector<BoundaryEvent>& events) const override;
    std::optional<CapHit> cap_hit() const override;
    bool is_exhausted() const override { return state_.local.latest_stamp() > context_.options.most_changes; }
    Vec3 max_extent() const override;
    bool is_last() const override { return next_window_ == state_.schedule.size(); }
    void commit(ContactSink& contacts) override;

    /// The first that begin_step does; then the engine measures the particles, and loads the set.
    void start_step(Particles& local, std::size_t num_owned, const Holders& holders, const StepTask& task,
                    const Coverage& coverage);
    void load_set(bool has_uniform_attributes);
    /// The first that next_window does where there is one: forgets what belongs to the one before.
    void close_last_window();
    std::vector<RemoteEvent> localised(std::span<const BoundaryEvent> events) const;
    BlockVector<std::uint32_t> without_ended(std::span<const Slot> slots);

    StepContext context_;
    StepState state_;
    Stage stage_ = Stage::no_step;
    Particles* particles_ = nullptr;
    std::size_t num_owned_ = 0;
    std::size_t next_window_ = 0;
    std::uint64_t num_contacts_ = 0;  ///< of committed windows

  private:
    void note_ended();
    void write_absorbed();
    void write_latest_contacts();

    std::vector<Slot> ended_;  ///< owned slots that the latest step has left absent, ascending
    Vec3 max_extent_;          ///< of committed windows
    SharedIndex shared_;
};

}  // namespace ricochet
