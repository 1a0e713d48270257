// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_sums.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "parallel/collectives.hpp"
#include "result/result_datasets.hpp"

namespace ricochet {
namespace {

constexpr hsize_t elements_per_piece = hsize_t{1} << 18;

/// How a dataset is read in pieces: by rows, or by elements of axis 1 where one row is long.
struct Pieces {
    hsize_t rows = 1;
    hsize_t length = 1;  ///< along axis 1; for datasets that have it
};

hsize_t elements_per_entry(const hdf5::Extents& shape, std::size_t axis) {
    hsize_t product = 1;
    for (std::size_t k = axis + 1; k < shape.size(); ++k) product *= shape[k];
    return std::max<hsize_t>(1, product);
}

Pieces pieces_of(const hdf5::Extents& shape) {
    const hsize_t per_row = elements_per_entry(shape, 0);
    if (per_row <= elements_per_piece) return {elements_per_piece / per_row, shape.size() > 1 ? shape[1] : 1};
    return {1, std::max<hsize_t>(1, elements_per_piece / elements_per_entry(shape, 1))};
}

/// Adds up the words of one dataset.
class DatasetSum {
  public:
    DatasetSum(std::string_view name, const hdf5::Dataset& dataset)
        : name_(name), dataset_(dataset), type_(dataset.type()), element_bytes_(H5Tget_size(type_.get())) {}

    void add(const hdf5::Extents& shape, const hdf5::Block& piece) {
        read(piece);
        std::uint64_t first = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            first += piece.offset[axis] * elements_per_entry(shape, axis);
        sum_ += sequence_sum(hash_of_name(), first, bytes_, element_bytes_);
    }
    void add_growing_rows(const hdf5::Extents& shape, const hdf5::Block& piece) {
        read(piece);
        const std::vector<std::byte> fill_value = dataset_.fill_value();
        const std::size_t frame_bytes = bytes_.size() / piece.count[0];
        for (hsize_t k = 0; k < piece.count[0]; ++k)
            sum_ +=
                sum_of_growing_rows(name_, piece.offset[0] + k, piece.offset[1], elements_per_entry(shape, 1),
                                    std::span(bytes_).subspan(k * frame_bytes, frame_bytes), fill_value);
    }
    std::uint64_t sum() const { return sum_; }

  private:
    void read(const hdf5::Block& piece) {
        bytes_.resize(piece.num_elements() * element_bytes_);
        dataset_.read(piece, type_.get(), bytes_.data());
    }
    std::uint64_t hash_of_name() const { return hash_values(std::span<const char>(name_)); }

    std::string_view name_;
    const hdf5::Dataset& dataset_;
    hdf5::Handle type_;
    std::size_t element_bytes_;
    std::vector<std::byte> bytes_;
    std::uint64_t sum_ = 0;
};

/// Reads one share of a result; pieces of all shares alternate.
class ShareReader {
  public:
    ShareReader(const ResultReader& reader, const Share& share, const std::function<void()>& on_piece)
        : reader_(reader), share_(share), on_piece_(on_piece) {}

    /// The sum over the first rows of the dataset `name` in a group.
    std::uint64_t sum(const std::string& group, const std::string& name, hsize_t num_rows) {
        const hdf5::Dataset dataset = reader_.open(group + name);
        const hdf5::Extents shape = dataset.shape();
        const Pieces pieces = pieces_of(shape);
        const hsize_t length = shape.size() > 1 ? shape[1] : 1;
        DatasetSum total(name, dataset);
        const bool has_growing_rows =
            reader_.description().first_new_id && dataset.is_chunked() && dataset.is_filled();
        const auto add = has_growing_rows ? &DatasetSum::add_growing_rows : &DatasetSum::add;
        for (hsize_t row = 0; row < num_rows; row += pieces.rows)
            for (hsize_t first = 0; first < length; first += pieces.length)
                if (is_own()) (total.*add)(shape, piece(shape, pieces, num_rows, row, first));
        return total.sum();
    }

  private:
    bool is_own() {
        on_piece_();
        return num_pieces_++ % share_.count == share_.index;
    }

    static hdf5::Block piece(const hdf5::Extents& shape, const Pieces& pieces, hsize_t num_rows, hsize_t row,
                             hsize_t first) {
        hdf5::Block block{hdf5::Extents(shape.size(), 0), shape};
        block.offset[0] = row;
        block.count[0] = std::min(pieces.rows, num_rows - row);
        if (shape.size() > 1) {
            block.offset[1] = first;
            block.count[1] = std::min(pieces.length, shape[1] - first);
        }
        return block;
    }

    const ResultReader& reader_;
    Share share_;
    const std::function<void()>& on_piece_;
    std::uint64_t num_pieces_ = 0;
};

/// Earlier versions have no ids of the start. What holds for all frames is written with the first.
bool is_written(const ResultDataset& dataset, const ResultReader& reader, const CompleteRows& rows) {
    if (dataset.rows == RowsOf::start) return hdf5::has_object(reader.file(), dataset.path());
    return dataset.rows != RowsOf::all_frames || rows.frames > 0;
}

std::uint64_t& sum_with(ResultSums& sums, RowsOf rows) {
    if (rows == RowsOf::collisions) return sums.collisions;
    return rows == RowsOf::samples ? sums.samples : sums.frames;
}

}  // namespace

std::uint64_t sum_of_growing_rows(std::string_view dataset, std::uint64_t frame, std::uint64_t first,
                                  std::uint64_t width, std::span<const std::byte> values,
                                  std::span<const std::byte> fill_value) {
    const std::uint64_t seed = hash_values(std::span<const char>(dataset));
    const std::uint64_t place = ((frame << 32) + first) * width;
    std::vector<std::byte> nothing;
    nothing.reserve(values.size());
    while (nothing.size() < values.size())
        nothing.insert(nothing.end(), fill_value.begin(), fill_value.end());
    return sequence_sum(seed, place, values, fill_value.size()) -
           sequence_sum(seed, place, nothing, fill_value.size());
}

ResultSums read_sums(const ResultReader& reader, const CompleteRows& rows, const Share& share,
                     const std::function<void()>& on_piece) {
    ShareReader own(reader, share, on_piece);
    ResultSums sums;
    for (const ResultDataset& dataset : datasets_of(reader.description())) {
        if (dataset.is_other_name || !is_written(dataset, reader, rows)) continue;
        const std::uint64_t num_rows = dataset.num_rows(rows, reader.description().num_particles);
        sum_with(sums, dataset.rows) += own.sum(dataset.group, dataset.name, num_rows);
    }
    return sums;
}

ResultSums sum_over(Exchange& exchange, const ResultSums& own) {
    std::array<std::uint64_t, 3> sums{own.frames, own.collisions, own.samples};
    sum_over_ranks(exchange, sums);
    return {sums[0], sums[1], sums[2]};
}

}  // namespace ricochet
