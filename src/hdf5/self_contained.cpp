// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/self_contained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::hdf5 {
namespace {

constexpr std::ptrdiff_t most_nested_groups = 32;  ///< of groups in groups; the walk is recursive
constexpr double most_packing = 1100;              ///< deflate packs zeros 1,032 times
constexpr double spare_bytes = 1 << 26;            ///< extended by a killed run
constexpr double spare_factor = 2;                 ///< the same, for outputs larger than that

struct Walk {
    double file_bytes = 0;
    std::string problem;         ///< empty while there is none
    std::exception_ptr failure;  ///< of the walk itself
};

double declared_bytes(const Dataset& dataset) {
    const Extents shape = dataset.shape();
    return std::accumulate(shape.begin(), shape.end(), static_cast<double>(H5Tget_size(dataset.type().get())),
                           [](double product, hsize_t n) { return product * static_cast<double>(n); });
}

std::string find_missing_storage(const Dataset& dataset, double file_bytes) {
    const double factor = dataset.is_compressed() ? most_packing : spare_factor;
    const double declared = declared_bytes(dataset);
    if (declared <= factor * file_bytes + spare_bytes) return "";
    return fmt::format("declares {:.3g} bytes, but the whole file has {:.3g}", declared, file_bytes);
}

/// The storage is checked before the shape, since HDF5 opens the sources of a virtual dataset to learn its
/// shape.
std::string find_dataset_problem(hid_t group, const char* name, double file_bytes) {
    const Dataset dataset = Dataset::open(group, name);
    const Handle storage(checked(H5Dget_create_plist(dataset.get()), "read the storage of", group, name),
                         H5Pclose);
    if (H5Pget_layout(storage.get()) == H5D_VIRTUAL) return "is a virtual dataset";
    if (checked(H5Pget_external_count(storage.get()), "read the storage of", group, name) > 0)
        return "has external storage";
    return find_missing_storage(dataset, file_bytes);
}

std::string find_problem(hid_t group, const char* name, const H5L_info_t& link, double file_bytes) {
    if (link.type == H5L_TYPE_SOFT) return "";
    if (link.type != H5L_TYPE_HARD) return "is a link out of the file";
    if (std::count(name, name + std::string_view(name).size(), '/') > most_nested_groups)
        return fmt::format("lies deeper than {} groups", most_nested_groups);
    H5O_info_t object{};
    checked(H5Oget_info_by_name(group, name, &object, H5P_DEFAULT), "look at", group, name);
    return object.type == H5O_TYPE_DATASET ? find_dataset_problem(group, name, file_bytes) : "";
}

/// Called by HDF5 for each link; a positive return ends the walk, and no exception may pass through C.
herr_t visit(hid_t group, const char* name, const H5L_info_t* link, void* data) {
    auto& walk = *static_cast<Walk*>(data);
    try {
        if (const auto problem = find_problem(group, name, *link, walk.file_bytes); !problem.empty())
            walk.problem = fmt::format("/{} {}", excerpt(name), problem);
    } catch (...) {
        walk.failure = std::current_exception();
    }
    return walk.problem.empty() && !walk.failure ? 0 : 1;
}

}  // namespace

void require_self_contained(hid_t file, const std::string& path) {
    hsize_t num_bytes = 0;
    checked(H5Fget_filesize(file, &num_bytes), "look up the size of", -1, path);
    Walk walk{static_cast<double>(num_bytes), {}, {}};
    checked(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &walk), "list the content of", -1, path);
    if (walk.failure) std::rethrow_exception(walk.failure);
    if (!walk.problem.empty())
        throw InputError(path + ": " + walk.problem +
                         "; expected a file that holds all of its content itself");
}

}  // namespace ricochet::hdf5
