// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of an input that tie several keys together. Names must exist, densities must fit, and the box
// must be large enough for its particles and its minimum image. A rule is skipped where one of its values is
// in error.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/config_check.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet::detail {

/// Access to a checked tree by path. The Config holds the values already; missing values and values in error
/// left its members unchanged.
class Reader {
  public:
    explicit Reader(const TreeNode& root) : root_(root) {}

    /// The node of a value that is present and without error; null otherwise.
    const TreeNode* find(std::string_view path) const {
        const TreeNode* node = find_path(root_, path);
        return node != nullptr && node->valid && node->kind != TreeNode::Kind::null ? node : nullptr;
    }
    bool has(std::string_view path) const { return find(path) != nullptr; }
    /// Whether a value is present, in error or not.
    bool is_given(std::string_view path) const { return find_path(root_, path) != nullptr; }
    /// The place of a node that exists.
    Place place(std::string_view path) const { return find_path(root_, path)->place; }
    /// The items of a list; none without it.
    std::span<const TreeNode> items(std::string_view path) const {
        const TreeNode* node = find(path);
        if (node == nullptr || node->kind != TreeNode::Kind::list) return {};
        return node->children;
    }

    std::string text(std::string_view path) const { return has(path) ? find(path)->text : ""; }
    /// Of a value without error.
    double number(std::string_view path) const { return *parse_number(text(path)); }

  private:
    const TreeNode& root_;
};

/// Completes the configuration with what follows from several keys (counts, pairs of species) and adds one
/// issue per broken rule.
void apply_rules(const Reader& read, Config& config, Issues& issues);

}  // namespace ricochet::detail
