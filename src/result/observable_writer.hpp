// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the observables. Samples are buffered on rank 0, which alone has them, and appended at each flush.
// All observables share one step and one time dataset.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

class ObservableWriter {
  public:
    ObservableWriter() = default;
    /// Creates a group per observable, without samples. Collective.
    ObservableWriter(hid_t parent, std::vector<ObservableInfo> infos);
    /// Opens the existing groups and cuts them back to their first samples. `own_sum` is this rank's part of
    /// their checksum. Collective.
    static ObservableWriter reopen(hid_t parent, std::vector<ObservableInfo> infos, std::uint64_t num_samples,
                                   std::uint64_t own_sum);

    /// Buffers a sample. Local.
    /// Requires: as many values as the description has.
    void append(std::uint64_t step, double time, std::span<const double> values);
    /// Writes what rank 0 has buffered. Collective.
    void write_buffered(Exchange& exchange);

    std::size_t buffered_bytes() const { return sizeof(double) * (values_.size() + 2 * steps_.size()); }
    std::uint64_t num_samples() const { return num_samples_; }
    /// This rank's part of ResultSums::samples.
    std::uint64_t own_sum() const { return own_sum_; }

  private:
    void write_values(Exchange& exchange, std::size_t index, std::size_t column, std::uint64_t num_new);
    template <class Number>
    void write_rows(Exchange& exchange, hdf5::Dataset& dataset, const std::string& name, std::size_t width,
                    std::uint64_t num_new, const std::vector<Number>& values);

    std::vector<ObservableInfo> infos_;
    std::size_t num_columns_ = 0;  ///< values per sample
    hdf5::Dataset step_, time_;
    std::vector<hdf5::Dataset> datasets_;
    std::vector<std::uint64_t> steps_;  ///< buffered, as are times_ and values_ [steps_.size()][num_columns_]
    std::vector<double> times_, values_;
    std::uint64_t num_samples_ = 0;  ///< in the file
    std::uint64_t own_sum_ = 0;
};

}  // namespace ricochet
