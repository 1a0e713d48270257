// SPDX-License-Identifier: BSD-3-Clause
//
// Two effective inputs, key by key. Both are complete and written by the same function, so that equal values
// have equal texts; a key that only one of them has is one that the other's program did not know, or one of
// another form of the same section (radius: 0.5, radius: {lognormal: ...}).
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "io/config_check.hpp"
#include "ricochet/core/hash.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {
namespace {

using detail::TreeNode;

struct Value {
    std::string path, text;
};

void collect_values(const TreeNode& node, const std::string& path, std::vector<Value>& values) {
    using Kind = TreeNode::Kind;
    if (node.kind != Kind::map && node.kind != Kind::list) {
        values.push_back({path, node.text});
        return;
    }
    std::size_t position = 0;
    for (const TreeNode& child : node.children) {
        std::string child_path = path.empty() ? "" : path + ".";
        child_path += node.kind == Kind::map ? child.key : std::to_string(position++);
        collect_values(child, child_path, values);
    }
}

std::vector<Value> values_of(const std::string& effective) {
    detail::Issues issues("effective input", {});
    const TreeNode root = detail::parse_yaml(effective, 0, issues);
    issues.throw_if_any();
    std::vector<Value> values;
    collect_values(root, "", values);
    return values;
}

const Value* find(const std::vector<Value>& values, const std::string& path) {
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const Value& value) { return value.path == path; });
    return found == values.end() ? nullptr : &*found;
}

bool may_change(const std::string& path) {
    const Option* option = detail::option_of(path);
    return option != nullptr && option->may_change;
}

}  // namespace

std::vector<std::string> forbidden_changes(const std::string& before, const std::string& now) {
    const std::vector<Value> old_values = values_of(before), new_values = values_of(now);
    std::vector<std::string> changes;
    for (const Value& value : new_values) {
        const Value* old = find(old_values, value.path);
        if (may_change(value.path) || (old != nullptr && old->text == value.text)) continue;
        changes.push_back(old == nullptr
                              ? fmt::format("{} is {} and was not there", value.path, value.text)
                              : fmt::format("{} was {} and is {}", value.path, old->text, value.text));
    }
    for (const Value& value : old_values)
        if (!may_change(value.path) && find(new_values, value.path) == nullptr)
            changes.push_back(fmt::format("{} was {} and is not there", value.path, value.text));
    return changes;
}

std::uint64_t hash_of_fixed_keys(const std::string& effective) {
    std::string text;
    for (const Value& value : values_of(effective))
        if (!may_change(value.path)) text += value.path + "\n" + value.text + "\n";
    return hash_values(std::span<const char>(text));
}

}  // namespace ricochet
