// SPDX-License-Identifier: BSD-3-Clause
//
// Connects a row of the table of keys with its member. at<&Config::run, &RunOptions::timestep> leads from the
// Config to the value. For a key of a list's items the chain starts at the item: at<&Species::mass>.
//
// The type at the end of the chain decides how the value is checked, read and written:
//     std::string               a text
//     an enumeration            one of its words (words_of)
//     double                    a number
//     std::uint64_t             an integer
//     Vec3                      a list of as many numbers as the box has dimensions
//     std::optional of these    the same or nothing
//     std::vector               a list of sections
//     std::optional of a struct a section that may be absent; {} where none of its keys is written
// A chain may lead through an optional section. Its keys are read after the section, and not written without
// it. Owners are passed as void*. A static_assert beside the table checks that each chain starts at the right
// owner.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "config/config_check.hpp"
#include "config/config_table.hpp"
#include "core/text.hpp"

namespace ricochet::detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// Names a type, so that constant expressions can compare types: under sanitizers they cannot compare addresses.
template <class T>
constexpr std::string_view type_name() {
    return __PRETTY_FUNCTION__;
}

template <class Owner, class Value>
Owner owner_of(Value Owner::*);

/// The value behind an optional, null when there is none; other values as they are.
template <class Value>
auto* contents(Value* value) {
    if constexpr (is_optional<std::remove_const_t<Value>>)
        return value->has_value() ? &**value : nullptr;
    else
        return value;
}

/// The value at the end of the chain from an owner; null behind an empty optional.
template <auto First, auto... Rest, class Owner>
auto* end_of_chain(Owner* owner) {
    if constexpr (sizeof...(Rest) == 0) {
        return &(owner->*First);
    } else {
        auto* const next = contents(&(owner->*First));
        return next == nullptr ? nullptr : end_of_chain<Rest...>(next);
    }
}

template <class Value>
constexpr OptionKind kind_of() {
    if constexpr (is_optional<Value>) return kind_of<typename Value::value_type>();
    if constexpr (std::is_same_v<Value, std::string>) return OptionKind::text;
    if constexpr (std::is_same_v<Value, double>) return OptionKind::number;
    if constexpr (std::is_same_v<Value, std::uint64_t>) return OptionKind::integer;
    if constexpr (std::is_same_v<Value, Vec3>) return OptionKind::numbers;
    if constexpr (std::is_enum_v<Value>) return OptionKind::word;
    return is_list<Value> ? OptionKind::sections : OptionKind::section;
}

template <class Enum>
inline constexpr auto static_words = words_of(Enum{});

template <class Value>
constexpr std::span<const Word> words_of_type() {
    if constexpr (std::is_enum_v<Value>) return static_words<Value>;
    return {};
}

/// Takes the value of a checked node.
template <class Value>
void read_value(Value& value, const Option& row, const TreeNode& node) {
    if constexpr (is_optional<Value>) {
        // A word in place of the value, such as `last`, stands for none.
        if (row.kind != OptionKind::section && find_word(row, node.text) != nullptr) return value.reset();
        read_value(value.emplace(), row, node);
    } else if constexpr (std::is_same_v<Value, std::string>) {
        value = node.text;
    } else if constexpr (std::is_same_v<Value, double>) {
        value = *parse_number(node.text);
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
        value = *parse_integer(node.text);
    } else if constexpr (std::is_same_v<Value, Vec3>) {
        for (std::size_t axis = 0; axis < node.children.size(); ++axis)
            value[static_cast<int>(axis)] = *parse_number(node.children[axis].text);
    } else if constexpr (std::is_enum_v<Value>) {
        value = static_cast<Value>(find_word(row, node.text)->value);
    }
}

/// As [x, y, z], in a flat box as [x, y].
std::string vector_text(const Box& box, Vec3 vector);

/// A double-quoted scalar.
std::string in_quotes(std::string_view text);

