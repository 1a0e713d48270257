// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers are compared as the bytes in the file: 0 and -0 differ, equal NaNs do not. Blocks are compared as a
// whole; only one that differs is searched for the number that does.
#include "ricochet/result/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <type_traits>

#include "hdf5/hdf5_attribute.hpp"
#include "model/world_facts.hpp"
#include "result/body_table.hpp"
#include "result/collision_row.hpp"
#include "result/result_datasets.hpp"
#include "result/result_reader.hpp"
#include "result/species_shapes.hpp"
#include "result/start_ids.hpp"

namespace ricochet {
namespace {

using Difference = std::optional<std::string>;

struct Pair {
    ResultReader a, b;
};

std::string in_both(const std::string& value_a, const std::string& value_b) {
    return fmt::format("is {} in the first file and {} in the second", value_a, value_b);
}

template <class Value>
Difference compare_values(const std::string& what, const Value& a, const Value& b) {
    if (a == b) return std::nullopt;
    return what + " " + in_both(fmt::format("{}", a), fmt::format("{}", b));
}

// The shortest text that reads back as the same bits.
template <class Number>
std::string text_of(const std::byte* bytes) {
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return fmt::format("{}", value);
}

std::string number_text(hid_t type, const std::byte* bytes) {
    const bool is_long = H5Tget_size(type) == 8;
    if (H5Tget_class(type) == H5T_FLOAT) return is_long ? text_of<double>(bytes) : text_of<float>(bytes);
    if (H5Tget_sign(type) == H5T_SGN_2)
        return is_long ? text_of<std::int64_t>(bytes) : text_of<std::int32_t>(bytes);
    return is_long ? text_of<std::uint64_t>(bytes) : text_of<std::uint32_t>(bytes);
}

// The same block of the same dataset in both files.
struct TwoBlocks {
    std::vector<std::byte> a, b;
    hdf5::Handle type;

    std::size_t element_bytes() const { return H5Tget_size(type.get()); }
    bool are_equal() const { return a == b; }
    // Makes the elements [first, first + count) equal.
    void let_pass(std::size_t first, std::size_t count) {
        const std::size_t bytes = element_bytes();
        std::memcpy(b.data() + first * bytes, a.data() + first * bytes, count * bytes);
    }
    // Index of the first element that differs.
    std::size_t first_difference() const {
        const auto found = std::mismatch(a.begin(), a.end(), b.begin()).first;
        return static_cast<std::size_t>(found - a.begin()) / element_bytes();
    }
    std::string values(std::size_t element) const {
        const std::size_t at = element * element_bytes();
        return in_both(number_text(type.get(), a.data() + at), number_text(type.get(), b.data() + at));
    }
};

TwoBlocks read_both(const hdf5::Dataset& a, const hdf5::Dataset& b, const hdf5::Block& block) {
    TwoBlocks both;
    both.type = a.type();
    both.a.resize(block.num_elements() * both.element_bytes());
    both.b.resize(both.a.size());
    a.read(block, both.type.get(), both.a.data());
    b.read(block, both.type.get(), both.b.data());
    return both;
}

// Calls compare(first, count) for consecutive ranges until one finds a difference.
template <class Compare>
Difference compare_ranges(std::uint64_t num_rows, Compare compare) {
    for (std::uint64_t first = 0; first < num_rows; first += rows_per_block)
        if (auto found = compare(first, std::min(rows_per_block, num_rows - first))) return found;
    return std::nullopt;
}

// --- header ---

std::string shape_text(const Box& box, const Species& of) {
    return of.corners.empty() ? "a sphere" : names_of_shapes({of}, box.dimension);
}

Difference compare_shapes(const Box& box, const Species& a, const Species& b) {
    if (a.corners == b.corners) return std::nullopt;
    const std::string what = "the shape of species " + a.name;
    if (auto found = compare_values(what, shape_text(box, a), shape_text(box, b))) return found;
    return what + " has other corners in the second file";
}

Difference compare_species(const Box& box, const std::vector<Species>& a, const std::vector<Species>& b) {
    if (auto found = compare_values("the number of species", a.size(), b.size())) return found;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (auto found = compare_values(fmt::format("the name of species {}", k), a[k].name, b[k].name))
            return found;
        if (auto found =
                compare_values("the number of particles of species " + a[k].name, a[k].count, b[k].count))
            return found;
        if (auto found = compare_values("the axes along which particles of species " + a[k].name + " move",
                                        axes_in_words(box, a[k]), axes_in_words(box, b[k])))
            return found;
        if (auto found = compare_shapes(box, a[k], b[k])) return found;
    }
    return std::nullopt;
}

std::string box_text(const Box& box) {
    std::string text;
    for (int axis = 0; axis < box.dimension; ++axis)
        text += fmt::format("{}{} {}", axis == 0 ? "" : " x ", box.size[axis],
                            box.is_periodic(axis) ? "periodic" : "reflecting");
    return text;
}

Difference compare_bodies(const ResultDescription& a, const ResultDescription& b) {
    if (auto found = compare_values("the number of bodies", a.bodies.size(), b.bodies.size())) return found;
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
        const Body &of_a = a.bodies[k], &of_b = b.bodies[k];
        if (of_a == of_b) continue;
        if (auto found =
                compare_values(fmt::format("body {}", k), names_of_bodies({of_a}), names_of_bodies({of_b})))
            return found;
        return fmt::format("the body {} has another size or place in the second file", of_a.name);
    }
    return compare_values("the hash of the bodies and their spheres", a.hash_of_bodies, b.hash_of_bodies);
}

