// SPDX-License-Identifier: BSD-3-Clause
#include "run/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// What a group of the result cannot be named.
bool is_no_name(const std::string& name) {
    return name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos;
}

/// Throws std::invalid_argument for an observer that does not take what it gives, as a checkpoint does.
void require_own_state(Observer& observer) {
    try {
        observer.set_sums(observer.sums());
        observer.restore(observer.memory());
    } catch (const std::exception& error) {
        throw std::invalid_argument("the observer " + observer.name() +
                                    " does not take its own sums and memory back: " + error.what());
    }
}

}  // namespace

void Observation::add(std::unique_ptr<Observer> observer) {
    for (const auto& other : observers_)
        if (other->name() == observer->name())
            throw std::invalid_argument("there are two observers " + observer->name());
    require_own_state(*observer);
    std::size_t num_values = 0;
    for (ObservableInfo& column : observer->columns()) {
        if (is_no_name(column.name))
            throw std::invalid_argument("the observer " + observer->name() + " has an observable named \"" +
                                        column.name + "\", which no group of a result can be");
        for (const ObservableInfo& other : columns_)
            if (other.name == column.name)
                throw std::invalid_argument("there are two observables " + column.name);
        num_values += column.num_values();
        columns_.push_back(std::move(column));
    }
    num_values_.push_back(num_values);
    observers_.push_back(std::move(observer));
}

Observation::Sums Observation::sums() const {
    Sums sums;
    for (const auto& observer : observers_) sums.push_back(observer->sums());
    return sums;
}

/// The sums of all observers cross the network as one list. Collective.
Observation::Sums Observation::sums_over_ranks() const {
    Sums sums = this->sums();
    std::vector<std::int64_t> all;
    for (const auto& of_one : sums) all.insert(all.end(), of_one.begin(), of_one.end());
    exchange_.sum(all);
    auto next = all.begin();
    for (auto& of_one : sums) {
        std::copy_n(next, of_one.size(), of_one.begin());
        next += std::ssize(of_one);
    }
    return sums;
}

void Observation::set_sums(const Sums& sums) {
    for (std::size_t k = 0; k < observers_.size(); ++k) observers_[k]->set_sums(sums[k]);
}

ContactDetail Observation::detail() const {
    const bool has_need = std::any_of(observers_.begin(), observers_.end(), [](const auto& observer) {
        return observer->detail() == ContactDetail::records;
    });
    return has_need ? ContactDetail::records : ContactDetail::briefs;
}

void Observation::add_briefs(std::span<const ContactBrief> contacts) {
    keep_settled();
    for (const auto& observer : observers_) observer->add_briefs(contacts);
}

void Observation::add_records(std::span<const Contact> contacts) {
    keep_settled();
    for (const auto& observer : observers_) observer->add_records(contacts);
}

void Observation::add_energies(std::span<const GivenEnergy> energies) {
    keep_settled();
    for (const auto& observer : observers_) observer->add_energies(energies);
}

void Observation::keep_settled() {
    if (!settled_) settled_ = sums();
}

void Observation::take_back() {
    if (settled_) set_sums(*settled_);
}

Sample Observation::take_sample(const Particles& owned, double time) {
    for (const auto& observer : observers_) {
        observer->add_particles(owned);
        observer->add_system(exchange_, owned);
    }
    set_sums(sums_over_ranks());
    const SampleTime when{time, previous_time_ ? time - *previous_time_ : 0};
    values_.clear();
    for (std::size_t k = 0; k < observers_.size(); ++k) {
        const std::size_t num_before = values_.size();
        observers_[k]->take_sample(when, values_);
        if (const std::size_t num_given = values_.size() - num_before; num_given != num_values_[k])
            throw std::logic_error(fmt::format("the observer {} has given {} values, and its columns have {}",
                                               observers_[k]->name(), num_given, num_values_[k]));
    }
    previous_time_ = time;
    return {columns_, values_};
}

/// Added sums may have several forms, such as digits that are too large. An observer that has taken them gives
/// them back in its own form.
void Observation::save_to(RunState& state) {
    const Sums own = sums();
    set_sums(sums_over_ranks());
    for (const auto& observer : observers_) {
        ObserverMemory memory = observer->memory();
        state.observers[observer->name()] = {observer->sums(), std::move(memory.integers),
                                             std::move(memory.numbers)};
    }
    set_sums(own);
    state.previous_sample_time = previous_time_;
}

void Observation::restore_from(const RunState& state) {
    previous_time_ = state.previous_sample_time;
    for (const auto& observer : observers_) {
        const auto found = state.observers.find(observer->name());
        if (found == state.observers.end())
            throw InputError("the checkpoint has no state of the observer " + observer->name());
        observer->restore({found->second.integers, found->second.numbers});
        if (exchange_.rank() == 0) observer->set_sums(found->second.sums);
    }
}

}  // namespace ricochet
