// SPDX-License-Identifier: BSD-3-Clause
#include "result/body_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "core/hash.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "result/whole_rows.hpp"

namespace ricochet {
namespace {

constexpr const char* group_name = "bodies";
constexpr std::array<std::string_view, 6> shape_words{"sphere", "capsule", "cylinder",
                                                      "box",    "plane",   "spheres"};
constexpr std::array<std::string_view, 3> side_words{"outside", "inside", "both"};
constexpr std::size_t name_bytes = 64, numbers_per_body = 7;

/// A body in memory as in the file, without padding.
struct BodyRow {
    std::array<char, name_bytes> name{};  ///< zeros fill it up
    std::uint32_t shape = 0;              ///< place in shape_words, which is that in BodyShape
    std::uint32_t side = 0;               ///< place in side_words
    std::array<double, numbers_per_body> numbers{};
};
static_assert(sizeof(BodyRow) == name_bytes + 8 + 8 * numbers_per_body);

/// A patch, likewise.
struct PatchRow {
    std::array<char, name_bytes> name{};
    std::uint64_t body = 0;  ///< its row
    std::array<double, 4> numbers{};
};
static_assert(sizeof(PatchRow) == name_bytes + 8 + 4 * sizeof(double));

using BodyNumbers = std::array<double, numbers_per_body>;

BodyNumbers numbers_of(Vec3 a, Vec3 b, double radius) { return {a.x, a.y, a.z, b.x, b.y, b.z, radius}; }
BodyNumbers numbers_of(const BodySphere& of) { return {of.centre.x, of.centre.y, of.centre.z, of.radius}; }
BodyNumbers numbers_of(const BodyCapsule& of) { return numbers_of(of.from, of.to, of.radius); }
BodyNumbers numbers_of(const BodyCylinder& of) { return numbers_of(of.point, of.axis, of.radius); }
BodyNumbers numbers_of(const BodyBox& of) { return numbers_of(of.low, of.high, 0); }
BodyNumbers numbers_of(const BodyPlane& of) { return numbers_of(of.point, of.normal, 0); }
BodyNumbers numbers_of(const BodySpheres& /*of*/) { return {}; }

BodyRow row_of(const Body& body) {
    BodyRow row;
    std::copy_n(body.name.begin(), std::min(body.name.size(), name_bytes), row.name.begin());
    row.shape = static_cast<std::uint32_t>(body.shape.index());
    row.side = static_cast<std::uint32_t>(body.side);
    row.numbers = std::visit([](const auto& shape) { return numbers_of(shape); }, body.shape);
    return row;
}

BodyShape shape_of(const BodyRow& row) {
    const auto& n = row.numbers;
    const Vec3 a{n[0], n[1], n[2]}, b{n[3], n[4], n[5]};
    switch (row.shape) {
        case 0:
            return BodySphere{a, n[3]};
        case 1:
            return BodyCapsule{a, b, n[6]};
        case 2:
            return BodyCylinder{a, b, n[6]};
        case 3:
            return BodyBox{a, b};
        case 4:
            return BodyPlane{a, b};
        default:
            return BodySpheres{};
    }
}

hdf5::Handle name_type() {
    hdf5::Handle type(hdf5::checked(H5Tcopy(H5T_C_S1), "create a string type"), H5Tclose);
    hdf5::checked(H5Tset_size(type.get(), name_bytes), "size a string type");
    hdf5::checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "pad a string type");
    return type;
}

hdf5::Handle row_type() {
    const hdf5::Handle name = name_type(),
                       numbers = hdf5::array_type(hdf5::number_type<double>(), numbers_per_body);
    return hdf5::CompoundBuilder(sizeof(BodyRow))
        .field("name", offsetof(BodyRow, name), name.get())
        .field("shape", offsetof(BodyRow, shape), hdf5::number_type<std::uint32_t>())
        .field("side", offsetof(BodyRow, side), hdf5::number_type<std::uint32_t>())
        .field("numbers", offsetof(BodyRow, numbers), numbers.get())
        .take();
}

hdf5::Handle patch_type() {
    const hdf5::Handle name = name_type(), numbers = hdf5::array_type(hdf5::number_type<double>(), 4);
    return hdf5::CompoundBuilder(sizeof(PatchRow))
        .field("name", offsetof(PatchRow, name), name.get())
        .field("body", offsetof(PatchRow, body), hdf5::number_type<std::uint64_t>())
        .field("numbers", offsetof(PatchRow, numbers), numbers.get())
        .take();
}

std::vector<PatchRow> patches_of(const std::vector<Body>& bodies) {
    std::vector<PatchRow> rows;
    for (std::size_t body = 0; body < bodies.size(); ++body)
        for (const auto& [name, centre, radius] : bodies[body].patches) {
            PatchRow& row = rows.emplace_back();
            std::copy_n(name.begin(), std::min(name.size(), name_bytes), row.name.begin());
            row.body = body;
            row.numbers = {centre.x, centre.y, centre.z, radius};
        }
    return rows;
}

std::string name_in(const std::array<char, name_bytes>& name) {
    return {name.begin(), std::find(name.begin(), name.end(), '\0')};
}

/// All that the group holds.
struct BodyTables {
    std::vector<BodyRow> rows;
    std::vector<std::uint32_t> surfaces;
    std::vector<BodySphere> spheres;
    std::vector<PatchRow> patches;
};

std::string hash_of_tables(const BodyTables& tables) {
    std::uint64_t hash = hash_values(std::span<const BodyRow>(tables.rows));
    hash = hash_values(std::span<const std::uint32_t>(tables.surfaces), hash);
    hash = hash_values(std::span<const BodySphere>(tables.spheres), hash);
    if (!tables.patches.empty()) hash = hash_values(std::span<const PatchRow>(tables.patches), hash);
    return fmt::format("{:016x}", hash);
}

std::vector<BodySphere> read_spheres(hid_t group) {
    return read_all_rows<BodySphere>(group, "spheres", hdf5::number_type<double>());
}

std::vector<std::uint32_t> read_surfaces(hid_t group) {
    return read_all_rows<std::uint32_t>(group, "surfaces", hdf5::number_type<std::uint32_t>());
}

BodyTables read_tables(hid_t group) {
    return {read_all_rows<BodyRow>(group, "table", row_type().get()), read_surfaces(group),
            read_spheres(group), read_all_rows<PatchRow>(group, "patches", patch_type().get())};
}

void add_patches(const std::vector<PatchRow>& rows, std::vector<Body>& bodies) {
    for (const PatchRow& row : rows) {
        const auto& n = row.numbers;
        if (row.body < bodies.size())
            bodies[row.body].patches.push_back({name_in(row.name), {n[0], n[1], n[2]}, n[3]});
    }
}

std::vector<BodySphere> spheres_of(const std::vector<Body>& bodies) {
    std::vector<BodySphere> all;
    for (const Body& body : bodies)
        if (const auto* const many = std::get_if<BodySpheres>(&body.shape))
            all.insert(all.end(), many->spheres.begin(), many->spheres.end());
    return all;
}

std::vector<std::string> texts_of(std::span<const std::string_view> words) {
    return {words.begin(), words.end()};
}

}  // namespace