Difference compare_headers(const ResultDescription& a, const ResultDescription& b) {
    const auto precision = [](const ResultDescription& d) {
        return std::string(d.precision == Precision::float64 ? "float64" : "float32");
    };
    if (auto found = compare_values("the box", box_text(a.box), box_text(b.box))) return found;
    if (auto found = compare_bodies(a, b)) return found;
    if (auto found = compare_values("the number of particles", a.num_particles, b.num_particles))
        return found;
    if (auto found = compare_values("the precision", precision(a), precision(b))) return found;
    if (auto found = compare_values("the timestep", a.timestep, b.timestep)) return found;
    if (auto found =
            compare_values("whether particles change", a.has_changing_particles, b.has_changing_particles))
        return found;
    if (auto found = compare_values("the first id of later particles", a.first_new_id.value_or(absent_id),
                                    b.first_new_id.value_or(absent_id)))
        return found;
    if (auto found = compare_values("whether the collision log tells outcomes", a.collisions.has_outcomes,
                                    b.collisions.has_outcomes))
        return found;
    return compare_species(a.box, a.species, b.species);
}

// --- frames ---

const char* component_name(std::size_t component, std::size_t width) {
    static constexpr std::array<const char*, 3> names{".x", ".y", ".z"};
    return width == 1 ? "" : names.at(component);
}

/// The id of the particle of a row, also where it is absent: a row belongs to the same one in all frames.
std::uint64_t id_of_row(const ResultReader& reader, std::uint64_t row) {
    const ResultDescription& description = reader.description();
    if (row >= description.num_particles) return *description.first_new_id + row - description.num_particles;
    std::uint64_t id = 0;
    reader.open("/particles/trajectory/id/value")
        .read({{0, row}, {1, 1}}, hdf5::number_type<std::uint64_t>(), &id);
    return id;
}

// A row range [first, first + count) of one frame: one or three numbers per row.
hdf5::Block frame_block(std::uint64_t frame, std::uint64_t first, std::uint64_t count, std::size_t width) {
    hdf5::Block block{{frame, first}, {1, count}};
    if (width == 3) {
        block.offset.push_back(0);
        block.count.push_back(3);
    }
    return block;
}

