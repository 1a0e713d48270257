// SPDX-License-Identifier: BSD-3-Clause
//
// A YAML document as a plain tree with the place of every node. The nodes of yaml-cpp would do, except that
// they drop repeated keys silently, and that overrides need places of their own. So the tree is built from
// the events of the parser.
//
// Disadvantage: aliases would have to be expanded here. Inputs need none, and a few lines of them can stand
// for more nodes than fit into memory. So they are refused.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet::detail {

/// The place of a node: in the input (source 0, line and column from 1) or in override number source - 1.
struct Place {
    std::size_t source = 0;
    int line = 1, column = 1;

    friend auto operator<=>(const Place&, const Place&) = default;
};

struct TreeNode {
    enum class Kind : std::uint8_t { null, scalar, list, map };
    Kind kind = Kind::null;
    Place place{};
    std::string text{};                ///< of a scalar
    bool quoted = false;               ///< a quoted scalar is a text, never a number
    bool valid = true;                 ///< cleared by the check against the table
    std::string key{};                 ///< of a value in a map
    Place key_place{};                 ///< of a value in a map
    std::vector<TreeNode> children{};  ///< items of a list; values of a map in order, repeated keys included

    /// The first value with this key in a map, or the item at this position of a list; null without one.
    TreeNode* find(std::string_view name);
    const TreeNode* find(std::string_view name) const;
    /// Takes over a value and keeps the key.
    void assign(TreeNode value);
};

/// The errors of a whole input.
class Issues {
  public:
    /// `name` stands for the input in messages; the overrides are quoted as given.
    Issues(std::string name, std::span<const std::string> overrides);

    /// One error, e.g. at(..., "run.timestep: got -0.1, expected a number > 0").
    void add(Place place, std::string message);
    std::size_t size() const { return issues_.size(); }
    /// Whether further errors are only counted, because there are too many.
    bool has_too_many() const;
    /// Throws InputError with one line per error, in the order of their places, when there are any. Beyond 50
    /// errors the rest is only counted.
    void throw_if_any() const;
    /// A place as messages name it: "input.yaml:3:12", or the override.
    std::string where(const Place& place) const;

  private:
    struct Issue {
        Place place;
        std::string message;
    };

    std::string name_;
    std::vector<std::string> overrides_;
    std::vector<Issue> issues_;
};

/// The tree of a YAML text; its root is a null node for an empty text. Malformed YAML, a second document,
/// aliases and keys that are not words become issues; the tree is then what was read up to there.
TreeNode parse_yaml(const std::string& text, std::size_t source, Issues& issues);

/// Applies "key=value" overrides in order. A path has dots between keys, and list positions from 0
/// (species.0.count). Missing sections on the path are created; an empty value removes the key.
void apply_overrides(TreeNode& root, std::span<const std::string> overrides, Issues& issues);

/// The node at a path such as "species.0.count"; null when there is none.
const TreeNode* find_path(const TreeNode& root, std::string_view path);

/// A short form of a node for messages: its text, cut at 40 characters, or "a list", "a section", "nothing".
std::string describe(const TreeNode& node);

/// The parts of a text between marks: the keys of a path, the words of a condition.
std::vector<std::string_view> split(std::string_view text, char mark);

/// The list position that a key stands for, e.g. "12"; none when it is not a plain number.
std::optional<std::size_t> list_position(std::string_view key);

}  // namespace ricochet::detail
