// SPDX-License-Identifier: BSD-3-Clause
#include "config/config_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "config/foreign_words.hpp"

namespace ricochet::detail {

namespace {

/// The number of edits (insert, delete, replace, swap neighbours) that turn a into b, for at most 64
/// characters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    a = a.substr(0, 64);
    b = b.substr(0, 64);
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

// Outside this range, products of a few numbers may overflow or vanish.
constexpr double largest_magnitude = 1e100, smallest_magnitude = 1e-100;
constexpr std::string_view magnitude_in_words = "a magnitude from 1e-100 to 1e100";
constexpr std::size_t max_list_items = 1000;
constexpr std::size_t max_name = 64;

bool is_name(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '.' || c == '+' || c == '-';
    };
    return !text.empty() && text.size() <= max_name && text[0] != '.' &&
           std::all_of(text.begin(), text.end(), allowed);
}

bool is_number(const Option& option, const TreeNode& node) {
    if (node.kind != TreeNode::Kind::scalar || node.quoted) return false;
    if (find_word(option, node.text) != nullptr) return true;
    const auto value = parse_number(node.text);
    return value && option.range.contains(*value) && has_good_magnitude(*value);
}

bool is_integer(const Option& option, const TreeNode& node) {
    if (node.kind != TreeNode::Kind::scalar || node.quoted) return false;
    if (find_word(option, node.text) != nullptr) return true;
    const auto value = parse_integer(node.text);
    return value && option.range.contains(static_cast<double>(*value));
}

bool is_word(const Option& option, const TreeNode& node) {
    return node.kind == TreeNode::Kind::scalar && find_word(option, node.text) != nullptr;
}

bool is_name_node(const TreeNode& node) { return node.kind == TreeNode::Kind::scalar && is_name(node.text); }

bool is_pair_of_names(const TreeNode& node) {
    return node.kind == TreeNode::Kind::list && node.children.size() == 2 &&
           std::all_of(node.children.begin(), node.children.end(), is_name_node);
}

/// The first item that is not good; the node itself, unless it is a list of `least` to `most` items.
template <class Good>
const TreeNode* first_bad_item(const TreeNode& node, std::size_t least, std::size_t most, Good good) {
    if (node.kind != TreeNode::Kind::list || node.children.size() < least || node.children.size() > most)
        return &node;
    const auto bad = std::find_if_not(node.children.begin(), node.children.end(), good);
    return bad == node.children.end() ? nullptr : &*bad;
}

bool is_list_of_numbers(const Option& option, const TreeNode& node, std::size_t least, std::size_t most) {
    return first_bad_item(node, least, most, [&](const TreeNode& n) { return is_number(option, n); }) ==
           nullptr;
}

/// The wrong part of a value of this kind: the list, an item of it, or null.
const TreeNode* first_bad_of_list(const Option& option, const TreeNode& node) {
    const auto is_good_number = [&](const TreeNode& n) { return is_number(option, n); };
    const auto is_good_integer = [&](const TreeNode& n) { return is_integer(option, n); };
    const auto is_good_word = [&](const TreeNode& n) { return is_word(option, n); };
    const auto is_sphere = [&](const TreeNode& n) { return is_list_of_numbers(option, n, 3, 4); };
    const auto is_point = [&](const TreeNode& n) { return is_list_of_numbers(option, n, 2, 3); };
    switch (option.kind) {
        case OptionKind::integers:
            return is_good_integer(node) ? nullptr : first_bad_item(node, 2, 2, is_good_integer);
        case OptionKind::numbers:
            return first_bad_item(node, 2, 3, is_good_number);
        case OptionKind::words:
            return is_good_word(node) ? nullptr : first_bad_item(node, 2, 3, is_good_word);
        case OptionKind::choices:
            return first_bad_item(node, 1, option.words.size(), is_good_word);
        case OptionKind::subset:
            return first_bad_item(node, 0, option.words.size(), is_good_word);
        case OptionKind::products:
            return first_bad_item(node, 0, 2, is_name_node);
        case OptionKind::collisions:
            if (is_good_word(node)) return nullptr;
            return first_bad_item(node, 1, max_list_items * max_list_items, is_pair_of_names);
        case OptionKind::spheres:
            if (node.kind == TreeNode::Kind::scalar) return nullptr;
            return first_bad_item(node, 1, static_cast<std::size_t>(most_spheres), is_sphere);
        case OptionKind::two_numbers:
            return first_bad_item(node, 2, 2, is_good_number);
        case OptionKind::points:
            return first_bad_item(node, 1, most_points, is_point);
        default:
            return &node;
    }
}

/// The first that is no number in an item that is a list of as many as are expected; else null.
const TreeNode* bad_number_of_item(const Option& option, const TreeNode& item) {
    const bool is_point = option.kind == OptionKind::points;
    if (!is_point && option.kind != OptionKind::spheres) return nullptr;
    const std::size_t least = is_point ? 2 : 3;
    const TreeNode* const bad =
        first_bad_item(item, least, least + 1, [&](const TreeNode& n) { return is_number(option, n); });
    return bad == &item ? nullptr : bad;
}

/// The wrong part of a value: the value, an item of a list, or null.
const TreeNode* first_bad(const Option& option, const TreeNode& node) {
    const auto wrong_unless = [&](bool good) { return good ? nullptr : &node; };
    switch (option.kind) {
        case OptionKind::text:
            return wrong_unless(node.kind == TreeNode::Kind::scalar);
        case OptionKind::name:
            return wrong_unless(is_name_node(node));
        case OptionKind::word:
            return wrong_unless(is_word(option, node));
        case OptionKind::number:
            return wrong_unless(is_number(option, node));
        case OptionKind::integer:
            return wrong_unless(is_integer(option, node));
        case OptionKind::names:
            return wrong_unless(is_pair_of_names(node));
        case OptionKind::section:
            return wrong_unless(node.kind == TreeNode::Kind::map);
        case OptionKind::sections:
            return wrong_unless(node.kind == TreeNode::Kind::list);
        default:
            return first_bad_of_list(option, node);
    }
}

class Checker {
  public:
    Checker(TreeNode& root, Issues& issues) : root_(root), issues_(issues) {}