// Positions in rows without a particle mean nothing; earlier versions wrote 0. The ids are equal.
void let_absent_pass(const Pair& pair, const hdf5::Block& block, TwoBlocks& positions) {
    std::vector<std::uint64_t> ids(block.count[1]);
    pair.a.open("/particles/trajectory/id/value")
        .read({{block.offset[0], block.offset[1]}, {1, ids.size()}}, hdf5::number_type<std::uint64_t>(),
              ids.data());
    for (std::size_t row = 0; row < ids.size(); ++row)
        if (ids[row] == absent_id) positions.let_pass(3 * row, 3);
}

Difference compare_column(const Pair& pair, const std::string& name, std::uint64_t frame) {
    const std::string dataset = "/particles/trajectory/" + name + "/value";
    const hdf5::Dataset a = pair.a.open(dataset), b = pair.b.open(dataset);
    const std::size_t width = a.shape().size() == 3 ? 3 : 1;
    return compare_ranges(pair.a.num_rows(frame), [&](auto first, auto count) -> Difference {
        const hdf5::Block block = frame_block(frame, first, count, width);
        TwoBlocks both = read_both(a, b, block);
        if (both.are_equal()) return std::nullopt;
        if (name == "position" && pair.a.description().has_changing_particles) {
            let_absent_pass(pair, block, both);
            if (both.are_equal()) return std::nullopt;
        }
        const std::size_t element = both.first_difference();
        const std::uint64_t id = id_of_row(pair.a, first + element / width);
        return fmt::format("frame {} (step {}), particle {}: {}{} {}", frame, pair.a.stamp(frame).step, id,
                           name, component_name(element % width, width), both.values(element));
    });
}

Difference compare_constant(const Pair& pair, const std::string& name) {
    const hdf5::Dataset a = pair.a.open("/particles/trajectory/" + name);
    const hdf5::Dataset b = pair.b.open("/particles/trajectory/" + name);
    return compare_ranges(pair.a.description().num_particles, [&](auto first, auto count) -> Difference {
        const TwoBlocks both = read_both(a, b, {{first}, {count}});
        if (both.are_equal()) return std::nullopt;
        const std::size_t row = both.first_difference();
        return fmt::format("the {} of particle {} {}", name, id_of_row(pair.a, first + row),
                           both.values(row));
    });
}

Difference compare_edges(const Pair& pair, std::uint64_t frame) {
    const char* const dataset = "/particles/trajectory/box/edges/value";
    const hdf5::Dataset a = pair.a.open(dataset), b = pair.b.open(dataset);
    const hdf5::Extents shape = a.shape();
    if (shape.size() != 3 || b.shape().size() != 3 || b.shape()[1] != shape[1] || b.shape()[2] != shape[2])
        return "the shape of box/edges differs";
    const TwoBlocks both = read_both(a, b, {{frame, 0, 0}, {1, shape[1], shape[2]}});
    if (both.are_equal()) return std::nullopt;
    const std::size_t element = both.first_difference();
    return fmt::format("frame {} (step {}): box/edges[{}][{}] {}", frame, pair.a.stamp(frame).step,
                       element / shape[2], element % shape[2], both.values(element));
}

Difference compare_frame(const Pair& pair, std::uint64_t frame) {
    const FrameStamp a = pair.a.stamp(frame), b = pair.b.stamp(frame);
    if (auto found = compare_values(fmt::format("the step of frame {}", frame), a.step, b.step)) return found;
    if (auto found = compare_values(fmt::format("the time of frame {}", frame), a.time, b.time)) return found;
    if (auto found = compare_values(fmt::format("the number of rows as of frame {}", frame),
                                    pair.a.num_rows(frame), pair.b.num_rows(frame)))
        return found;
    if (auto found = compare_edges(pair, frame)) return found;
    for (const char* name : particle_elements)
        if (auto found = compare_column(pair, name, frame)) return found;
    if (!pair.a.description().has_changing_particles) return std::nullopt;
    for (const char* name : particle_attributes)
        if (auto found = compare_column(pair, name, frame)) return found;
    return std::nullopt;
}