/// A value as YAML; none for what the input need not say.
template <class Value>
std::optional<std::string> value_text(const Value& value, const Option& row) {
    if constexpr (is_optional<Value>) {
        if (value) return value_text(*value, row);
        if (!row.words.empty()) return std::string(row.words.front().word);
    } else if constexpr (std::is_same_v<Value, std::string>) {
        return in_quotes(value);
    } else if constexpr (std::is_same_v<Value, double>) {
        // A number that the input may leave out is then 0, outside its range.
        if (row.range.contains(value)) return exact_text(value);
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
        return std::to_string(value);
    } else if constexpr (std::is_enum_v<Value>) {
        return std::string(to_word(value));
    } else if constexpr (kind_of<Value>() == OptionKind::section) {
        return "{}";
    }
    return std::nullopt;
}

template <class Pointer, class List>
std::vector<Pointer> items_of(List& list) {
    std::vector<Pointer> items;
    items.reserve(list.size());
    for (auto& item : list) items.push_back(&item);
    return items;
}

template <auto... Chain>
constexpr Member member_at() {
    constexpr auto first = std::get<0>(std::tuple{Chain...});
    using Owner = decltype(owner_of(first));
    using Value = std::remove_pointer_t<decltype(end_of_chain<Chain...>(std::declval<Owner*>()))>;
    Member member{.owner = type_name<Owner>(), .kind = kind_of<Value>(), .words = words_of_type<Value>()};
    if constexpr (is_list<Value>) {
        member.item = type_name<typename Value::value_type>();
        member.items = [](const void* owner) {
            return items_of<const void*>(*end_of_chain<Chain...>(static_cast<const Owner*>(owner)));
        };
        member.resize = [](void* owner, std::size_t size) {
            auto& list = *end_of_chain<Chain...>(static_cast<Owner*>(owner));
            list.resize(size);
            return items_of<void*>(list);
        };
    } else {
        member.read = [](void* owner, const Option& row, const TreeNode& node) {
            if (auto* value = end_of_chain<Chain...>(static_cast<Owner*>(owner)))
                read_value(*value, row, node);
        };
        member.write = [](const void* owner, const Option& row,
                          const Config& config) -> std::optional<std::string> {
            const auto* value = end_of_chain<Chain...>(static_cast<const Owner*>(owner));
            if (value == nullptr) return std::nullopt;
            if constexpr (std::is_same_v<Value, Vec3>)
                return vector_text(config.box, *value);
            else if constexpr (std::is_same_v<Value, std::optional<Vec3>>)
                return *value ? std::optional(vector_text(config.box, **value)) : std::nullopt;
            else
                return value_text(*value, row);
        };
    }
    return member;
}

template <auto... Chain>
inline constexpr Member at = member_at<Chain...>();

/// Edge lengths, whose number is the dimension; a word for each axis or one for all.
void read_box_size(void* config, const Option& row, const TreeNode& node);
std::optional<std::string> box_size_text(const void* owner, const Option& row, const Config& config);
void read_boundary(void* config, const Option& row, const TreeNode& node);
std::optional<std::string> boundary_text(const void* owner, const Option& row, const Config& config);
inline constexpr Member box_size{
    .owner = type_name<Config>(), .kind = OptionKind::numbers, .read = read_box_size, .write = box_size_text};
inline constexpr Member box_boundary{.owner = type_name<Config>(),
                                     .kind = OptionKind::words,
                                     .words = static_words<Boundary>,
                                     .read = read_boundary,
                                     .write = boundary_text};

/// Pairs of species by name. config_rules.cpp reads the names, which may be in error.
std::optional<std::string> names_text(const void* pair, const Option& row, const Config& config);
std::optional<std::string> products_text(const void* pair, const Option& row, const Config& config);
void read_collisions(void* config, const Option& row, const TreeNode& node);
std::optional<std::string> collisions_text(const void* owner, const Option& row, const Config& config);
inline constexpr Member pair_of_species{
    .owner = type_name<PairRule>(), .kind = OptionKind::names, .write = names_text};
inline constexpr Member products_of_pair{
    .owner = type_name<PairRule>(), .kind = OptionKind::products, .write = products_text};
