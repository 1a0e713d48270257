// SPDX-License-Identifier: BSD-3-Clause
#include "config/config_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "ricochet/core/error.hpp"

namespace ricochet::detail {

namespace {

constexpr std::size_t max_lines = 50;
constexpr std::size_t max_described = 40;

/// Ends the parse at a feature of YAML that inputs do not allow.
struct Refused {
    YAML::Mark mark;
    std::string message;
};

/// An empty mark, of an error without a place, counts as the start of the text.
Place place_of(const YAML::Mark& mark, std::size_t source) {
    return {source, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

class TreeBuilder : public YAML::EventHandler {
  public:
    TreeBuilder(const std::string& text, TreeNode& root, std::size_t source)
        : text_(text), root_(root), source_(source) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnAnchor(const YAML::Mark&, const std::string&) override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { place_node(mark, TreeNode::Kind::null); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        throw Refused{mark, "got an alias (*name), expected the value itself"};
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        if (lacks_end_quote(mark)) throw Refused{mark, "malformed YAML: a quote without its end"};
        if (wants_key()) return take_key(mark, value);
        TreeNode& node = place_node(mark, TreeNode::Kind::scalar);
        node.text = value;
        node.quoted = tag == "!";
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open_.push_back({&place_node(mark, TreeNode::Kind::list), false});
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open_.push_back({&place_node(mark, TreeNode::Kind::map), true});
    }
    void OnSequenceEnd() override { open_.pop_back(); }
    void OnMapEnd() override { open_.pop_back(); }

  private:
    struct Open {
        TreeNode* node;  ///< stable: a container gets no sibling before it is closed
        bool wants_key;  ///< the next event in this map is a key
    };

    /// The parser would read the rest of the input as such a text.
    bool lacks_end_quote(const YAML::Mark& mark) const {
        const auto start = static_cast<std::size_t>(std::max(mark.pos, 0));
        if (start >= text_.size() || (text_[start] != '"' && text_[start] != '\'')) return false;
        return text_.find(text_[start], start + 1) == std::string::npos;
    }
    bool wants_key() const { return !open_.empty() && open_.back().wants_key; }
    Place at(const YAML::Mark& mark) const { return place_of(mark, source_); }
    void take_key(const YAML::Mark& mark, const std::string& key) {
        open_.back().node->children.push_back(TreeNode{.place = at(mark), .key = key, .key_place = at(mark)});
        open_.back().wants_key = false;
    }
    TreeNode& place_node(const YAML::Mark& mark, TreeNode::Kind kind) {
        if (wants_key()) throw Refused{mark, "got a key that is not a word"};
        TreeNode node{.kind = kind, .place = at(mark)};
        if (open_.empty()) return root_ = std::move(node);
        Open& parent = open_.back();
        if (parent.node->kind == TreeNode::Kind::list) {
            parent.node->children.push_back(std::move(node));
            return parent.node->children.back();
        }
        parent.wants_key = true;
        // The parser gives an absent value the place of what comes next; the place of its key is better.
        if (kind == TreeNode::Kind::null) node.place = parent.node->children.back().key_place;
        parent.node->children.back().assign(std::move(node));
        return parent.node->children.back();
    }

    const std::string& text_;
    TreeNode& root_;
    std::size_t source_;
    std::vector<Open> open_;
};

void parse_events(const std::string& text, std::size_t source, TreeNode& root, Issues& issues) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(text, root, source);
    if (!parser.HandleNextDocument(builder)) return;
    TreeNode second;
    TreeBuilder after(text, second, source);
    if (parser.HandleNextDocument(after) && second.kind != TreeNode::Kind::null)
        issues.add(second.place, "got a second document, expected one");
}

// Overrides change the tree before its check, so that they obey the same rules as the input.

/// One override in progress: its place in the tree, and how to report its errors.
struct Override {
    std::string_view path;  ///< the whole key
    Place place;
    Issues& issues;

    /// The part of the path that ends at `key`, for messages.
    std::string up_to(std::string_view key) const {
        return std::string(path.substr(0, static_cast<std::size_t>(key.data() + key.size() - path.data())));
    }
};

/// Keys with single dots between them.
bool has_only_keys(std::string_view path) {
    return !path.empty() && path.front() != '.' && path.back() != '.' &&
           path.find("..") == std::string_view::npos;
}

/// The child of `node` under `key`, created when it is missing; null (and an issue) when none is possible.
TreeNode* step_into(TreeNode& node, std::string_view key, const Override& change) {
    if (TreeNode* child = node.find(key)) return child;
    if (node.kind == TreeNode::Kind::list) {
        change.issues.add(change.place, fmt::format("{}: expected a position from 0 to {}", change.up_to(key),
                                                    static_cast<std::int64_t>(node.children.size()) - 1));
        return nullptr;
    }
    if (node.kind == TreeNode::Kind::scalar) {
        change.issues.add(change.place, fmt::format("{}: is under {}, expected a section there",
                                                    change.up_to(key), describe(node)));
        return nullptr;
    }
    if (node.kind == TreeNode::Kind::null)
        node.assign(TreeNode{.kind = TreeNode::Kind::map, .place = change.place});
    node.children.push_back(
        TreeNode{.place = change.place, .key = std::string(key), .key_place = change.place});
    return &node.children.back();
}

void remove_key(TreeNode& node, std::string_view key, const Override& change) {
    const bool removed =
        std::erase_if(node.children, [&](const TreeNode& child) { return child.key == key; }) > 0;
    if (!removed) change.issues.add(change.place, fmt::format("{}: there is none to remove", change.path));
}

void apply_override(TreeNode& root, std::string_view text, const Override& change) {
    TreeNode value = parse_yaml(std::string(text), change.place.source, change.issues);
    TreeNode* node = &root;
    const std::vector<std::string_view> keys = split(change.path, '.');
    for (const std::string_view& key : keys) {
        const bool is_last = &key == &keys.back();
        if (is_last && value.kind == TreeNode::Kind::null && node->kind == TreeNode::Kind::map)
            return remove_key(*node, key, change);
        node = step_into(*node, key, change);
        if (node == nullptr) return;
    }
    node->assign(std::move(value));
    node->key_place = change.place;
}

}  // namespace

TreeNode* TreeNode::find(std::string_view name) {
    if (kind == Kind::list) {
        const auto position = list_position(name);
        return position && *position < children.size() ? &children[*position] : nullptr;
    }
    const auto child = std::find_if(children.begin(), children.end(),
                                    [&](const TreeNode& node) { return node.key == name; });
    return child == children.end() ? nullptr : &*child;
}

const TreeNode* TreeNode::find(std::string_view name) const {
    return const_cast<TreeNode*>(this)->find(name);
}

void TreeNode::assign(TreeNode value) {
    value.key = std::move(key);
    value.key_place = key_place;
    *this = std::move(value);
}

Issues::Issues(std::string name, std::span<const std::string> overrides)
    : name_(std::move(name)), overrides_(overrides.begin(), overrides.end()) {}

void Issues::add(Place place, std::string message) { issues_.push_back({place, std::move(message)}); }

bool Issues::has_too_many() const { return issues_.size() > max_lines; }

std::string Issues::where(const Place& place) const {
    if (place.source > 0) return fmt::format("--set {}", overrides_[place.source - 1]);
    return fmt::format("{}:{}:{}", name_, place.line, place.column);
}

void Issues::throw_if_any() const {
    if (issues_.empty()) return;
    auto sorted = issues_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Issue& a, const Issue& b) { return a.place < b.place; });
    std::string text;
    for (std::size_t k = 0; k < std::min(sorted.size(), max_lines); ++k)
        text += fmt::format("{}{}: {}", k == 0 ? "" : "\n", where(sorted[k].place), sorted[k].message);
    if (sorted.size() > max_lines)
        text += fmt::format("\n{}: and {} more errors", name_, sorted.size() - max_lines);
    throw InputError(text);
}

