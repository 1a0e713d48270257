// SPDX-License-Identifier: BSD-3-Clause
#include "config/config_member.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ricochet::detail {

namespace {

std::string in_brackets(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

/// Species as [a, b], by name.
std::string names_of(const Config& config, const std::vector<SpeciesIndex>& species) {
    std::vector<std::string> names;
    names.reserve(species.size());
    for (const SpeciesIndex s : species)
        names.push_back(s == wall_species ? "wall" : in_quotes(config.species[s].name));
    return in_brackets(names);
}

/// A vector as [x, y, z], or as [x, y] for a flat box.
template <class TextOfAxis>
std::string axes_text(const Box& box, TextOfAxis text_of_axis) {
    std::vector<std::string> texts;
    texts.reserve(3);
    for (int axis = 0; axis < box.dimension; ++axis) texts.emplace_back(text_of_axis(axis));
    return in_brackets(texts);
}

BaseAndHeight base_and_height(const TreeNode& node) {
    return {*parse_number(node.children[0].text), *parse_number(node.children[1].text)};
}

std::optional<std::string> text_of_two(const std::optional<BaseAndHeight>& of) {
    if (!of) return std::nullopt;
    return in_brackets({exact_text(of->base), exact_text(of->height)});
}

}  // namespace

std::string in_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (byte < 0x20 || byte == 0x7f)
            quoted += fmt::format("\\x{:02x}", byte);
        else
            quoted += c;
    }
    return quoted + '"';
}

void read_box_size(void* config, const Option& /*row*/, const TreeNode& node) {
    Box& box = static_cast<Config*>(config)->box;
    box.dimension = static_cast<int>(node.children.size());
    box.size = {};
    for (int axis = 0; axis < box.dimension; ++axis)
        box.size[axis] = *parse_number(node.children[static_cast<std::size_t>(axis)].text);
}

std::string vector_text(const Box& box, Vec3 vector) {
    return axes_text(box, [&](int axis) { return exact_text(vector[axis]); });
}

std::optional<std::string> box_size_text(const void* /*owner*/, const Option& /*row*/, const Config& config) {
    return vector_text(config.box, config.box.size);
}

void read_boundary(void* config, const Option& row, const TreeNode& node) {
    Box& box = static_cast<Config*>(config)->box;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(box.dimension); ++axis) {
        if (node.kind == TreeNode::Kind::list && axis >= node.children.size()) continue;
        const TreeNode& word = node.kind == TreeNode::Kind::list ? node.children[axis] : node;
        read_value(box.boundary[axis], row, word);
    }
}

std::optional<std::string> boundary_text(const void* /*owner*/, const Option& /*row*/, const Config& config) {
    return axes_text(config.box,
                     [&](int axis) { return to_word(config.box.boundary[static_cast<std::size_t>(axis)]); });
}

std::optional<std::string> names_text(const void* pair, const Option& /*row*/, const Config& config) {
    const auto& rule = *static_cast<const PairRule*>(pair);
    if (!rule.body) return names_of(config, {rule.a, rule.b});
    const BodyOptions& body = config.bodies[*rule.body];
    const std::string with = rule.patch ? body.name + "." + body.patches[*rule.patch].name : body.name;
    return in_brackets({in_quotes(config.species[rule.a].name), in_quotes(with)});
}

std::optional<std::string> products_text(const void* pair, const Option& /*row*/, const Config& config) {
    const auto& react = static_cast<const PairRule*>(pair)->react;
    if (!react) return std::nullopt;
    return names_of(config, react->products);
}

std::optional<std::string> decaying_text(const void* decay, const Option& /*row*/, const Config& config) {
    return in_quotes(config.species[static_cast<const DecayRule*>(decay)->from].name);
}

std::optional<std::string> products_of_decay_text(const void* decay, const Option& /*row*/,
                                                  const Config& config) {
    return names_of(config, static_cast<const DecayRule*>(decay)->products);
}

/// Whether there is a third axis is not known here: config_rules.cpp looks at it.
void read_moves(void* species, const Option& row, const TreeNode& node) {
    std::uint32_t& frozen = static_cast<Species*>(species)->frozen_axes;
    frozen = all_axes;
    for (const TreeNode& word : node.children) {
        Axis axis{};
        read_value(axis, row, word);
        frozen &= ~(1u << static_cast<unsigned>(axis));
    }
}

std::optional<std::string> moves_text(const void* species, const Option& /*row*/, const Config& config) {
    const std::uint32_t frozen = static_cast<const Species*>(species)->frozen_axes;
    if (frozen == 0) return std::nullopt;
    std::vector<std::string> words;
    for (int axis = 0; axis < config.box.dimension; ++axis)
        if ((frozen >> axis & 1) == 0) words.emplace_back(to_word(static_cast<Axis>(axis)));
    return in_brackets(words);
}

std::optional<std::string> radius_text(const void* species, const Option& row, const Config& config) {
    const auto& of = *static_cast<const Species*>(species);
    return of.shape ? std::nullopt : at<&Species::radius>.write(species, row, config);
}

void read_pyramid(void* species, const Option& /*row*/, const TreeNode& node) {
    static_cast<Species*>(species)->shape->pyramid = base_and_height(node);
}

void read_triangle(void* species, const Option& /*row*/, const TreeNode& node) {
    static_cast<Species*>(species)->shape->triangle = base_and_height(node);
}