    /// Checks the keys of one section and takes their values. `pattern` is its path in the table, `path` the
    /// same with list positions.
    void take_section(void* owner, TreeNode& section, const std::string& pattern, const std::string& path) {
        report_repeated_keys(section, path);
        const std::vector<std::string_view> known = keys_below(pattern);
        for (const TreeNode& child : section.children)
            if (std::find(known.begin(), known.end(), child.key) == known.end())
                report_unknown_key(child, pattern, path);
        const std::vector<const Option*> rows = rows_below(pattern);
        for (const Option* row : rows) take_key(owner, section, *row, joined(path, key_of(row->path)));
        for (const Option* row : rows) check_group(section, *row, path);
    }

  private:
    /// Whether a condition "path=word|word" holds; an absent key has its default. None when the value there
    /// is in error. No condition always holds.
    std::optional<bool> holds(std::string_view text) const {
        if (text.empty()) return true;
        const Condition condition = parse_condition(text);
        const TreeNode* node = find_path(root_, condition.option->path);
        const std::string_view word = node == nullptr ? condition.option->fallback : node->text;
        if (find_word(*condition.option, word) == nullptr) return std::nullopt;
        return condition.allows(word);
    }

    static std::string joined(const std::string& path, std::string_view key) {
        return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    }

    void report(const TreeNode& node, const std::string& path, const Option& option, const std::string& got,
                const std::string& advice = "") {
        issues_.add(node.place, fmt::format("{}: {}, expected {} ({}){}", path, got, expected_value(option),
                                            option.what, advice));
    }

    void report_repeated_keys(const TreeNode& section, const std::string& path) {
        std::map<std::string_view, int> first_line;
        for (const TreeNode& child : section.children) {
            const auto [first, is_new] = first_line.emplace(child.key, child.key_place.line);
            if (is_new) continue;
            issues_.add(child.key_place, fmt::format("{}: given twice, first in line {}",
                                                     joined(path, child.key), first->second));
        }
    }

    void report_unknown_key(const TreeNode& child, const std::string& pattern, const std::string& path) {
        const std::string guess = issues_.has_too_many() ? "" : guess_at(child.key, pattern);
        issues_.add(child.key_place,
                    fmt::format("{}: unknown key{}", joined(path, describe_key(child.key)), guess));
    }

