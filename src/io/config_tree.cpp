// SPDX-License-Identifier: BSD-3-Clause
#include "io/config_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <tuple>
#include <utility>

#include "ricochet/core/error.hpp"

namespace ricochet::detail {

namespace {

constexpr std::size_t max_lines = 50;
constexpr std::size_t max_described = 40;

/// Ends the parse at something that YAML allows and inputs do not.
struct Refused {
    YAML::Mark mark;
    std::string message;
};

class TreeBuilder : public YAML::EventHandler {
  public:
    TreeBuilder(const std::string& text, Node& root, std::size_t source)
        : text_(text), root_(root), source_(source) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnAnchor(const YAML::Mark&, const std::string&) override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { place_node(mark, Node::Kind::null); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        throw Refused{mark, "got an alias (*name), expected the value itself"};
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        if (lacks_end_quote(mark)) throw Refused{mark, "malformed YAML: a quote without its end"};
        if (wants_key()) return take_key(mark, value);
        Node& node = place_node(mark, Node::Kind::scalar);
        node.text = value;
        node.quoted = tag == "!";
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open_.push_back({&place_node(mark, Node::Kind::list), false});
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open_.push_back({&place_node(mark, Node::Kind::map), true});
    }
    void OnSequenceEnd() override { open_.pop_back(); }
    void OnMapEnd() override { open_.pop_back(); }

  private:
    struct Open {
        Node* node;      ///< stable: a container gets no sibling before it is closed
        bool wants_key;  ///< the next event in this map is a key
    };

    /// The parser takes the rest of the input for such a text.
    bool lacks_end_quote(const YAML::Mark& mark) const {
        const auto start = static_cast<std::size_t>(std::max(mark.pos, 0));
        if (start >= text_.size() || (text_[start] != '"' && text_[start] != '\'')) return false;
        return text_.find(text_[start], start + 1) == std::string::npos;
    }
    bool wants_key() const { return !open_.empty() && open_.back().wants_key; }
    Place at(const YAML::Mark& mark) const {
        return {source_, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
    }
    void take_key(const YAML::Mark& mark, const std::string& key) {
        open_.back().node->entries.push_back({key, at(mark), Node{.place = at(mark)}});
        open_.back().wants_key = false;
    }
    Node& place_node(const YAML::Mark& mark, Node::Kind kind) {
        if (wants_key()) throw Refused{mark, "got a key that is not a word"};
        Node node{.kind = kind, .place = at(mark)};
        if (open_.empty()) return root_ = std::move(node);
        Open& parent = open_.back();
        if (parent.node->kind == Node::Kind::list) {
            parent.node->items.push_back(std::move(node));
            return parent.node->items.back();
        }
        parent.wants_key = true;
        // The parser places an absent value at whatever comes next; its key is the better place.
        if (kind == Node::Kind::null) node.place = parent.node->entries.back().place;
        return parent.node->entries.back().value = std::move(node);
    }

    const std::string& text_;
    Node& root_;
    std::size_t source_;
    std::vector<Open> open_;
};

Place place_of(const YAML::Mark& mark, std::size_t source) {
    if (mark.is_null()) return {source, 1, 1};
    return {source, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

void parse_events(const std::string& text, std::size_t source, Node& root, Issues& issues) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(text, root, source);
    if (!parser.HandleNextDocument(builder)) return;
    Node second;
    TreeBuilder after(text, second, source);
    if (parser.HandleNextDocument(after) && second.kind != Node::Kind::null)
        issues.add(second.place, "got a second document, expected one");
}

}  // namespace

Node* Node::find(std::string_view key) {
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
    return entry == entries.end() ? nullptr : &entry->value;
}

const Node* Node::find(std::string_view key) const { return const_cast<Node*>(this)->find(key); }

Issues::Issues(std::string name, std::span<const std::string> overrides)
    : name_(std::move(name)), overrides_(overrides.begin(), overrides.end()) {}

void Issues::add(Place place, std::string message) { issues_.push_back({place, std::move(message)}); }

bool Issues::beyond_shown() const { return issues_.size() > max_lines; }

std::string Issues::line(const Issue& issue) const {
    if (issue.place.source > 0)
        return fmt::format("--set {}: {}", overrides_[issue.place.source - 1], issue.message);
    return fmt::format("{}:{}:{}: {}", name_, issue.place.line, issue.place.column, issue.message);
}

void Issues::throw_if_any() const {
    if (issues_.empty()) return;
    auto sorted = issues_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Issue& a, const Issue& b) {
        return std::tie(a.place.source, a.place.line, a.place.column) <
               std::tie(b.place.source, b.place.line, b.place.column);
    });
    std::string text;
    for (std::size_t k = 0; k < std::min(sorted.size(), max_lines); ++k)
        text += fmt::format("{}{}", k == 0 ? "" : "\n", line(sorted[k]));
    if (sorted.size() > max_lines)
        text += fmt::format("\n{}: and {} more errors", name_, sorted.size() - max_lines);
    throw InputError(text);
}

Node parse_yaml(const std::string& text, std::size_t source, Issues& issues) {
    Node root;
    root.place.source = source;
    if (text.find('\0') != std::string::npos) {
        issues.add(root.place, "got a binary file, expected YAML text");
        return root;
    }
    try {
        parse_events(text, source, root, issues);
    } catch (const YAML::Exception& error) {
        issues.add(place_of(error.mark, source), "malformed YAML: " + error.msg);
    } catch (const Refused& refused) {
        issues.add(place_of(refused.mark, source), refused.message);
    }
    return root;
}

const Node* find_path(const Node& root, std::string_view path) {
    const Node* node = &root;
    while (node != nullptr && !path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const std::string_view key = path.substr(0, dot);
        path.remove_prefix(std::min(dot + 1, path.size()));
        if (node->kind == Node::Kind::list) {
            const auto position = list_position(key);
            node = position && *position < node->items.size() ? &node->items[*position] : nullptr;
        } else {
            node = node->find(key);
        }
    }
    return node;
}

std::string describe(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return "nothing";
        case Node::Kind::list:
            return node.items.empty() ? "an empty list" : "a list";
        case Node::Kind::map:
            return "a section";
        case Node::Kind::scalar:
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

std::optional<std::size_t> list_position(std::string_view key) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), value);
    if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
    return value;
}

}  // namespace ricochet::detail