namespace {

/// Lines count from 0; one beyond the end is empty.
std::string_view line_of(std::string_view text, int number) {
    for (; number > 0 && !text.empty(); --number)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

/// What YAML's own words do not say.
std::string advice_on(const YAML::Exception& error, std::string_view line) {
    const std::string_view indent = line.substr(0, line.find_first_not_of(" \t"));
    if (error.msg == YAML::ErrorMsg::TAB_IN_INDENTATION) return "";
    if (indent.find('\t') != std::string_view::npos) return "; the line begins with a tab, YAML wants blanks";
    if (error.msg == YAML::ErrorMsg::MAP_VALUE) return "; a text with a colon needs quotes";
    if (error.msg == YAML::ErrorMsg::FLOW_END || error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW ||
        error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW)
        return "; is a bracket missing, or a blank after a colon?";
    return "";
}

}  // namespace

TreeNode parse_yaml(const std::string& text, std::size_t source, Issues& issues) {
    TreeNode root;
    root.place.source = source;
    if (text.find('\0') != std::string::npos) {
        issues.add(root.place, "got a binary file, expected YAML text");
        return root;
    }
    try {
        parse_events(text, source, root, issues);
    } catch (const YAML::Exception& error) {
        issues.add(place_of(error.mark, source),
                   "malformed YAML: " + error.msg + advice_on(error, line_of(text, error.mark.line)));
    } catch (const Refused& refused) {
        issues.add(place_of(refused.mark, source), refused.message);
    }
    return root;
}

const TreeNode* find_path(const TreeNode& root, std::string_view path) {
    const TreeNode* node = &root;
    for (const std::string_view key : split(path, '.'))
        if (node != nullptr) node = node->find(key);
    return node;
}

std::string describe(const TreeNode& node) {
    switch (node.kind) {
        case TreeNode::Kind::null:
            return "nothing";
        case TreeNode::Kind::list:
            return node.children.empty() ? "an empty list"
                                         : fmt::format("a list of {}", node.children.size());
        case TreeNode::Kind::map:
            return "a section";
        case TreeNode::Kind::scalar:
            break;
    }
    std::size_t size = std::min(node.text.size(), max_described);
    while (size < node.text.size() && size > 0 && (node.text[size] & 0xc0) == 0x80)
        --size;  // whole characters
    std::string shown;
    for (const char c : node.text.substr(0, size))
        shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    if (size < node.text.size()) shown += "...";
    return node.quoted || node.text.empty() ? '"' + shown + '"' : shown;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        parts.push_back(text.substr(0, text.find(mark)));
        text.remove_prefix(std::min(parts.back().size() + 1, text.size()));
    }
    return parts;
}

std::optional<std::size_t> list_position(std::string_view key) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), value);
    if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
    return value;
}

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
        apply_override(root, whole.substr(equals + 1), Override{path, place, issues});
    }
}

}  // namespace ricochet::detail
