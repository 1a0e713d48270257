// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_description.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"

namespace ricochet::hdf5 {
namespace {

constexpr int most_levels = 32;

/// Hash of all values added, in order.
class Chain {
  public:
    void add(std::string_view text) { hash_ = hash_values(std::span<const char>(text), hash_ + text.size()); }
    void add(std::uint64_t number) { hash_ = hash_values(std::span<const std::uint64_t>(&number, 1), hash_); }
    void add(const Extents& extents) {
        add(extents.size());
        for (const hsize_t extent : extents) add(std::uint64_t{extent});
    }
    void add(std::span<const std::byte> bytes) { hash_ = hash_bytes(bytes, hash_ + bytes.size()); }
    std::uint64_t hash() const { return hash_; }

  private:
    std::uint64_t hash_ = 0;
};

template <class Number>
void add_all(Chain& chain, std::initializer_list<Number> numbers) {
    for (const Number number : numbers) chain.add(static_cast<std::uint64_t>(number));
}

void add_type(Chain& chain, const Handle& type);

/// The layout of the bits of an integer or floating-point type.
void add_number_type(Chain& chain, hid_t type) {
    add_all(chain, {H5Tget_precision(type), static_cast<std::size_t>(H5Tget_offset(type))});
    H5T_pad_t low{}, high{};
    checked(H5Tget_pad(type, &low, &high), "read the type of", type);
    add_all(chain, {low, high});
    if (H5Tget_class(type) == H5T_INTEGER) {
        add_all(chain, {H5Tget_sign(type)});
        return;
    }
    std::size_t sign = 0, exponent = 0, exponent_size = 0, mantissa = 0, mantissa_size = 0;
    checked(H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size),
            "read the type of", type);
    add_all(chain, {sign, exponent, exponent_size, mantissa, mantissa_size, H5Tget_ebias(type)});
    add_all(chain, {static_cast<int>(H5Tget_norm(type)), static_cast<int>(H5Tget_inpad(type))});
}

void add_compound_type(Chain& chain, hid_t type) {
    const int num_members = checked(H5Tget_nmembers(type), "read the type of", type);
    for (unsigned k = 0; k < static_cast<unsigned>(num_members); ++k) {
        char* const name = H5Tget_member_name(type, k);
        if (name == nullptr) fail("read the type of", type, "");
        chain.add(std::string_view(name));
        H5free_memory(name);
        chain.add(H5Tget_member_offset(type, k));
        add_type(chain, {checked(H5Tget_member_type(type, k), "read the type of", type), H5Tclose});
    }
}

void add_array_type(Chain& chain, hid_t type) {
    Extents extents(static_cast<std::size_t>(checked(H5Tget_array_ndims(type), "read the type of", type)));
    checked(H5Tget_array_dims2(type, extents.data()), "read the type of", type);
    chain.add(extents);
    add_type(chain, {checked(H5Tget_super(type), "read the type of", type), H5Tclose});
}

/// All properties of a type that decide which value its bytes represent.
void add_type(Chain& chain, const Handle& type) {
    const hid_t id = type.get();
    const H5T_class_t kind = H5Tget_class(id);
    add_all(chain,
            {static_cast<std::size_t>(kind), H5Tget_size(id), static_cast<std::size_t>(H5Tget_order(id))});
    if (kind == H5T_INTEGER || kind == H5T_FLOAT) add_number_type(chain, id);
    if (kind == H5T_COMPOUND) add_compound_type(chain, id);
    if (kind == H5T_ARRAY) add_array_type(chain, id);
    if (kind == H5T_STRING)
        add_all(chain, {static_cast<int>(H5Tget_cset(id)), static_cast<int>(H5Tget_strpad(id)),
                        static_cast<int>(H5Tis_variable_str(id))});
}

/// How elements are stored, packed, and filled where none have been written.
void add_storage(Chain& chain, hid_t dataset) {
    const Handle storage(checked(H5Dget_create_plist(dataset), "read the storage of", dataset), H5Pclose);
    H5D_alloc_time_t allocation{};
    H5D_fill_time_t filling{};
    H5D_fill_value_t fill_value{};
    checked(H5Pget_alloc_time(storage.get(), &allocation), "read the storage of", dataset);
    checked(H5Pget_fill_time(storage.get(), &filling), "read the storage of", dataset);
    checked(H5Pfill_value_defined(storage.get(), &fill_value), "read the storage of", dataset);
    add_all(chain, {static_cast<int>(H5Pget_layout(storage.get())), static_cast<int>(allocation),
                    static_cast<int>(filling), static_cast<int>(fill_value)});
    const int num_filters = checked(H5Pget_nfilters(storage.get()), "read the filters of", dataset);
    for (unsigned k = 0; k < static_cast<unsigned>(num_filters); ++k) {
        unsigned flags = 0, level = 0, unused_configuration = 0;
        std::size_t num_values = 1;
        const H5Z_filter_t filter = checked(
            H5Pget_filter2(storage.get(), k, &flags, &num_values, &level, 0, nullptr, &unused_configuration),
            "read the filters of", dataset);
        add_all(chain, {static_cast<unsigned>(filter), flags, level});
    }
}

void add_attribute(Chain& chain, hid_t object, const char* name) {
    const Handle attribute(checked(H5Aopen(object, name, H5P_DEFAULT), "open", object, name), H5Aclose);
    const Handle type(checked(H5Aget_type(attribute.get()), "read the type of", object, name), H5Tclose);
    chain.add(std::string_view(name));
    add_type(chain, type);
    const std::size_t count = attribute_size(object, name);
    chain.add(count);
    if (H5Tget_class(type.get()) == H5T_STRING) {
        for (const std::string& text : read_texts(object, name)) chain.add(text);
    } else {
        std::vector<std::byte> bytes(count * H5Tget_size(type.get()));
        read_raw_attribute(object, name, type.get(), bytes.data());
        chain.add(bytes);
    }
}

void add_attributes(Chain& chain, hid_t object) {
    const std::vector<std::string> names = attribute_names(object);
    chain.add(names.size());
    for (const std::string& name : names) add_attribute(chain, object, name.c_str());
}

/// How far each axis can grow.
Extents limits_of(const Dataset& dataset) {
    const Handle space(checked(H5Dget_space(dataset.get()), "read the shape of", dataset.get()), H5Sclose);
    Extents limits(dataset.shape().size());
    checked(H5Sget_simple_extent_dims(space.get(), nullptr, limits.data()), "read the shape of",
            dataset.get());
    return limits;
}

/// The shape, with 0 for lengths that grow: of the first axis, and of the second where HDF5 fills it.
Extents lasting_shape(const Dataset& dataset, const Extents& limits) {
    Extents shape = dataset.shape();
    if (!dataset.is_chunked()) return shape;
    if (!shape.empty()) shape[0] = 0;
    if (shape.size() > 1 && limits[1] == H5S_UNLIMITED && dataset.is_filled()) shape[1] = 0;
    return shape;
}

void add_dataset(Chain& chain, const Dataset& dataset) {
    add_type(chain, dataset.type());
    add_storage(chain, dataset.get());
    const Extents limits = limits_of(dataset);
    if (dataset.is_chunked()) chain.add(dataset.chunk());
    chain.add(lasting_shape(dataset, limits));
    chain.add(limits);
    add_attributes(chain, dataset.get());
}

void add_group(Chain& chain, hid_t group, int level) {
    if (level > most_levels) fail("follow more than 32 levels of groups to", group, "");
    add_attributes(chain, group);
    for (const std::string& name : link_names(group)) {
        chain.add(name);
        if (is_group(group, name)) {
            chain.add(std::string_view("group"));
            add_group(chain, open_group(group, name.c_str()).get(), level + 1);
        } else {
            chain.add(std::string_view("dataset"));
            add_dataset(chain, Dataset::open(group, name.c_str()));
        }
    }
}

}  // namespace

std::uint64_t hash_of_description(hid_t file) {
    Chain chain;
    add_group(chain, open_group(file, "/").get(), 0);
    return chain.hash();
}

}  // namespace ricochet::hdf5
