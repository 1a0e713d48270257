// SPDX-License-Identifier: BSD-3-Clause
//
// The searches that an input can name.
//
// To add one, write a class that derives from BroadPhase in src/search, and a function that makes one. Then
// add its word to registered_searches. The input, its reference and schema, and all tests of searches read
// that table.
//
// Some methods follow the particles in time. These are kinetic structures (src/kinetic/kinetic_structure.hpp), with
// which the engine with one queue of events works. They are registered in the same table, and made in
// src/kinetic/engine_choice.cpp. That engine works with all others too: their candidates are found at the start of a
// step (src/kinetic/sphere_links.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "ricochet/core/check.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

/// What single searches are asked for besides.
struct SearchOptions {
    std::uint64_t num_boxes = 0;  ///< of `boxes`, along each axis of the box; 0: chosen
    std::uint64_t octree_max_count = 8;
    std::uint64_t octree_depth = 20;
    double subspace_side = 0;  ///< of `time_bounds`, length; 0: chosen
    /// Methods are compared (no key): cells and slices count their work, which takes time. Queues do not look for
    /// overlaps, since contacts are compared.
    bool is_study = false;

    friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

std::unique_ptr<BroadPhase> make_cells(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_slices(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_all_pairs(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_sorted_slices(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_boxes(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_octree(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_spatial_tree(const Box& box, const SearchOptions& options);
std::unique_ptr<BroadPhase> make_sweep_and_prune(const Box& box, const SearchOptions& options);

struct RegisteredSearch {
    using Make = std::unique_ptr<BroadPhase>(const Box& box, const SearchOptions& options);

    std::string_view word;  ///< in the input
    Make* make = nullptr;   ///< null: it is a kinetic structure only
    /// Whether it names candidates for whole steps: there is a `make`, but sanitizers compare no functions in constant
    /// expressions.
    bool names_candidates = true;
};
inline constexpr std::array registered_searches{RegisteredSearch{"cells", make_cells},
                                                RegisteredSearch{"slices", make_slices},
                                                RegisteredSearch{"all_pairs", make_all_pairs},
                                                RegisteredSearch{"sorted_slices", make_sorted_slices},
                                                RegisteredSearch{"boxes", make_boxes},
                                                RegisteredSearch{"octree", make_octree},
                                                RegisteredSearch{"spatial_tree", make_spatial_tree},
                                                RegisteredSearch{"sweep_and_prune", make_sweep_and_prune},
                                                RegisteredSearch{"cells_crossing", nullptr, false},
                                                RegisteredSearch{"time_bounds", nullptr, false},
                                                RegisteredSearch{"delaunay", nullptr, false},
                                                RegisteredSearch{"cells_every_move", nullptr, false}};

/// A registered search, by its position in the table, from 1; or the automatic choice.
enum class SearchMethod : std::uint8_t { automatic };

/// How contacts are taken in order.
enum class SearchLoop : std::uint8_t {
    automatic,  ///< windows where the method can
    windows,    ///< candidates are found at the start of a step; contacts that are connected are islands
    queue,      ///< one queue of contacts and of the events of a kinetic structure
    restart,    ///< likewise, and all particles are searched again after each contact
    precheck    ///< likewise, but pairs that are too far apart to touch next are not tested
};

/// Throws std::invalid_argument for a word that is not registered.
constexpr SearchMethod search_named(std::string_view word) {
    for (std::size_t k = 0; k < registered_searches.size(); ++k)
        if (registered_searches[k].word == word) return static_cast<SearchMethod>(k + 1);
    throw std::invalid_argument("no search has this name");
}

/// Its word in the input; "auto" for the automatic choice.
constexpr std::string_view to_string(SearchMethod method) {
    if (method == SearchMethod::automatic) return "auto";
    RICOCHET_CHECK_LE(static_cast<std::size_t>(method), registered_searches.size());
    return registered_searches[static_cast<std::size_t>(method) - 1].word;
}

/// The first of the table for the automatic choice.
constexpr const RegisteredSearch& registered(SearchMethod method) {
    const std::size_t k = method == SearchMethod::automatic ? 0 : static_cast<std::size_t>(method) - 1;
    RICOCHET_CHECK_LT(k, registered_searches.size());
    return registered_searches[k];
}
/// Whether it names candidates for a whole step.
constexpr bool has_step_search(SearchMethod method) { return registered(method).names_candidates; }
/// Whether the method works in this loop.
constexpr bool is_possible(SearchMethod method, SearchLoop loop) {
    return loop != SearchLoop::windows || has_step_search(method);
}
/// The loop in which the method works where the input does not say.
constexpr SearchLoop loop_of(SearchMethod method, SearchLoop asked) {
    if (asked != SearchLoop::automatic) return asked;
    return has_step_search(method) ? SearchLoop::windows : SearchLoop::queue;
}

/// A search of this kind for the box; the first of the table for the automatic choice.
/// Requires: has_step_search(method).
inline std::unique_ptr<BroadPhase> make_search(SearchMethod method, const Box& box,
                                               const SearchOptions& options = {}) {
    RICOCHET_CHECK(has_step_search(method));
    return registered(method).make(box, options);
}

}  // namespace ricochet
