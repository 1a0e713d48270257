// SPDX-License-Identifier: BSD-3-Clause
//
// The recorded steps of a run: contacts go to observers and to the recorder, samples and frames are taken when
// they are due.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ricochet/run/recorder.hpp"
#include "run/observation.hpp"
#include "run/stage.hpp"

namespace ricochet {

/// Notes steps with many contacts once: when they are predicted, or observed, as in a gas that heats up.
class LongStepNote {
  public:
    /// Keeps both references.
    LongStepNote(const Config& config, Monitor& monitor) : config_(config), monitor_(monitor) {}
    void consider(double contacts_per_particle);

  private:
    const Config& config_;
    Monitor& monitor_;
    bool has_noted_ = false;
};

/// The temperature of all particles, as the observable of this name. Collective.
double temperature(Exchange& exchange, const World& world, const Particles& owned);

class Recording final : public Stage, private ContactSink {
  public:
    /// Goes on after `first_step` completed steps. Keeps all references.
    Recording(const StageParts& parts, Observation& observation, Recorder& recorder, LongStepNote& long_steps,
              std::uint64_t first_step);

    StepEnd step_end() const override { return {.step = step_, .is_recorded = true, .is_last = is_over()}; }
    bool is_over() const override { return step_ >= parts().config.run.num_steps; }
    bool samples_next() const override;
    ContactSink& begin_step() override;
    void end_step() override;
    void record(const Particles& owned) override;
    void tell_progress(double seconds) override;
    RunState state() override;

    /// The totals of all ranks in this part of the run, without the temperature. Collective.
    RunTotals totals() const;

  private:
    // Contacts of a step: counts them, hands them to the observers, keeps them where the recorder wants them.
    ContactDetail detail() const override;
    void add_records(std::span<const Contact> contacts) override;
    void add_briefs(std::span<const ContactBrief> contacts) override;
    void add_energies(std::span<const GivenEnergy> energies) override;
    void settle() override;
    void take_back() override;

    struct Counts {
        std::int64_t all = 0, with_walls = 0;  ///< contacts, without those that were let pass
        std::int64_t let_pass = 0;

        template <class Record>
        void add(std::span<const Record> contacts) {
            for (const Record& contact : contacts) {
                if (contact.effect == ContactEffect::let_pass) ++let_pass;
                if (!is_contact(contact.effect)) continue;
                ++all;
                if (contact.species_high == wall_species) ++with_walls;
            }
        }
    };

    Observation& observation_;
    Recorder& recorder_;
    LongStepNote& long_steps_;
    std::uint64_t first_step_;              ///< of this part of the run
    std::uint64_t step_;                    ///< completed recorded steps
    ContactList kept_;                      ///< contacts of the step, for a recorder that wants them
    Counts counts_, settled_;               ///< on this rank, in this part of the run
    std::int64_t reported_collisions_ = 0;  ///< of all ranks, at the latest report of progress,
    std::uint64_t reported_step_;           ///< and the steps done by then
};

}  // namespace ricochet
