// SPDX-License-Identifier: BSD-3-Clause
#include "run/h5md_start.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "result/h5md_frame.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr double float32_digits = 0x1p-23;

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return excerpt(text);
}

/// A length per time as H5MD and others write it ("nm ps-1", "nm/ps"). Other products of units say nothing here.
void claim_velocity_unit(const std::string& unit, FileClaims& claims) {
    const std::size_t split = unit.find_first_of(" /*");
    if (split == std::string::npos) return;
    const std::string length = unit.substr(0, split);
    std::string time = unit.substr(split + 1);
    const bool is_power = time.size() > 2 && time.ends_with("-1");
    if (is_power) time.resize(time.size() - 2);
    if (is_power && time.ends_with('^')) time.pop_back();
    if (is_power != (unit[split] == '/') && time.find_first_of(" /*+-^") == std::string::npos) {
        claims.units.push_back({"length", length, "velocity"});
        claims.units.push_back({"time", time, "velocity"});
    }
}

FileClaims claims_of(const H5mdFrame& frame) {
    FileClaims claims;
    claims.box = StatedBox{"box/edges", frame.box.edges};
    claims.box->is_skew = frame.box.is_skew;
    for (std::size_t k = 0; k < std::min<std::size_t>(3, frame.box.offset.size()); ++k)
        claims.box->origin[static_cast<int>(k)] = frame.box.offset[k];
    StatedBoundary& boundary = claims.box->boundary;
    boundary.name = "box/boundary";
    boundary.is_routine = !frame.is_ours;
    boundary.is_missing = frame.box.boundary.empty();
    for (const std::string& word : frame.box.boundary) {
        boundary.words += (boundary.words.empty() ? "" : " ") + word;
        boundary.is_periodic_at.push_back(word == "periodic");
    }
    for (const NamedText& unit : frame.units) claims.units.push_back({unit.name, unit.text});
    claim_velocity_unit(frame.velocity_unit, claims);
    if (frame.has_float32)
        for (const double edge : frame.box.edges)
            claims.resolution = std::max(claims.resolution, float32_digits * edge);
    return claims;
}

/// A file that HDF5 cannot read is a mistake in the input, as a text file with a bad row is.
template <class Read>
auto read_or_refuse(const std::string& path, const Read& read) {
    try {
        return read();
    } catch (const Hdf5Error& error) {
        const std::string reason = error.what();
        throw InputError((reason.starts_with(path) ? reason : path + ": " + reason) +
                         "; the file is damaged or was not copied to its end: take a whole one");
    }
}

/// Reads a frame in blocks of rows, group after group.
class FrameRows final : public TableSource {
  public:
    FrameRows(std::string path, const Config& config)
        : path_(std::move(path)),
          wanted_(config.placement.frame),
          dimension_(config.box.dimension),
          species_(config.species) {
        const std::vector<std::string> all = read_or_refuse(path_, [&] { return h5md_groups(path_); });
        groups_ = config.placement.group ? std::vector{*config.placement.group} : all;
    }

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (next_row_ > 0 && next_row_ >= num_rows_) next_group();
        if (group_ == groups_.size()) {
            require_particles();
            return false;
        }
        H5mdFrame frame = read_or_refuse(path_, [&] {
            return read_h5md_frame(path_, next_row_ > 0 ? frame_ : wanted_, {next_row_, most_rows},
                                   groups_[group_]);
        });
        if (frame.dimension < dimension_)
            throw InputError(path_ + ": has positions in two dimensions, expected three as box.size has");
        if (next_row_ == 0) {
            require_same_step(frame);
            num_rows_of_all_ += frame.num_rows;
        }
        frame_ = frame.frame;  // the last one, if the file grows
        num_rows_ = frame.num_rows;
        next_row_ += most_rows;
        num_particles_ += frame.particles.size();
        fill(block, std::move(frame));
        return true;
    }

    std::vector<std::string> notes() const override {
        if (groups_.size() < 2) return {};
        return {text_of(num_particles_, " particles of the groups ", joined(groups_),
                        " were read together (placement.group chooses one)")};
    }
    std::string advice() const override {
        if (groups_.size() < 2) return {};
        return text_of("the groups ", joined(groups_), " were read together, placement.group chooses one");
    }

  private:
    void next_group() {
        ++group_;
        next_row_ = num_rows_ = 0;
    }
    void require_same_step(const H5mdFrame& frame) {
        if (group_ == 0) step_ = frame.step;
        if (frame.step != step_)
            throw InputError(text_of(path_, ": got step ", step_, " of group ", excerpt(groups_[0]),
                                     " and step ", frame.step, " of group ", excerpt(groups_[group_]),
                                     ", expected one step: choose a group with placement.group, or a frame"));
    }
    void require_particles() const {
        if (num_particles_ == 0)
            throw InputError(text_of(path_, ": has no particles in its frame ", frame_.value_or(0), ": got ",
                                     num_rows_of_all_, " rows without one, expected particles"));
    }
    /// Names for VMD are often chemical symbols, which mean nothing here.
    bool knows_any(const std::vector<std::string>& names) const {
        return std::any_of(species_.begin(), species_.end(), [&](const Species& species) {
            return std::find(names.begin(), names.end(), species.name) != names.end();
        });
    }
    bool names_species() const {
        if (species_.size() == 1) return false;
        if (groups_.size() > 1) return true;
        return std::any_of(species_.begin(), species_.end(),
                           [&](const Species& species) { return species.name == groups_[group_]; });
    }
    void fill(ParticleTable& block, H5mdFrame frame) const {
        block = ParticleTable();
        block.places.file = path_;
        block.claims = claims_of(frame);
        block.particles = std::move(frame.particles);
        block.has_id = frame.has_id;
        block.has_species = frame.has_species;
        block.has_velocity = frame.has_velocity;
        block.has_radius = frame.has_radius;
        block.has_mass = frame.has_mass;
        block.has_image = frame.has_image;
        block.species_names = std::move(frame.species_names);
        if (block.species_names.empty() && knows_any(frame.vmd_names)) block.species_names = frame.vmd_names;
        block.has_nameless_species = block.has_species && block.species_names.empty();
        if (block.has_species || !names_species()) return;
        block.has_species = true;
        block.species_names = {groups_[group_]};
    }

    std::string path_;
    std::optional<std::uint64_t> wanted_, frame_;
    int dimension_;
    std::vector<Species> species_;
    std::vector<std::string> groups_;
    std::size_t group_ = 0;
    std::uint64_t num_rows_ = 0, next_row_ = 0;  ///< of the present group
    std::uint64_t num_rows_of_all_ = 0, num_particles_ = 0, step_ = 0;
};

}  // namespace

std::unique_ptr<TableSource> open_h5md_start(const std::string& path, const Config& config) {
    return std::make_unique<FrameRows>(path, config);
}

}  // namespace ricochet