Difference compare_frames(const Pair& pair) {
    const std::uint64_t num_a = pair.a.complete().frames, num_b = pair.b.complete().frames;
    const std::uint64_t num_common = std::min(num_a, num_b);
    if (num_common > 0 && !pair.a.description().has_changing_particles)
        for (const char* name : particle_attributes)
            if (auto found = compare_constant(pair, name)) return found;
    for (std::uint64_t frame = 0; frame < num_common; ++frame)
        if (auto found = compare_frame(pair, frame)) return found;
    return compare_values(
        fmt::format("the first {} frames are identical; the number of complete frames", num_common), num_a,
        num_b);
}

// --- ids of the start ---

/// A file of an earlier version may have none.
Difference compare_start_ids(const Pair& pair) {
    const std::string dataset = std::string("/ricochet/") + start_ids_name;
    if (!has_start_ids(pair.a.file()) || !has_start_ids(pair.b.file())) return std::nullopt;
    const hdf5::Dataset a = pair.a.open(dataset), b = pair.b.open(dataset);
    return compare_ranges(pair.a.description().num_particles, [&](auto first, auto count) -> Difference {
        const TwoBlocks both = read_both(a, b, {{first}, {count}});
        if (both.are_equal()) return std::nullopt;
        const std::size_t row = both.first_difference();
        return fmt::format("the id in row {} of the start {}", first + row, both.values(row));
    });
}

// --- collision log ---

using Fields = std::vector<std::pair<const char*, std::string>>;

Fields fields_of(const CollisionRow& row) {
    return {{"step", fmt::format("{}", row.step)},
            {"time", fmt::format("{}", row.time)},
            {"generation", fmt::format("{}", row.generation)},
            {"a", fmt::format("{}", row.a)},
            {"b", fmt::format("{}", row.b)},
            {"species_a", fmt::format("{}", row.species_a)},
            {"species_b", fmt::format("{}", row.species_b)},
            {"point", fmt::format("({}, {}, {})", row.point[0], row.point[1], row.point[2])},
            {"normal", fmt::format("({}, {}, {})", row.normal[0], row.normal[1], row.normal[2])},
            {"impulse", fmt::format("{}", row.impulse)},
            {"speed", fmt::format("{}", row.speed)}};
}

Fields fields_of(const OutcomeRow& row) {
    Fields fields = fields_of(row.contact);
    const bool is_known = row.outcome < outcome_names.size();
    fields.emplace_back("rule", fmt::format("{}", row.rule));
    fields.emplace_back("outcome", is_known ? outcome_names.at(row.outcome) : fmt::format("{}", row.outcome));
    fields.emplace_back("product_a", fmt::format("{}", row.product_a));
    fields.emplace_back("product_b", fmt::format("{}", row.product_b));
    return fields;
}

// Finds the first number that differs between two rows.
template <class Row>
std::string row_difference(const Row& a, const Row& b) {
    const Fields fields_a = fields_of(a), fields_b = fields_of(b);
    const auto [found_a, found_b] = std::mismatch(fields_a.begin(), fields_a.end(), fields_b.begin());
    if (found_a == fields_a.end()) return "differs in its bits";
    return std::string(found_a->first) + " " + in_both(found_a->second, found_b->second);
}

