// SPDX-License-Identifier: BSD-3-Clause
#include "io/exchange.hpp"

#include <limits>
#include <string>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

int narrowed(std::size_t count) {
    if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw RunError("more than 2^31 records on one rank in one exchange of output: use more ranks");
    return static_cast<int>(count);
}

// Running starts of consecutive blocks; returns their total length.
std::size_t fill_starts(const std::vector<int>& counts, std::vector<int>& starts) {
    std::size_t total = 0;
    starts.clear();
    for (const int count : counts) {
        starts.push_back(narrowed(total));
        total += static_cast<std::size_t>(count);
    }
    return total;
}

}  // namespace

void require_mpi_success(int code, const char* call) {
    if (code != MPI_SUCCESS)
        throw RunError(std::string(call) + " failed with MPI error code " + std::to_string(code));
}

ByteRecordType::ByteRecordType(std::size_t num_bytes) {
    require_mpi_success(MPI_Type_contiguous(narrowed(num_bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    require_mpi_success(MPI_Type_commit(&type_), "MPI_Type_commit");
}

ByteRecordType::~ByteRecordType() { MPI_Type_free(&type_); }

ExchangePlan plan_exchange(const boost::mpi::communicator& ranks,
                           const std::vector<std::size_t>& send_counts) {
    ExchangePlan plan;
    for (const std::size_t count : send_counts) plan.send_counts.push_back(narrowed(count));
    plan.receive_counts.resize(send_counts.size());
    require_mpi_success(
        MPI_Alltoall(plan.send_counts.data(), 1, MPI_INT, plan.receive_counts.data(), 1, MPI_INT, ranks),
        "MPI_Alltoall");
    fill_starts(plan.send_counts, plan.send_starts);
    plan.num_received = fill_starts(plan.receive_counts, plan.receive_starts);
    return plan;
}

ExchangePlan plan_gathering(const boost::mpi::communicator& ranks, std::size_t num_local) {
    ExchangePlan plan;
    plan.send_counts.push_back(narrowed(num_local));
    plan.send_starts.push_back(0);
    plan.receive_counts.resize(static_cast<std::size_t>(ranks.size()));
    require_mpi_success(
        MPI_Allgather(plan.send_counts.data(), 1, MPI_INT, plan.receive_counts.data(), 1, MPI_INT, ranks),
        "MPI_Allgather");
    plan.num_received = fill_starts(plan.receive_counts, plan.receive_starts);
    return plan;
}

GlobalRows locate_rows(const boost::mpi::communicator& ranks, std::uint64_t num_local) {
    GlobalRows rows;
    std::uint64_t end = 0;
    require_mpi_success(MPI_Scan(&num_local, &end, 1, MPI_UINT64_T, MPI_SUM, ranks), "MPI_Scan");
    rows.first = end - num_local;
    rows.total = end;
    require_mpi_success(MPI_Bcast(&rows.total, 1, MPI_UINT64_T, ranks.size() - 1, ranks), "MPI_Bcast");
    return rows;
}

}  // namespace ricochet