    /// Suggestions for an unknown key: a similar key, one for a word of other programs, the same key
    /// in another section, or any key here.
    static std::string guess_at(std::string_view key, const std::string& pattern) {
        const std::vector<std::string_view> siblings = keys_below(pattern);
        if (key.find(':') != std::string_view::npos) return ", expected a blank after the colon";
        if (std::all_of(key.begin(), key.end(), [](char c) { return '0' <= c && c <= '9'; }))
            return ", expected a key (numbers have no commas)";
        if (std::string guess = translated_word_in(pattern, key); !guess.empty()) return guess;
        if (std::string guess = did_you_mean(key, siblings); !guess.empty()) return guess;
        if (std::string guess = translated_word(key); !guess.empty()) return guess;
        if (const std::size_t dot = key.rfind('.'); find_option(joined(pattern, key)) != nullptr)
            return fmt::format(", expected the section {} with the key {}", key.substr(0, dot),
                               key.substr(dot + 1));
        for (const Option& row : config_table())
            if (key_of(row.path) == key && !has_common_words(row.path))
                return fmt::format(", did you mean {}?", row.path);
        return siblings.empty() ? ", expected none" : ", expected " + one_of(siblings);
    }

    /// Whether keys are words of many meanings there.
    static bool has_common_words(std::string_view path) {
        return path.starts_with("bodies[].") || path.find(".bridges.") != std::string_view::npos;
    }

    static std::string describe_key(const std::string& key) {
        return is_name(key) ? key
                            : describe(TreeNode{.kind = TreeNode::Kind::scalar, .text = key, .quoted = true});
    }

    void take_key(void* owner, TreeNode& section, const Option& row, const std::string& path) {
        const auto allowed = holds(row.only_with);
        TreeNode* node = section.find(key_of(row.path));
        if (node == nullptr && allowed == true) node = absent(section, row, path);
        if (node == nullptr) return;
        if (allowed == false) {
            node->valid = false;
            issues_.add(node->place, fmt::format("{}: only has a meaning with {}{}{}", path,
                                                 parse_condition(row.only_with).in_words(),
                                                 row.instead.empty() ? "" : "; ", row.instead));
        } else if (node->kind == TreeNode::Kind::null) {
            node->valid = false;
            const bool is_text = row.kind == OptionKind::text || row.kind == OptionKind::name;
            report(*node, path, row, "got nothing",
                   is_text ? "; a text with # in front needs quotes, else it is a comment" : "");
        } else {
            take_value(owner, *node, row, path);
        }
    }

    /// Fills in a default, or reports a missing value. Returns the new node or null.
    TreeNode* absent(TreeNode& section, const Option& row, const std::string& path) {
        const bool needed = row.is_required() || (!row.needed_with.empty() && holds(row.needed_with) == true);
        if (needed) report(section, path, row, "missing");
        if (needed || (!row.defaulted && row.fallback.empty())) return nullptr;
        TreeNode node{.kind = row.defaulted ? TreeNode::Kind::map : TreeNode::Kind::scalar,
                      .place = section.place,
                      .key = std::string(key_of(row.path)),
                      .key_place = section.place};
        if (row.fallback != "\"\"") node.text = row.fallback;
        section.children.push_back(std::move(node));
        return &section.children.back();
    }

    /// Takes a value, a section, or the section that stands in place of a value.
    void take_value(void* owner, TreeNode& node, const Option& row, const std::string& path) {
        const std::string pattern(row.path);
        if (node.kind == TreeNode::Kind::map && !is_section(row) && !rows_below(pattern).empty())
            return take_section(owner, node, pattern, path);
        if (const TreeNode* bad = first_bad(row, node)) {
            node.valid = false;
            return report_bad(node, *bad, row, path);
        }
        if (row.kind == OptionKind::sections) return take_list(owner, node, row, path);
        if (row.member.read != nullptr) row.member.read(owner, row, node);
        if (row.kind == OptionKind::section) take_section(owner, node, pattern, path);
    }

