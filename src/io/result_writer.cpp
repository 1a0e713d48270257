// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/io/result_writer.hpp"

#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/operations.hpp>
#include <vector>

#include "io/agree.hpp"
#include "io/collision_log.hpp"
#include "io/complete_rows.hpp"
#include "io/description_writer.hpp"
#include "io/exchange.hpp"
#include "io/frame_writer.hpp"
#include "io/hdf5_attribute.hpp"
#include "io/observable_writer.hpp"
#include "io/xdmf.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/output_path.hpp"

namespace ricochet {

struct ResultWriter::Parts {
    boost::mpi::communicator ranks;  ///< a duplicate: output cannot disturb other traffic
    std::string path;
    std::uint64_t num_particles = 0;
    Precision precision = Precision::float64;
    hdf5::ParallelFile file;
    hdf5::Dataset complete;
    FrameWriter frames;
    CollisionLog collisions;
    ObservableWriter observables;
    std::uint64_t num_frames = 0;                     ///< committed
    std::optional<std::string> collision_log_notice;  ///< as of the latest commit
    std::vector<double> frame_times;                  ///< for the .xdmf file
    std::size_t num_frames_in_xdmf = 0;

    bool is_root() const { return ranks.rank() == 0; }
    void create(ResultDescription description, bool replace);
    std::size_t buffered_bytes() const { return collisions.buffered_bytes() + observables.buffered_bytes(); }
    void require_space(std::uint64_t frame_bytes) const;
    void write_buffered();
    void commit();
    void update_xdmf();
    void close_objects();
};

void ResultWriter::Parts::create(ResultDescription description, bool replace) {
    check_output_path(ranks, path, replace);
    num_particles = description.num_particles;
    precision = description.precision;
    file = hdf5::ParallelFile(ranks, path, replace);
    write_h5md_group(file.get(), description.author);
    const hdf5::Handle group = hdf5::create_group(file.get(), "ricochet");
    complete = create_complete_rows(group.get());
    write_description(group.get(), description, ranks.size());
    frames = FrameWriter(file.get(), description);
    collisions = CollisionLog(group.get(), description.collisions);
    observables = ObservableWriter(group.get(), std::move(description.observables));
}

void ResultWriter::Parts::require_space(std::uint64_t frame_bytes) const {
    const std::uint64_t buffered = locate_rows(ranks, buffered_bytes()).total;
    require_free_space(ranks, path, frame_bytes + buffered);
}

void ResultWriter::Parts::write_buffered() {
    collisions.write_buffered(ranks);
    observables.write_buffered(ranks);
}

// Data before counters: the flush ends when the data and all metadata are in the file, and only then the
// counters are written.
void ResultWriter::Parts::commit() {
    file.flush();
    write_complete_rows(ranks, complete,
                        {frames.num_frames(), collisions.num_rows(), observables.num_samples(),
                         collisions.num_complete_steps()});
    num_frames = frames.num_frames();
    collision_log_notice = collisions.notice();
}

void ResultWriter::Parts::update_xdmf() {
    std::optional<std::string> problem;
    if (is_root()) {
        try {
            write_xdmf(path, num_particles, precision, frame_times);
        } catch (const RunError& error) {
            problem = error.what();
        }
    }
    num_frames_in_xdmf = frame_times.size();
    throw_together<RunError>(ranks, problem);
}

// HDF5 refuses to close a parallel file of which objects are open.
void ResultWriter::Parts::close_objects() {
    complete = {};
    frames = {};
    collisions = {};
    observables = {};
}

ResultWriter::ResultWriter(const boost::mpi::communicator& ranks, const std::string& path,
                           ResultDescription description, bool replace)
    : parts_(std::make_unique<Parts>()) {
    parts_->ranks = boost::mpi::communicator(ranks, boost::mpi::comm_duplicate);
    parts_->path = path;
    parts_->create(std::move(description), replace);
    parts_->commit();
}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;
ResultWriter::~ResultWriter() = default;

void ResultWriter::write_frame(std::uint64_t step, double time, const Particles& owned) {
    parts_->require_space(parts_->frames.frame_bytes());
    parts_->frames.write(parts_->ranks, step, time, owned);
    parts_->write_buffered();
    parts_->commit();
    parts_->frame_times.push_back(time);
    if (8 * parts_->frame_times.size() >= 9 * parts_->num_frames_in_xdmf + 8) parts_->update_xdmf();
}

void ResultWriter::append_contacts(std::uint64_t step, std::span<const Contact> contacts) {
    parts_->collisions.append(step, contacts);
}

void ResultWriter::append_observables(std::uint64_t step, double time, std::span<const double> values) {
    if (parts_->is_root()) parts_->observables.append(step, time, values);
}

void ResultWriter::flush() {
    parts_->require_space(0);
    parts_->write_buffered();
    parts_->commit();
}

void ResultWriter::flush_if_full(std::size_t max_bytes) {
    const std::size_t most =
        boost::mpi::all_reduce(parts_->ranks, parts_->buffered_bytes(), boost::mpi::maximum<std::size_t>());
    if (most > max_bytes) flush();
}

void ResultWriter::close(double wall_time_seconds, std::span<const NamedText> provenance) {
    flush();
    {
        const hdf5::Handle group = hdf5::open_group(parts_->file.get(), "/ricochet/provenance");
        hdf5::write_attribute(group.get(), "wall_time_seconds", wall_time_seconds);
        write_texts(group.get(), provenance);
    }
    parts_->close_objects();
    parts_->file.close();
    parts_->update_xdmf();
}

std::optional<std::string> ResultWriter::collision_log_notice() const { return parts_->collision_log_notice; }

std::uint64_t ResultWriter::num_frames() const { return parts_->num_frames; }

}  // namespace ricochet
