// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of particles that change: the number of each species, and how often each rule and decay has acted since
// step 0. Also how many tethers there are.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/world_facts.hpp"
#include "observe/observers.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

class ReactionObservables final : public Observer {
  public:
    explicit ReactionObservables(const World& world)
        : species_(world.species),
          rules_(names_of_rules(world)),
          decays_(names_of_decays(world)),
          counts_(world.species.size()),
          place_of_tethers_(world.rules.size()),
          is_left_out_(2 * rules_.size()) {
        const std::size_t before = 2 * rules_.size() + 1 + decays_.size();
        for (std::size_t rule = 0; rule < world.rules.size(); ++rule) {
            RICOCHET_CHECK_EQ(world.rules[rule].number, rule);
            is_left_out_[2 * rule] = std::holds_alternative<Bounce>(world.rules[rule].rule) ||
                                     std::holds_alternative<Thermal>(world.rules[rule].rule);
            if (!std::holds_alternative<Stick>(world.rules[rule].rule)) continue;
            place_of_tethers_[rule] = before + 2 * sticking_.size();
            sticking_.push_back(rule);
        }
        recent_.resize(before + 2 * sticking_.size());
        total_.resize(recent_.size());
    }

    std::string name() const override { return "reactions"; }
    std::vector<ObservableInfo> columns() const override {
        std::vector<ObservableInfo> columns{
            {"particles", labels_of_species(), "number of particles, by species"}};
        const Labels outcomes = labels_of_outcomes();
        if (!outcomes.empty())
            columns.push_back(
                {"outcomes", outcomes,
                 std::string(
                     "contacts since step 0, by rule of contacts.pairs and by what came of them: those "
                     "that changed the partners or let them pass") +
                     (sticking_.empty() ? "" : " or tethered them") + ", and those that bounced"});
        columns.push_back({"let_pass",
                           {},
                           "how often since step 0 two that were wedged into each other were let pass; these "
                           "count as no contacts"});
        if (!decays_.empty())
            columns.push_back({"decays", decays_, "decays since step 0, by place in the list decays"});
        if (!sticking_.empty()) add_columns_of_tethers(columns);
        return columns;
    }

    void add_briefs(std::span<const ContactBrief> contacts) override {
        for (const ContactBrief& contact : contacts) {
            if (contact.effect == ContactEffect::let_pass)
                ++recent_[2 * rules_.size()];
            else if (contact.effect == ContactEffect::decay)
                ++recent_[2 * rules_.size() + 1 + contact.rule];
            else if (contact.rule == no_rule)
                continue;
            else if (contact.effect == ContactEffect::hold)
                ++recent_[place_of_tethers_[contact.rule]];
            else if (contact.effect == ContactEffect::part)
                ++recent_[place_of_tethers_[contact.rule] + 1];
            else
                ++recent_[2 * contact.rule + (contact.effect == ContactEffect::bounce ? 1 : 0)];
        }
    }
    void add_particles(const Particles& owned) override {
        for (const Attributes& attributes : owned.attributes) ++counts_[attributes.species];
    }

    std::vector<std::int64_t> sums() const override {
        std::vector<std::int64_t> all = counts_;
        all.insert(all.end(), recent_.begin(), recent_.end());
        return all;
    }
    void set_sums(std::span<const std::int64_t> sums) override {
        if (sums.size() != counts_.size() + recent_.size())
            throw std::logic_error("the sums of the reactions are those of another observer");
        const auto end_of_counts = sums.begin() + std::ssize(counts_);
        counts_.assign(sums.begin(), end_of_counts);
        recent_.assign(end_of_counts, sums.end());
    }
    void take_sample(SampleTime /*time*/, std::vector<double>& values) override {
        for (std::int64_t& count : counts_) values.push_back(static_cast<double>(std::exchange(count, 0)));
        const std::size_t num_plain = total_.size() - 2 * sticking_.size();
        for (std::size_t k = 0; k < total_.size(); ++k) {
            total_[k] += std::exchange(recent_[k], 0);
            const bool is_shown = k >= is_left_out_.size() || !is_left_out_[k];
            if (k < num_plain && is_shown) values.push_back(static_cast<double>(total_[k]));
        }
        append_tethers(values);
    }

    ObserverMemory memory() const override { return {total_, {}}; }
    void restore(const ObserverMemory& memory) override {
        if (memory.integers.size() != total_.size())
            throw std::invalid_argument("the memory of the reactions is that of another observer");
        total_ = memory.integers;
    }

  private:
    using Labels = std::vector<std::string>;

    void add_columns_of_tethers(std::vector<ObservableInfo>& columns) const {
        Labels labels;
        for (const std::size_t rule : sticking_) labels.push_back(rules_[rule]);
        columns.push_back({"tethers", labels, "number of tethers, by rule that formed them"});
        columns.push_back({"broken", labels, "tethers that broke since step 0, by rule"});
        columns.push_back(
            {"held", labels,
             "how often since step 0 a tether held two back, by rule; these count as contacts"});
    }
    /// There are none at step 0: all that formed were counted.
    void append_tethers(std::vector<double>& values) const {
        const auto held = [&](std::size_t rule) { return total_[place_of_tethers_[rule]]; };
        const auto broken = [&](std::size_t rule) { return total_[place_of_tethers_[rule] + 1]; };
        for (const std::size_t rule : sticking_)
            values.push_back(static_cast<double>(total_[2 * rule] - broken(rule)));
        for (const std::size_t rule : sticking_) values.push_back(static_cast<double>(broken(rule)));
        for (const std::size_t rule : sticking_) values.push_back(static_cast<double>(held(rule)));
    }

    Labels labels_of_species() const {
        Labels labels;
        for (const Species& species : species_) labels.push_back(species.name);
        return labels;
    }
    Labels labels_of_outcomes() const {
        Labels labels;
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            if (!is_left_out_[2 * k]) labels.push_back(rules_[k]);
            labels.push_back(rules_[k] + ": bounced");
        }
        return labels;
    }

    std::vector<Species> species_;
    std::vector<std::string> rules_, decays_;
    std::vector<std::int64_t> counts_;   ///< by species
    std::vector<std::size_t> sticking_;  ///< rules that form tethers, ascending
    /// By rule that forms tethers: where it counts those that held, and after that those that broke.
    std::vector<std::size_t> place_of_tethers_;
    std::vector<bool> is_left_out_;  ///< of the outcomes, two by rule: those that cannot be
    /// Two by rule, one of all that were let pass, one by decay, two by rule that forms tethers. Since
    /// the latest sample, and up to it.
    std::vector<std::int64_t> recent_, total_;
};

}  // namespace

std::unique_ptr<Observer> make_reaction_observables(const World& world) {
    if (!has_changing_particles(world)) return nullptr;
    return std::make_unique<ReactionObservables>(world);
}

}  // namespace ricochet