    /// Reports a bad value, or the bad item of a list, or the bad number of an item that is a list itself.
    void report_bad(const TreeNode& node, const TreeNode& bad_part, const Option& row,
                    const std::string& path) {
        const bool is_item = &bad_part != &node;
        std::string where = is_item ? fmt::format("{}.{}", path, &bad_part - node.children.data()) : path;
        std::string expected = is_item ? expected_item(row) : expected_value(row);
        const TreeNode* const inner = is_item ? bad_number_of_item(row, bad_part) : nullptr;
        if (inner != nullptr) {
            where += fmt::format(".{}", inner - bad_part.children.data());
            expected = "a number";
        }
        const TreeNode& bad = inner != nullptr ? *inner : bad_part;
        const bool is_number = inner != nullptr || row.kind == OptionKind::number ||
                               row.kind == OptionKind::numbers || row.kind == OptionKind::two_numbers;
        const double value = is_number ? parse_number(bad.text).value_or(0) : 0;
        if (row.range.contains(value) && !has_good_magnitude(value))
            expected = (row.range.contains(0) ? "0 or " : "") + std::string(magnitude_in_words);
        if (is_number && row.words.empty() && !bad.quoted && is_not_finite(bad.text) &&
            expected.starts_with("a number"))
            expected.replace(0, 8, "a finite number");
        const bool may_be_word = !row.words.empty() && bad.kind == TreeNode::Kind::scalar;
        std::string guess = may_be_word ? did_you_mean(bad.text, texts_of(row.words)) : "";
        const bool lacks_brackets = row.kind == OptionKind::subset && !is_item;
        if (lacks_brackets && guess == fmt::format(", did you mean {}?", bad.text))
            guess = fmt::format(", did you mean [{}]?", bad.text);
        if (may_be_word && guess.empty())
            guess = translated_word_in(fmt::format("{}{}", row.path, is_item ? "[]" : ""), bad.text);
        issues_.add(bad.place, fmt::format("{}: got {}, expected {} ({}){}", where, describe(bad), expected,
                                           row.what, guess));
    }

    void take_list(void* owner, TreeNode& list, const Option& row, const std::string& path) {
        if (list.children.empty() || list.children.size() > most_items(row)) {
            list.valid = false;
            issues_.add(list.place, fmt::format("{}: got {} entries, expected 1 to {} ({})", path,
                                                list.children.size(), most_items(row), row.what));
            return;
        }
        const std::vector<void*> items = row.member.resize(owner, list.children.size());
        for (std::size_t k = 0; k < list.children.size(); ++k) {
            TreeNode& item = list.children[k];
            const std::string item_path = fmt::format("{}.{}", path, k);
            item.valid = item.kind == TreeNode::Kind::map;
            if (item.valid)
                take_section(items[k], item, std::string(row.path) + "[]", item_path);
            else
                issues_.add(item.place,
                            fmt::format("{}: got {}, expected a section", item_path, describe(item)));
        }
    }

    /// Exactly one key of a group must be given: checked at the first key of the group.
    void check_group(const TreeNode& section, const Option& row, const std::string& path) {
        if (row.group.empty() || holds(row.only_with) != true) return;
        const std::vector<std::string_view> all = keys_of_group(row.group);
        if (key_of(row.path) != all.front()) return;
        std::vector<const TreeNode*> given;
        for (const std::string_view key : all)
            for (const TreeNode& child : section.children)
                if (child.key == key) given.push_back(&child);
        if (given.empty())
            issues_.add(section.place, fmt::format("{}: missing, expected {}", path, one_of(all)));
        for (std::size_t k = 1; k < given.size(); ++k)
            if (given[k]->key != given[0]->key)
                issues_.add(given[k]->key_place,
                            fmt::format("{}: got {} too, expected only {}", joined(path, given[k]->key),
                                        given[0]->key, one_of(all)));
    }

    TreeNode& root_;
    Issues& issues_;
};

}  // namespace

bool has_good_magnitude(double value) {
    const double magnitude = std::abs(value);
    return magnitude == 0 || (magnitude >= smallest_magnitude && magnitude <= largest_magnitude);
}

std::size_t most_items(const Option& list) {
    return std::isfinite(list.range.maximum) ? static_cast<std::size_t>(list.range.maximum) : max_list_items;
}

std::optional<double> parse_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || last != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

bool is_not_finite(std::string_view text) {
    std::string word(text.substr(std::min(text.find_first_not_of("+-."), text.size())));
    std::transform(word.begin(), word.end(), word.begin(), [](char c) { return static_cast<char>(c | 32); });
    return word == "nan" || word == "inf" || word == "infinity";
}

std::optional<std::uint64_t> parse_integer(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && last == end) return value;
    const auto number = parse_number(text);
    if (!number || *number < 0 || *number > 0x1p53 || *number != std::floor(*number)) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
    std::string_view best;
    std::size_t least = std::min(std::max<std::size_t>(1, word.size() / 3) + 1, word.size());
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    return best.empty() ? "" : fmt::format(", did you mean {}?", best);
}

void take_tree(TreeNode& root, Config& config, Issues& issues) {
    if (root.kind == TreeNode::Kind::map) return Checker(root, issues).take_section(&config, root, "", "");
    issues.add(root.place, fmt::format("got {}, expected a section with {}", describe(root),
                                       fmt::join(keys_below(""), ", ")));
}

}  // namespace ricochet::detail