std::string_view word_of(const BodyShape& shape) { return shape_words.at(shape.index()); }

std::string_view word_of(BodySide side) { return side_words.at(static_cast<std::size_t>(side)); }

void write_bodies(Exchange& exchange, hid_t group, const ResultDescription& description) {
    if (description.bodies.empty()) return;
    BodyTables tables{.rows = {},
                      .surfaces = description.body_of_surface,
                      .spheres = spheres_of(description.bodies),
                      .patches = patches_of(description.bodies)};
    for (const Body& body : description.bodies) tables.rows.push_back(row_of(body));
    const hdf5::Handle own = hdf5::create_group(group, group_name);
    write_all_rows(exchange, own.get(), "table", row_type().get(), tables.rows);
    write_all_rows(exchange, own.get(), "surfaces", hdf5::number_type<std::uint32_t>(), tables.surfaces);
    if (!tables.spheres.empty())
        write_all_rows(exchange, own.get(), "spheres", hdf5::number_type<double>(), tables.spheres,
                       sizeof(BodySphere) / sizeof(double));
    if (!tables.patches.empty())
        write_all_rows(exchange, own.get(), "patches", patch_type().get(), tables.patches);
    hdf5::write_attribute(own.get(), "shapes", texts_of(shape_words));
    hdf5::write_attribute(own.get(), "sides", texts_of(side_words));
    hdf5::write_attribute(own.get(), "hash", hash_of_tables(tables));
}

std::vector<Body> read_bodies(hid_t group) {
    if (!hdf5::has_object(group, group_name)) return {};
    const hdf5::Handle own = hdf5::open_group(group, group_name);
    std::vector<Body> bodies;
    for (const BodyRow& row : read_all_rows<BodyRow>(own.get(), "table", row_type().get()))
        bodies.push_back({name_in(row.name), shape_of(row),
                          static_cast<BodySide>(std::min<std::uint32_t>(row.side, side_words.size() - 1))});
    add_patches(read_all_rows<PatchRow>(own.get(), "patches", patch_type().get()), bodies);
    return bodies;
}

std::vector<Body> read_bodies_with_spheres(hid_t group) {
    std::vector<Body> bodies = read_bodies(group);
    if (bodies.empty()) return bodies;
    const hdf5::Handle own = hdf5::open_group(group, group_name);
    const std::vector<std::uint32_t> surfaces = read_surfaces(own.get());
    const std::vector<BodySphere> spheres = read_spheres(own.get());
    auto next = spheres.begin();
    for (std::uint32_t body = 0; body < bodies.size(); ++body) {
        auto* const many = std::get_if<BodySpheres>(&bodies[body].shape);
        if (many == nullptr) continue;
        const auto count = std::min(std::count(surfaces.begin(), surfaces.end(), body), spheres.end() - next);
        many->spheres.assign(next, next + count);
        next += count;
    }
    return bodies;
}

std::string hash_of_bodies(hid_t group) {
    if (!hdf5::has_object(group, group_name)) return "";
    return hdf5::read_text(hdf5::open_group(group, group_name).get(), "hash");
}

bool has_bodies_of_its_hash(hid_t group) {
    if (!hdf5::has_object(group, group_name)) return true;
    const hdf5::Handle own = hdf5::open_group(group, group_name);
    return hdf5::read_text(own.get(), "hash") == hash_of_tables(read_tables(own.get()));
}

std::string names_of_bodies(const std::vector<Body>& bodies) {
    constexpr std::size_t most_named = 10;
    std::string text;
    for (std::size_t k = 0; k < std::min(bodies.size(), most_named); ++k)
        text += fmt::format("{}{} ({}, {})", k == 0 ? "" : ", ", bodies[k].name, word_of(bodies[k].shape),
                            word_of(bodies[k].side));
    if (bodies.size() > most_named) text += fmt::format(" and {} more", bodies.size() - most_named);
    return text;
}

}  // namespace ricochet
