// SPDX-License-Identifier: BSD-3-Clause
#include "result/observable_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_file.hpp"
#include "parallel/collectives.hpp"
#include "result/result_sums.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

ObservableWriter::ObservableWriter(hid_t parent, std::vector<ObservableInfo> infos)
    : infos_(std::move(infos)) {
    const hdf5::Handle all = hdf5::create_group(parent, "observables");
    for (const ObservableInfo& info : infos_) {
        num_columns_ += info.num_values();
        const hdf5::Handle group = hdf5::create_group(all.get(), info.name.c_str());
        hdf5::write_attribute(group.get(), "meaning", info.meaning);
        if (info.is_vector()) hdf5::write_attribute(group.get(), "labels", info.labels);
        if (!step_.is_open()) {
            step_ =
                hdf5::Dataset::create_growing(group.get(), "step", hdf5::number_type<std::uint64_t>(), {});
            time_ = hdf5::Dataset::create_growing(group.get(), "time", hdf5::number_type<double>(), {});
        } else {
            hdf5::link_object(step_.get(), group.get(), "step");
            hdf5::link_object(time_.get(), group.get(), "time");
        }
        const hdf5::Extents row = info.is_vector() ? hdf5::Extents{info.num_values()} : hdf5::Extents{};
        datasets_.push_back(
            hdf5::Dataset::create_growing(group.get(), "value", hdf5::number_type<double>(), row));
    }
}

ObservableWriter ObservableWriter::reopen(hid_t parent, std::vector<ObservableInfo> infos,
                                          std::uint64_t num_samples, std::uint64_t own_sum) {
    ObservableWriter writer;
    writer.infos_ = std::move(infos);
    writer.num_samples_ = num_samples;
    writer.own_sum_ = own_sum;
    const hdf5::Handle all = hdf5::open_group(parent, "observables");
    for (const ObservableInfo& info : writer.infos_) {
        writer.num_columns_ += info.num_values();
        const hdf5::Handle group = hdf5::open_group(all.get(), info.name.c_str());
        writer.datasets_.push_back(hdf5::Dataset::open(group.get(), "value"));
        writer.datasets_.back().resize(num_samples);
        if (writer.step_.is_open()) continue;
        writer.step_ = hdf5::Dataset::open(group.get(), "step");
        writer.time_ = hdf5::Dataset::open(group.get(), "time");
        writer.step_.resize(num_samples);
        writer.time_.resize(num_samples);
    }
    return writer;
}

void ObservableWriter::append(std::uint64_t step, double time, std::span<const double> values) {
    RICOCHET_CHECK_EQ(values.size(), num_columns_);
    steps_.push_back(step);
    times_.push_back(time);
    values_.insert(values_.end(), values.begin(), values.end());
}

void ObservableWriter::write_buffered(Exchange& exchange) {
    const std::uint64_t num_new = max_of_ranks(exchange, steps_.size());  // rank 0 has them all
    if (num_new > 0 && !datasets_.empty()) {
        write_rows(exchange, step_, "step", 0, num_new, steps_);
        write_rows(exchange, time_, "time", 0, num_new, times_);
        std::size_t column = 0;
        for (std::size_t k = 0; k < infos_.size(); column += infos_[k].num_values(), ++k)
            write_values(exchange, k, column, num_new);
        num_samples_ += num_new;
    }
    steps_.clear();
    times_.clear();
    values_.clear();
}

// The observable's columns of the buffered table.
void ObservableWriter::write_values(Exchange& exchange, std::size_t index, std::size_t column,
                                    std::uint64_t num_new) {
    const auto width = static_cast<std::ptrdiff_t>(infos_[index].num_values());
    std::vector<double> picked;
    for (std::size_t row = 0; row < steps_.size(); ++row) {
        const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(row * num_columns_ + column);
        picked.insert(picked.end(), begin, begin + width);
    }
    write_rows(exchange, datasets_[index], infos_[index].name + "/value", infos_[index].labels.size(),
               num_new, picked);
}

// Appends rows that rank 0 has; `width` 0 stands for scalars.
template <class Number>
void ObservableWriter::write_rows(Exchange& exchange, hdf5::Dataset& dataset, const std::string& name,
                                  std::size_t width, std::uint64_t num_new,
                                  const std::vector<Number>& values) {
    const std::uint64_t num_own = exchange.rank() == 0 ? num_new : 0;
    hdf5::Block block{{num_samples_}, {num_own}};
    if (width > 0) {
        block.offset.push_back(0);
        block.count.push_back(width);
    }
    dataset.resize(num_samples_ + num_new);
    dataset.write(exchange, block, hdf5::number_type<Number>(), values.data());
    const std::uint64_t first = num_samples_ * std::max<std::size_t>(1, width);
    own_sum_ += sum_of_elements(name, first, std::span<const Number>(values));
}

}  // namespace ricochet
