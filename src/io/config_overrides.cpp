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

Node* step_into_list(Node& list, std::string_view key, const Override& change) {
    const auto position = list_position(key);
    if (position && *position < list.items.size()) return &list.items[*position];
    change.issues.add(change.place, fmt::format("{}: expected a position from 0 to {}", change.up_to(key),
                                                static_cast<std::int64_t>(list.items.size()) - 1));
    return nullptr;
}

/// The child of `node` under `key`, made when it is missing; null (and an issue) when there can be none.
Node* step_into(Node& node, std::string_view key, const Override& change) {
    if (node.kind == Node::Kind::list) return step_into_list(node, key, change);
    if (node.kind == Node::Kind::scalar) {
        change.issues.add(change.place, fmt::format("{}: is under {}, expected a section there",
                                                    change.up_to(key), describe(node)));
        return nullptr;
    }
    if (node.kind == Node::Kind::null) node = Node{.kind = Node::Kind::map, .place = change.place};
    if (Node* child = node.find(key)) return child;
    node.entries.push_back({std::string(key), change.place, Node{.place = change.place}});
    return &node.entries.back().value;
}

void remove_key(Node& node, std::string_view key, const Override& change) {
    const bool removed = std::erase_if(node.entries, [&](const Entry& e) { return e.key == key; }) > 0;
    if (!removed) change.issues.add(change.place, fmt::format("{}: there is none to remove", change.path));
}

void set_value(Node& node, std::string_view key, Node value, const Override& change) {
    Node* target = step_into(node, key, change);
    if (target == nullptr) return;
    *target = std::move(value);
    for (Entry& entry : node.entries)
        if (entry.key == key) entry.place = change.place;
}

void apply_override(Node& root, std::string_view path, std::string_view text, const Override& change) {
    Node value = parse_yaml(std::string(text), change.place.source, change.issues);
    Node* node = &root;
    std::string_view rest = path;
    std::string_view key = take_key(rest);
    while (!rest.empty() && node != nullptr) {
        node = step_into(*node, key, change);
        key = take_key(rest);
    }
    if (node == nullptr) return;
    if (value.kind == Node::Kind::null && node->kind == Node::Kind::map)
        return remove_key(*node, key, change);
    set_value(*node, key, std::move(value), change);
}

}  // namespace

void apply_overrides(Node& root, std::span<const std::string> overrides, Issues& issues) {
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
