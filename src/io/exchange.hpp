// SPDX-License-Identifier: BSD-3-Clause
//
// Plain records between ranks, as bytes. MPI counts are 32-bit, so they count records, not bytes: a record
// type keeps 2^31 records (not bytes) per rank within reach, and more than that is refused.
#pragma once

#include <mpi.h>

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ricochet {

/// Throws RunError unless an MPI call has succeeded (with MPI's default error handler it ends the program
/// before that).
void require_mpi_success(int code, const char* call);

/// An MPI type of `num_bytes` plain bytes.
class ByteRecordType {
  public:
    explicit ByteRecordType(std::size_t num_bytes);
    ByteRecordType(const ByteRecordType&) = delete;
    ByteRecordType(ByteRecordType&&) = delete;
    ByteRecordType& operator=(const ByteRecordType&) = delete;
    ByteRecordType& operator=(ByteRecordType&&) = delete;
    ~ByteRecordType();
    MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// How many records go to and come from each rank, and where they start.
struct ExchangePlan {
    std::vector<int> send_counts, send_starts, receive_counts, receive_starts;
    std::size_t num_received = 0;
};

/// Tells every rank what it will receive. Throws RunError on this rank when a count exceeds 2^31 - 1
/// records. Collective.
ExchangePlan plan_exchange(const boost::mpi::communicator& ranks,
                           const std::vector<std::size_t>& send_counts);

/// Where a rank's rows stand among those of all ranks.
struct GlobalRows {
    std::uint64_t first = 0;  ///< rows of the ranks before this one
    std::uint64_t total = 0;  ///< rows of all ranks
};

/// Collective.
GlobalRows locate_rows(const boost::mpi::communicator& ranks, std::uint64_t num_local);

/// Sends counts[k] consecutive records to rank k; returns what all ranks sent here, in the order of the
/// ranks. Collective.
template <class Record>
std::vector<Record> exchange(const boost::mpi::communicator& ranks, std::span<const Record> records,
                             const ExchangePlan& plan) {
    static_assert(std::is_trivially_copyable_v<Record>);
    std::vector<Record> received(plan.num_received);
    const ByteRecordType type(sizeof(Record));
    require_mpi_success(MPI_Alltoallv(records.data(), plan.send_counts.data(), plan.send_starts.data(),
                                      type.get(), received.data(), plan.receive_counts.data(),
                                      plan.receive_starts.data(), type.get(), ranks),
                        "MPI_Alltoallv");
    return received;
}

/// How many records come from each rank when every rank gets all. Collective.
ExchangePlan plan_gathering(const boost::mpi::communicator& ranks, std::size_t num_local);

/// The records of all ranks in the order of the ranks, on every rank. Collective.
template <class Record>
std::vector<Record> gather_everywhere(const boost::mpi::communicator& ranks,
                                      std::span<const Record> records) {
    static_assert(std::is_trivially_copyable_v<Record>);
    const ExchangePlan plan = plan_gathering(ranks, records.size());
    std::vector<Record> gathered(plan.num_received);
    const ByteRecordType type(sizeof(Record));
    require_mpi_success(
        MPI_Allgatherv(records.data(), plan.send_counts.front(), type.get(), gathered.data(),
                       plan.receive_counts.data(), plan.receive_starts.data(), type.get(), ranks),
        "MPI_Allgatherv");
    return gathered;
}

}  // namespace ricochet
