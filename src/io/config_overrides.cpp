// SPDX-License-Identifier: BSD-3-Clause
//
// Overrides change the tree before it is checked, so that they are held to the same rules as the input.
#include <fmt/format.h>

#include <algorithm>

#include "io/config_tree.hpp"

namespace ricochet::detail {

namespace {

/// One override under way: where in the tree it is, and how to complain about it.
struct Override {
    std::string_view path;  ///< the whole key
    Place place;
    Issues& issues;

    /// The part of the path that ends at `key`, for messages.
    std::string up_to(std::string_view key) const {
        return std::string(path.substr(0, static_cast<std::size_t>(key.data() + key.size() - path.data())));
    }
};

/// The first key of `rest`, which loses it.
std::string_view take_key(std::string_view& rest) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const std::string_view key = rest.substr(0, dot);
    rest.remove_prefix(std::min(dot + 1, rest.size()));
    return key;
}

/// Keys with single dots between them.
bool has_only_keys(std::string_view path) {
    return !path.empty() && path.front() != '.' && path.back() != '.' &&
           path.find("..") == std::string_view::npos;
}

TreeNode* step_into_list(TreeNode& list, std::string_view key, const Override& change) {
    const auto position = list_position(key);
    if (position && *position < list.children.size()) return &list.children[*position];
    change.issues.add(change.place, fmt::format("{}: expected a position from 0 to {}", change.up_to(key),
                                                static_cast<std::int64_t>(list.children.size()) - 1));
    return nullptr;
}

/// The child of `node` under `key`, made when it is missing; null (and an issue) when there can be none.
TreeNode* step_into(TreeNode& node, std::string_view key, const Override& change) {
    if (node.kind == TreeNode::Kind::list) return step_into_list(node, key, change);
    if (node.kind == TreeNode::Kind::scalar) {
        change.issues.add(change.place, fmt::format("{}: is under {}, expected a section there",
                                                    change.up_to(key), describe(node)));
        return nullptr;
    }
    if (node.kind == TreeNode::Kind::null)
        node.assign(TreeNode{.kind = TreeNode::Kind::map, .place = change.place});
    if (TreeNode* child = node.find(key)) return child;
    node.children.push_back(
        TreeNode{.place = change.place, .key = std::string(key), .key_place = change.place});
    return &node.children.back();
}

void remove_key(TreeNode& node, std::string_view key, const Override& change) {
    const bool removed =
        std::erase_if(node.children, [&](const TreeNode& child) { return child.key == key; }) > 0;
    if (!removed) change.issues.add(change.place, fmt::format("{}: there is none to remove", change.path));
}

void set_value(TreeNode& node, std::string_view key, TreeNode value, const Override& change) {
    TreeNode* target = step_into(node, key, change);
    if (target == nullptr) return;
    target->assign(std::move(value));
    target->key_place = change.place;
}

void apply_override(TreeNode& root, std::string_view path, std::string_view text, const Override& change) {
    TreeNode value = parse_yaml(std::string(text), change.place.source, change.issues);
    TreeNode* node = &root;
    std::string_view rest = path;
    std::string_view key = take_key(rest);
    while (!rest.empty() && node != nullptr) {
        node = step_into(*node, key, change);
        key = take_key(rest);
    }
    if (node == nullptr) return;
    if (value.kind == TreeNode::Kind::null && node->kind == TreeNode::Kind::map)
        return remove_key(*node, key, change);
    set_value(*node, key, std::move(value), change);
}

}  // namespace

void apply_overrides(TreeNode& root, std::span<const std::string> overrides, Issues& issues) {
    for (std::size_t k = 0; k < overrides.size(); ++k) {
        const std::string_view whole = overrides[k];
        const Place place{k + 1, 1, 1};
        const std::size_t equals = whole.find('=');
        const std::string_view path = whole.substr(0, equals);
        if (equals == std::string_view::npos || !has_only_keys(path)) {
            issues.add(place, "expected key=value, e.g. run.steps=100");
            continue;
        }
        apply_override(root, path, whole.substr(equals + 1), Override{path, place, issues});
    }
}

}  // namespace ricochet::detail
