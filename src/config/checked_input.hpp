// SPDX-License-Identifier: BSD-3-Clause
//
// A checked input, as rules that tie keys together see it: its tree by paths, and its Config, which has the values
// already.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "config/config_check.hpp"

namespace ricochet::detail {

/// Stands for walls where species are named.
inline constexpr std::string_view wall_name = "wall";

/// The densest packing of equal spheres (Kepler) and equal discs (Thue): pi/sqrt(18) and pi/sqrt(12).
inline constexpr double closest_packing_3d = 0.74048, closest_packing_2d = 0.9069;

inline int axis_of(WallFace face) { return static_cast<int>(face) / 2; }

/// The two partners of a contact, in the order of the input.
struct NamedPair {
    SpeciesIndex a, b;                     ///< wall_species for walls and for a body
    std::optional<std::uint32_t> body;     ///< its place in Config::bodies; of at most one of the two
    std::optional<std::uint32_t> patch{};  ///< its place among those of the body
};

/// The base of sets of rules.
class CheckedInput {
  public:
    CheckedInput(const TreeNode& root, Config& config, Issues& issues)
        : config_(config), issues_(issues), root_(root) {}

  protected:
    /// The node of a value that is present and without error; null otherwise.
    const TreeNode* find(std::string_view path) const {
        const TreeNode* node = find_path(root_, path);
        return node != nullptr && node->valid && node->kind != TreeNode::Kind::null ? node : nullptr;
    }
    bool has(std::string_view path) const { return find(path) != nullptr; }
    /// Whether a value is present, in error or not.
    bool is_given(std::string_view path) const { return find_path(root_, path) != nullptr; }
    /// Whether a section is present without error, in place of a value where the key has one.
    bool has_section(std::string_view path) const {
        const TreeNode* node = find(path);
        return node != nullptr && node->kind == TreeNode::Kind::map;
    }
    /// The items of a list; none without it.
    std::span<const TreeNode> items(std::string_view path) const {
        const TreeNode* node = find(path);
        if (node == nullptr || node->kind != TreeNode::Kind::list) return {};
        return node->children;
    }
    /// The text of a value without error.
    const std::string& text(std::string_view path) const { return find(path)->text; }
    double number(std::string_view path) const { return *parse_number(text(path)); }
    /// One issue about the value of a path that is in the tree.
    void report(const std::string& path, const std::string& message) {
        issues_.add(find_path(root_, path)->place, path + ": " + message);
    }

    /// The index of a species; none (and an issue at `path`) for an unknown name.
    std::optional<SpeciesIndex> species_named(const TreeNode& name, const std::string& path);
    /// The same of a product of `parent`. It takes the radius of its species, unless it stays what it was; so an
    /// issue where that radius is drawn from a distribution.
    std::optional<SpeciesIndex> product_named(const TreeNode& name, SpeciesIndex parent,
                                              const std::string& path);
    /// The partners of a list of two names; none when it is in error. Bodies are in error where they may not be named.
    std::optional<NamedPair> pair_named(const TreeNode& names, const std::string& path, bool may_be_body);

    Config& config_;
    Issues& issues_;

  private:
    struct Partner {
        SpeciesIndex species;
        std::optional<std::uint32_t> body, patch{};
    };
    std::optional<SpeciesIndex> index_of(const TreeNode& name) const;
    std::optional<Partner> body_named(const TreeNode& name) const;
    std::optional<Partner> partner_named(const TreeNode& name, const std::string& path, bool may_be_body);
    void refuse_name(const TreeNode& name, const std::string& path, std::string_view or_else);

    const TreeNode& root_;
};

}  // namespace ricochet::detail
