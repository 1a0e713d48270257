// SPDX-License-Identifier: BSD-3-Clause
#include "io/config_reader.hpp"

namespace ricochet::detail {

const TreeNode* Reader::valid(std::string_view path) const {
    const TreeNode* node = find_path(root_, path);
    return node != nullptr && node->valid && node->kind != TreeNode::Kind::null ? node : nullptr;
}

bool Reader::is_list(std::string_view path) const {
    const TreeNode* node = valid(path);
    return node != nullptr && node->kind == TreeNode::Kind::list;
}

std::size_t Reader::list_size(std::string_view path) const {
    return is_list(path) ? valid(path)->children.size() : 0;
}

std::string Reader::text(std::string_view path) const {
    const TreeNode* node = valid(path);
    return node == nullptr ? "" : node->text;
}

double Reader::number(std::string_view path, double stand_in) const {
    return parse_number(text(path)).value_or(stand_in);
}

std::uint64_t Reader::integer(std::string_view path) const { return parse_integer(text(path)).value_or(1); }

std::vector<double> Reader::numbers(std::string_view path) const {
    if (!is_list(path)) return {1, 1, 1};
    std::vector<double> values;
    for (const TreeNode& item : valid(path)->children) values.push_back(parse_number(item.text).value_or(1));
    return values;
}

std::vector<std::size_t> Reader::words(std::string_view path) const {
    const TreeNode* node = valid(path);
    const Option* option = option_of(path);
    if (node == nullptr) return {0};
    if (node->kind == TreeNode::Kind::scalar) return {word_position(*option, node->text).value_or(0)};
    std::vector<std::size_t> positions;
    for (const TreeNode& item : node->children)
        positions.push_back(word_position(*option, item.text).value_or(0));
    return positions;
}

}  // namespace ricochet::detail