std::optional<std::string> pyramid_text(const void* species, const Option& /*row*/,
                                        const Config& /*config*/) {
    const auto& shape = static_cast<const Species*>(species)->shape;
    return shape ? text_of_two(shape->pyramid) : std::nullopt;
}

std::optional<std::string> triangle_text(const void* species, const Option& /*row*/,
                                         const Config& /*config*/) {
    const auto& shape = static_cast<const Species*>(species)->shape;
    return shape ? text_of_two(shape->triangle) : std::nullopt;
}

/// Whether each has as many numbers as the box dimensions is not known here: config_shapes.cpp looks at it.
void read_points(void* species, const Option& /*row*/, const TreeNode& node) {
    std::vector<Vec3>& points = static_cast<Species*>(species)->shape->points;
    for (const TreeNode& numbers : node.children) {
        Vec3& point = points.emplace_back();
        for (std::size_t axis = 0; axis < numbers.children.size(); ++axis)
            point[static_cast<int>(axis)] = *parse_number(numbers.children[axis].text);
    }
}

std::optional<std::string> points_text(const void* species, const Option& /*row*/, const Config& config) {
    const auto& shape = static_cast<const Species*>(species)->shape;
    if (!shape || shape->points.empty()) return std::nullopt;
    std::vector<std::string> points;
    points.reserve(shape->points.size());
    for (const Vec3& point : shape->points) points.push_back(vector_text(config.box, point));
    return in_brackets(points);
}

void read_faces(void* rule, const Option& row, const TreeNode& node) {
    auto& faces = static_cast<PairRule*>(rule)->faces;
    for (const TreeNode& word : node.children) read_value(faces.emplace_back(), row, word);
    std::sort(faces.begin(), faces.end());
}

std::optional<std::string> faces_text(const void* rule, const Option& /*row*/, const Config& /*config*/) {
    std::vector<std::string> words;
    for (const WallFace face : static_cast<const PairRule*>(rule)->faces) words.emplace_back(to_word(face));
    if (words.empty()) return std::nullopt;
    return in_brackets(words);
}

void read_spheres(void* body, const Option& row, const TreeNode& node) {
    auto& list = static_cast<BodyOptions*>(body)->spheres.emplace();
    if (node.kind == TreeNode::Kind::scalar) return read_value(list.file, row, node);
    list.spheres.reserve(node.children.size());
    for (const TreeNode& numbers : node.children) {
        BodySphere& sphere = list.spheres.emplace_back();
        const std::size_t num_axes = numbers.children.size() - 1;
        for (std::size_t axis = 0; axis < num_axes; ++axis)
            sphere.centre[static_cast<int>(axis)] = *parse_number(numbers.children[axis].text);
        sphere.radius = *parse_number(numbers.children[num_axes].text);
    }
}

std::optional<std::string> spheres_text(const void* body, const Option& /*row*/, const Config& config) {
    const auto& list = static_cast<const BodyOptions*>(body)->spheres;
    if (!list) return std::nullopt;
    std::vector<std::string> spheres;
    spheres.reserve(list->spheres.size());
    for (const auto& [centre, radius] : list->spheres) {
        std::string numbers = vector_text(config.box, centre);
        numbers.back() = ',';
        spheres.push_back(fmt::format("{} {}]", numbers, exact_text(radius)));
    }
    return in_brackets(spheres);
}

void read_sphere_file(void* body, const Option& row, const TreeNode& node) {
    read_value(static_cast<BodyOptions*>(body)->spheres.emplace().file, row, node);
}

std::optional<std::string> sphere_file_text(const void* body, const Option& row, const Config& /*config*/) {
    const auto& list = static_cast<const BodyOptions*>(body)->spheres;
    return list ? value_text(list->file, row) : std::nullopt;
}

void read_valence(void* rule, const Option& /*row*/, const TreeNode& node) {
    auto& [of_a, of_b] = static_cast<PairRule*>(rule)->stick->valence;
    const bool is_list = node.kind == TreeNode::Kind::list;
    of_a = *parse_integer((is_list ? node.children.front() : node).text);
    of_b = *parse_integer((is_list ? node.children.back() : node).text);
}

std::optional<std::string> valence_text(const void* rule, const Option& /*row*/, const Config& /*config*/) {
    const auto& stick = static_cast<const PairRule*>(rule)->stick;
    if (!stick) return std::nullopt;
    const auto [of_a, of_b] = stick->valence;
    if (of_a == of_b) return std::to_string(of_a);
    return in_brackets({std::to_string(of_a), std::to_string(of_b)});
}

void read_collisions(void* config, const Option& row, const TreeNode& node) {
    CollisionChoice& choice = static_cast<Config*>(config)->output.collisions;
    if (node.kind == TreeNode::Kind::list)
        choice = CollisionChoice::pairs;
    else
        read_value(choice, row, node);
}

std::optional<std::string> collisions_text(const void* /*owner*/, const Option& row, const Config& config) {
    const OutputOptions& output = config.output;
    if (output.collisions != CollisionChoice::pairs) return value_text(output.collisions, row);
    std::vector<std::string> pairs;
    for (const auto& [a, b] : output.collision_pairs) pairs.push_back(names_of(config, {a, b}));
    return in_brackets(pairs);
}

}  // namespace ricochet::detail