std::optional<std::string> decaying_text(const void* decay, const Option& row, const Config& config);
std::optional<std::string> products_of_decay_text(const void* decay, const Option& row, const Config& config);
inline constexpr Member decaying_species{
    .owner = type_name<DecayRule>(), .kind = OptionKind::name, .write = decaying_text};
inline constexpr Member products_of_decay{
    .owner = type_name<DecayRule>(), .kind = OptionKind::products, .write = products_of_decay_text};
inline constexpr Member collision_choice{.owner = type_name<Config>(),
                                         .kind = OptionKind::collisions,
                                         .words = static_words<CollisionChoice>,
                                         .read = read_collisions,
                                         .write = collisions_text};

/// One number for both partners of a rule, or one for each.
void read_valence(void* rule, const Option& row, const TreeNode& node);
std::optional<std::string> valence_text(const void* rule, const Option& row, const Config& config);
inline constexpr Member valence_of_pair{.owner = type_name<PairRule>(),
                                        .kind = OptionKind::integers,
                                        .read = read_valence,
                                        .write = valence_text};

/// The axes along which a species moves, kept as those along which it does not.
void read_moves(void* species, const Option& row, const TreeNode& node);
std::optional<std::string> moves_text(const void* species, const Option& row, const Config& config);
inline constexpr Member axes_of_motion{.owner = type_name<Species>(),
                                       .kind = OptionKind::subset,
                                       .words = static_words<Axis>,
                                       .read = read_moves,
                                       .write = moves_text};

/// The radius of spheres; shapes have theirs from their corners.
std::optional<std::string> radius_text(const void* species, const Option& row, const Config& config);
constexpr Member radius_member() {
    Member member = at<&Species::radius>;
    member.write = radius_text;
    return member;
}
inline constexpr Member radius_of_spheres = radius_member();

/// Edge of the base and height.
void read_pyramid(void* species, const Option& row, const TreeNode& node);
void read_triangle(void* species, const Option& row, const TreeNode& node);
std::optional<std::string> pyramid_text(const void* species, const Option& row, const Config& config);
std::optional<std::string> triangle_text(const void* species, const Option& row, const Config& config);
inline constexpr Member pyramid_of_species{.owner = type_name<Species>(),
                                           .kind = OptionKind::two_numbers,
                                           .read = read_pyramid,
                                           .write = pyramid_text};
inline constexpr Member triangle_of_species{.owner = type_name<Species>(),
                                            .kind = OptionKind::two_numbers,
                                            .read = read_triangle,
                                            .write = triangle_text};
void read_points(void* species, const Option& row, const TreeNode& node);
std::optional<std::string> points_text(const void* species, const Option& row, const Config& config);
inline constexpr Member points_of_species{
    .owner = type_name<Species>(), .kind = OptionKind::points, .read = read_points, .write = points_text};

/// Some walls, in ascending order.
void read_faces(void* rule, const Option& row, const TreeNode& node);
std::optional<std::string> faces_text(const void* rule, const Option& row, const Config& config);
inline constexpr Member faces_of_walls{.owner = type_name<PairRule>(),
                                       .kind = OptionKind::choices,
                                       .words = static_words<WallFace>,
                                       .read = read_faces,
                                       .write = faces_text};

/// The spheres of a body: a list or a file. The file may also be a key of a section in their place.
void read_spheres(void* body, const Option& row, const TreeNode& node);
std::optional<std::string> spheres_text(const void* body, const Option& row, const Config& config);
void read_sphere_file(void* body, const Option& row, const TreeNode& node);
std::optional<std::string> sphere_file_text(const void* body, const Option& row, const Config& config);
inline constexpr Member spheres_of_body{.owner = type_name<BodyOptions>(),
                                        .kind = OptionKind::spheres,
                                        .read = read_spheres,
                                        .write = spheres_text};
inline constexpr Member sphere_file{.owner = type_name<BodyOptions>(),
                                    .kind = OptionKind::text,
                                    .read = read_sphere_file,
                                    .write = sphere_file_text};

}  // namespace ricochet::detail
