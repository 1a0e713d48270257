// SPDX-License-Identifier: BSD-3-Clause
//
// The effective input: a Config written as an input, row by row of the table of keys; and the difference of
// two effective inputs.
//
// Numbers have the fewest digits that read back as the same bits. Both inputs of a comparison are complete
// and written by the same function, so that equal values have equal texts. A key that only one of them has
// may be unknown to the program of the other. Or it belongs to another form of the same section (radius: 0.5,
// radius: {lognormal: ...}).
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "config/config_table.hpp"
#include "core/hash.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {
namespace {

using detail::TreeNode;

std::string section_text(const Config& config, const void* owner, const std::string& path,
                         std::size_t indent);

/// The condition, by the values of the Config.
bool condition_holds(const Config& config, std::string_view text) {
    const detail::Condition condition = detail::parse_condition(text);
    return condition.allows(condition.option->member.write(&config, *condition.option, config).value_or(""));
}

/// The items of a list of sections, a dash before the first key of each.
std::string list_text(const Config& config, const void* owner, const Option& row, std::size_t indent) {
    std::string text;
    for (const void* item : row.member.items(owner)) {
        std::string lines = section_text(config, item, std::string(row.path) + "[]", indent + 2);
        lines.at(indent) = '-';
        text += lines;
    }
    return text;
}

/// The lines of a key; none where the input need not say it. A section in place of a value (radius:
/// {lognormal: ...}) comes first, and has lines only where it exists.
std::string key_text(const Config& config, const void* owner, const Option& row, std::size_t indent) {
    if (!row.only_with.empty() && !condition_holds(config, row.only_with)) return "";
    const std::string start = fmt::format("{}{}:", std::string(indent, ' '), detail::key_of(row.path));
    const std::string below = row.kind == OptionKind::sections
                                  ? list_text(config, owner, row, indent + 2)
                                  : section_text(config, owner, std::string(row.path), indent + 2);
    if (!below.empty()) return start + '\n' + below;
    if (row.member.write == nullptr) return "";
    const auto value = row.member.write(owner, row, config);
    return value ? fmt::format("{} {}\n", start, *value) : "";
}

std::string section_text(const Config& config, const void* owner, const std::string& path,
                         std::size_t indent) {
    std::string text;
    for (const Option* row : detail::rows_below(path)) text += key_text(config, owner, *row, indent);
    return text;
}

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

/// The values of all keys that may not change when a run is continued.
std::vector<Value> fixed_values(const std::string& effective) {
    detail::Issues issues("effective input", {});
    const TreeNode root = detail::parse_yaml(effective, 0, issues);
    issues.throw_if_any();
    std::vector<Value> values;
    collect_values(root, "", values);
    std::erase_if(values, [](const Value& value) {
        const Option* option = detail::option_of(value.path);
        return option != nullptr && option->may_change;
    });
    return values;
}

using ValuesByPath = std::unordered_map<std::string_view, const Value*>;

ValuesByPath by_path(const std::vector<Value>& values) {
    ValuesByPath all;
    all.reserve(values.size());
    for (const Value& value : values) all.emplace(value.path, &value);
    return all;
}

const Value* find(const ValuesByPath& values, const std::string& path) {
    const auto found = values.find(path);
    return found == values.end() ? nullptr : found->second;
}

}  // namespace

std::string effective_yaml(const Config& config) { return section_text(config, &config, "", 0); }

std::vector<std::string> forbidden_changes(const std::string& before, const std::string& now) {
    const std::vector<Value> old_values = fixed_values(before), new_values = fixed_values(now);
    const ValuesByPath old_by_path = by_path(old_values), new_by_path = by_path(new_values);
    std::vector<std::string> changes;
    for (const Value& value : new_values) {
        const Value* old = find(old_by_path, value.path);
        if (old != nullptr && old->text == value.text) continue;
        changes.push_back(old == nullptr
                              ? fmt::format("{} is {} and was not there", value.path, value.text)
                              : fmt::format("{} was {} and is {}", value.path, old->text, value.text));
    }
    for (const Value& value : old_values)
        if (find(new_by_path, value.path) == nullptr)
            changes.push_back(fmt::format("{} was {} and is not there", value.path, value.text));
    return changes;
}

std::uint64_t hash_of_fixed_keys(const std::string& effective) {
    std::string text;
    for (const Value& value : fixed_values(effective)) text += value.path + "\n" + value.text + "\n";
    return hash_values(std::span<const char>(text));
}

}  // namespace ricochet