template <class Row>
Difference compare_collision_rows(const hdf5::Dataset& a, const hdf5::Dataset& b, std::uint64_t first,
                                  std::uint64_t count) {
    const hdf5::Handle type = collision_row_type(std::is_same_v<Row, OutcomeRow>);
    std::vector<Row> rows_a(count), rows_b(count);
    a.read({{first}, {count}}, type.get(), rows_a.data());
    b.read({{first}, {count}}, type.get(), rows_b.data());
    using Bytes = std::array<std::byte, sizeof(Row)>;
    const auto same = [](const Row& x, const Row& y) {
        return std::bit_cast<Bytes>(x) == std::bit_cast<Bytes>(y);
    };
    const auto [row_a, row_b] = std::mismatch(rows_a.begin(), rows_a.end(), rows_b.begin(), same);
    if (row_a == rows_a.end()) return std::nullopt;
    return fmt::format("collision {} (step {}): {}",
                       first + static_cast<std::uint64_t>(row_a - rows_a.begin()), step_of(*row_a),
                       row_difference(*row_a, *row_b));
}

Difference compare_collisions(const Pair& pair) {
    const hdf5::Dataset a = pair.a.open("/ricochet/collisions"), b = pair.b.open("/ricochet/collisions");
    const std::uint64_t num_a = pair.a.complete().collisions, num_b = pair.b.complete().collisions;
    const bool has_outcomes = pair.a.description().collisions.has_outcomes;
    const auto compare = [&](auto first, auto count) {
        return has_outcomes ? compare_collision_rows<OutcomeRow>(a, b, first, count)
                            : compare_collision_rows<CollisionRow>(a, b, first, count);
    };
    if (auto found = compare_ranges(std::min(num_a, num_b), compare)) return found;
    if (auto found =
            compare_values(fmt::format("the first {} collisions are identical; the number of collisions",
                                       std::min(num_a, num_b)),
                           num_a, num_b))
        return found;
    return compare_values("the step that ends the collision log", pair.a.complete().steps,
                          pair.b.complete().steps);
}

// --- observables ---

std::string name_list(const ResultDescription& description) {
    std::string names;
    for (const ObservableInfo& info : description.observables)
        names += fmt::format(" {}[{}]", info.name, info.num_values());
    return names.empty() ? "none" : names.substr(1);
}

Difference compare_samples(const Pair& pair, const ObservableInfo& info, const char* part,
                           std::size_t width) {
    const std::string path = "/ricochet/observables/" + info.name + "/" + part;
    const hdf5::Dataset a = pair.a.open(path), b = pair.b.open(path);
    const bool is_vector = a.shape().size() == 2;
    const auto num_rows = std::min(pair.a.complete().samples, pair.b.complete().samples);
    return compare_ranges(num_rows, [&](auto first, auto count) -> Difference {
        hdf5::Block block{{first}, {count}};
        if (is_vector) {
            block.offset.push_back(0);
            block.count.push_back(width);
        }
        const TwoBlocks both = read_both(a, b, block);
        if (both.are_equal()) return std::nullopt;
        const std::size_t element = both.first_difference();
        const std::string component = is_vector ? fmt::format("[{}]", element % width) : "";
        return fmt::format("observable {}, sample {}: {}{} {}", info.name, first + element / width, part,
                           component, both.values(element));
    });
}

Difference compare_observables(const Pair& pair) {
    const ResultDescription& a = pair.a.description();
    if (auto found = compare_values("the list of observables", name_list(a), name_list(pair.b.description())))
        return found;
    for (const ObservableInfo& info : a.observables) {
        for (const char* part : {"step", "time"})
            if (auto found = compare_samples(pair, info, part, 1)) return found;
        if (auto found = compare_samples(pair, info, "value", info.num_values())) return found;
    }
    return compare_values("the common samples are identical; the number of samples",
                          pair.a.complete().samples, pair.b.complete().samples);
}

}  // namespace

Difference find_difference(const std::string& path_a, const std::string& path_b) {
    const Pair pair{ResultReader(path_a), ResultReader(path_b)};
    if (auto found = compare_headers(pair.a.description(), pair.b.description())) return found;
    if (auto found = compare_start_ids(pair)) return found;
    if (auto found = compare_frames(pair)) return found;
    if (auto found = compare_collisions(pair)) return found;
    return compare_observables(pair);
}

}  // namespace ricochet
