// SPDX-License-Identifier: BSD-3-Clause
//
// Turns a text into a Config. The steps are: the tree of the text, the overrides, the check against the
// table, the values, and the rules that tie keys together (config_rules.cpp). Values in error leave their
// members unchanged, so that one pass finds all errors.
#include "config/config_rules.hpp"
#include "config/input_text.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

namespace {

using detail::TreeNode;

void read_section(void* owner, const TreeNode& section, const std::string& path);

/// Reads the value of a node and of all nodes below it. Values in error are skipped.
void read_node(void* owner, const Option& row, const TreeNode& node) {
    if (!node.valid || node.kind == TreeNode::Kind::null) return;
    const bool has_keys = node.kind == TreeNode::Kind::map;
    if (row.kind == OptionKind::sections) {
        const std::vector<void*> items = row.member.resize(owner, node.children.size());
        for (std::size_t k = 0; k < items.size(); ++k)
            read_section(items[k], node.children[k], std::string(row.path) + "[]");
    } else if (row.member.read != nullptr && (!has_keys || row.kind == OptionKind::section)) {
        row.member.read(owner, row, node);
    }
    if (has_keys) read_section(owner, node, std::string(row.path));
}

void read_section(void* owner, const TreeNode& section, const std::string& path) {
    for (const Option* row : detail::rows_below(path))
        if (const TreeNode* node = section.find(detail::key_of(row->path))) read_node(owner, *row, *node);
}

}  // namespace

Config parse_config(const std::string& text, const std::string& name,
                    std::span<const std::string> overrides) {
    detail::Issues issues(name, overrides);
    detail::TreeNode root = detail::parse_yaml(text, 0, issues);
    issues.throw_if_any();
    detail::apply_overrides(root, overrides, issues);
    issues.throw_if_any();
    detail::check_tree(root, issues);
    Config config;
    config.input_name = name;
    read_section(&config, root, "");
    const detail::Reader reader(root);
    if (reader.has("box.size")) config.box_size_place.text = issues.where(reader.place("box.size"));
    if (reader.has("run.timestep")) config.timestep_place.text = issues.where(reader.place("run.timestep"));
    detail::apply_rules(reader, config, issues);
    issues.throw_if_any();
    return config;
}

Config load_config(const std::string& path, std::span<const std::string> overrides) {
    return parse_config(read_input_text(path), path, overrides);
}

}  // namespace ricochet
