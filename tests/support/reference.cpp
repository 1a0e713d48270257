// SPDX-License-Identifier: BSD-3-Clause
//
// See reference.hpp. What a contact is stands in reference_step.hpp; here are the two ways to find the next
// one, and long steps.
#include "tests/support/reference.hpp"

#include <stdexcept>
#include <vector>

#include "tests/support/reference_step.hpp"

namespace ricochet::test {

namespace {

/// A predicted contact with the indices of its partners (high: unused for an obstacle).
struct Candidate {
    ContactKey key = no_contact;
    std::size_t low = 0;
    std::size_t high = 0;
    std::size_t surface = 0;  ///< of a body
};

void keep_earlier(Candidate& best, const Candidate& other) {
    if (other.key < best.key) best = other;
}

Candidate at_obstacle(const ReferenceStep& step, std::size_t i) {
    const ReferenceStep::AtObstacle earliest = step.predict_obstacles(i);
    return {earliest.key, i, i, earliest.surface};
}

Candidate candidate_pair(const ReferenceStep& step, std::size_t i, std::size_t j) {
    const bool ordered = step.id(i) < step.id(j);
    return {step.predict_pair(i, j), ordered ? i : j, ordered ? j : i, 0};
}

/// For each particle the earliest contact that it takes part in. Pairs that are too far apart are passed over.
class EarliestContacts {
  public:
    explicit EarliestContacts(const ReferenceStep& step)
        : step_(step), of_(step.size()), reach_(step.size()) {
        for (std::size_t i = 0; i < step.size(); ++i) reach_[i] = step.straight_reach(i);
        for (std::size_t i = 0; i < step.size(); ++i) of_[i] = at_obstacle(step, i);
        for (std::size_t i = 0; i < step.size(); ++i)
            for (std::size_t j = i + 1; j < step.size(); ++j) consider(i, j);
    }

    Candidate next() const {
        Candidate earliest;
        for (const Candidate& candidate : of_) keep_earlier(earliest, candidate);
        return earliest;
    }

    /// Repairs everything that rests on an old record of the partners of `done`, which has just happened.
    void update_after(const Candidate& done) {
        for (const std::size_t i : {done.low, done.high}) reach_[i] = step_.straight_reach(i);
        std::vector<std::size_t> stale;
        for (std::size_t i = 0; i < of_.size(); ++i)
            if (i == done.low || i == done.high || involves(of_[i], done.low) || involves(of_[i], done.high))
                stale.push_back(i);
        for (std::size_t i : stale) of_[i] = at_obstacle(step_, i);
        for (std::size_t i : stale)
            for (std::size_t j = 0; j < of_.size(); ++j)
                if (i != j) consider(i, j);
    }

  private:
    static bool involves(const Candidate& candidate, std::size_t i) {
        return candidate.key.time < never && (candidate.low == i || candidate.high == i);
    }
    void consider(std::size_t i, std::size_t j) {
        if (!step_.may_touch(i, j, reach_[i] + reach_[j])) return;
        const Candidate candidate = candidate_pair(step_, i, j);
        keep_earlier(of_[i], candidate);
        keep_earlier(of_[j], candidate);
    }

    const ReferenceStep& step_;
    std::vector<Candidate> of_;
    std::vector<double> reach_;  ///< by particle
};

Candidate scan_everything(const ReferenceStep& step) {
    Candidate earliest;
    for (std::size_t i = 0; i < step.size(); ++i) {
        keep_earlier(earliest, at_obstacle(step, i));
        for (std::size_t j = i + 1; j < step.size(); ++j) keep_earlier(earliest, candidate_pair(step, i, j));
    }
    return earliest;
}

/// Shorter parts gain nothing: radii are what the box is too small for.
constexpr double most_parts = 0x1p40;

/// The k-th of `count` equal parts of a step, from 0 on, itself in halves where it is too long.
StepResult reference_part(const Box& box, Particles& particles, const ContactRules& rules,
                          const StepSettings& settings, double k, double count) {
    const Particles before = particles;
    StepSettings part = settings;
    part.begin = k * (settings.dt / count);
    part.dt = (k + 1) * (settings.dt / count);
    part.is_last_part = k + 1 == count;
    StepResult result = reference_step_by_lists(box, particles, rules, part);
    if (!result.is_too_long) return result;
    if (count >= most_parts || rules.have_rates())
        throw std::runtime_error("no part of the step is short enough for the box");
    particles = before;
    result = reference_part(box, particles, rules, settings, 2 * k, 2 * count);
    if (result.exhausted) return result;
    const StepResult second = reference_part(box, particles, rules, settings, 2 * k + 1, 2 * count);
    result.contacts.insert(result.contacts.end(), second.contacts.begin(), second.contacts.end());
    result.exhausted = second.exhausted;
    return result;
}

}  // namespace

StepResult reference_step(const Box& box, Particles& particles, const ContactRules& rules,
                          const StepSettings& settings) {
    ReferenceStep step(box, particles, rules, settings);
    for (Candidate next = scan_everything(step); next.key.time < never && !step.is_exhausted();
         next = scan_everything(step))
        step.process(next.key, next.low, next.high, next.surface);
    return step.finish();
}

StepResult reference_step_by_lists(const Box& box, Particles& particles, const ContactRules& rules,
                                   const StepSettings& settings) {
    ReferenceStep step(box, particles, rules, settings);
    EarliestContacts earliest(step);
    for (Candidate next = earliest.next(); next.key.time < never && !step.is_exhausted();
         next = earliest.next()) {
        step.process(next.key, next.low, next.high, next.surface);
        earliest.update_after(next);
    }
    return step.finish();
}

StepResult reference_long_step(const Box& box, Particles& particles, const ContactRules& rules,
                               const StepSettings& settings) {
    return reference_part(box, particles, rules, settings, 0, 1);
}

}  // namespace ricochet::test
