// SPDX-License-Identifier: BSD-3-Clause
//
// The tracks of a set of particles. They unwrap positions, and tell which particles one has absorbed, to which it is
// tethered, and when it touched something last. In a large box few particles ever cross a face, and hardly one does
// so often.
//
// Layout: image counts take as many bytes as the largest of them needs, at first one per axis. The first
// count that does not fit doubles the bytes of all, up to eight. That is 27 bytes per particle instead of 48,
// to store and to sort. The counts that a step changes also lie closer together. Absorbed ids take no memory until
// there is one. Tethers take none unless the run has such rules, times of contacts none unless it prevents collapse.
//
// Disadvantage: a track is assembled when it is read and taken apart when it is written.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/tethers.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// Unwraps a particle's position, and keeps the id of the one that it has absorbed.
struct Track {
    Vec3 origin;                          ///< unwrapped position at which displacements begin
    std::array<std::int64_t, 3> image{};  ///< unwrapped position = position + image * L
    /// The id of the particle that ended when the two became this one. A decay into two gives the id back.
    std::uint64_t absorbed = no_id;
};
static_assert(sizeof(Track) == 56 && std::is_trivially_copyable_v<Track>);

/// The time of the latest contact of a particle that has had none.
inline constexpr double no_contact_yet = -std::numeric_limits<double>::infinity();

class TrackList {
  public:
    using Image = std::array<std::int64_t, 3>;

    std::size_t size() const { return origin_.size(); }
    bool empty() const { return origin_.empty(); }
    std::size_t capacity() const { return std::min(origin_.capacity(), image_.capacity() / image_bytes()); }
    void reserve(std::size_t size) {
        reserve_in_large_pages(origin_, size);
        reserve_in_large_pages(image_, size * image_bytes());
        if (!absorbed_.empty()) reserve_in_large_pages(absorbed_, size);
        if (keeps_tethers_) reserve_in_large_pages(tethers_, size);
        if (keeps_latest_contacts_) reserve_in_large_pages(latest_contacts_, size);
    }
    /// New tracks are default constructed.
    void resize(std::size_t size) {
        origin_.resize(size);
        image_.resize(size * image_bytes());
        if (!absorbed_.empty()) absorbed_.resize(size, no_id);
        if (keeps_tethers_) tethers_.resize(size);
        if (keeps_latest_contacts_) latest_contacts_.resize(size, no_contact_yet);
    }
    void clear() {
        resize(0);
        count_bytes_ = 1;
    }
    void push_back(const Track& track) {
        resize(size() + 1);
        set(size() - 1, track);
    }

    Vec3 origin(std::size_t k) const {
        RICOCHET_DCHECK_LT(k, size());
        return origin_[k];
    }
    Image image(std::size_t k) const {
        RICOCHET_DCHECK_LT(k, size());
        switch (count_bytes_) {
            case 1:
                return load<std::int8_t>(k);
            case 2:
                return load<std::int16_t>(k);
            case 4:
                return load<std::int32_t>(k);
            default:
                return load<std::int64_t>(k);
        }
    }
    /// Returns a copy: changes of it would be lost.
    const Track operator[](std::size_t k) const {  // NOLINT(readability-const-return-type)
        return {origin(k), image(k), absorbed(k)};
    }

    std::uint64_t absorbed(std::size_t k) const {
        RICOCHET_DCHECK_LT(k, size());
        return absorbed_.empty() ? no_id : absorbed_[k];
    }

    /// From now on there is room for tethers. To be asked for on all ranks: migrants bring theirs. O(size) at first.
    void keep_tethers() {
        if (keeps_tethers_) return;
        keeps_tethers_ = keeps_more_ = true;
        reserve_in_large_pages(tethers_, capacity());
        tethers_.resize(size());
    }
    bool keeps_tethers() const { return keeps_tethers_; }
    /// By particle; empty where none are kept. Valid until the size changes.
    std::span<Tethers> tethers() { return tethers_; }
    std::span<const Tethers> tethers() const { return tethers_; }

    /// From now on the time of the latest contact is kept. Likewise.
    void keep_latest_contacts() {
        if (keeps_latest_contacts_) return;
        keeps_latest_contacts_ = keeps_more_ = true;
        reserve_in_large_pages(latest_contacts_, capacity());
        latest_contacts_.resize(size(), no_contact_yet);
    }
    bool keeps_latest_contacts() const { return keeps_latest_contacts_; }
    /// By particle, relative to the begin of the step, or at its end to that; empty where none are kept. Valid until
    /// the size changes.
    std::span<double> latest_contacts() { return latest_contacts_; }
    std::span<const double> latest_contacts() const { return latest_contacts_; }
    /// Takes from track `from` of another list what only some runs keep.
    void take_more(std::size_t to, const TrackList& other, std::size_t from) {
        if (other.keeps_tethers_) {
            keep_tethers();
            tethers_[to] = other.tethers_[from];
        }
        if (other.keeps_latest_contacts_) {
            keep_latest_contacts();
            latest_contacts_[to] = other.latest_contacts_[from];
        }
    }

    void set_origin(std::size_t k, Vec3 origin) {
        RICOCHET_DCHECK_LT(k, size());
        origin_[k] = origin;
    }
    /// O(size) in the rare case that the image needs more bytes than all before.
    void set_image(std::size_t k, const Image& image) {
        RICOCHET_DCHECK_LT(k, size());
        while (!fits(image)) widen();
        put(k, image);
    }
    /// O(size) for the first id other than no_id.
    void set_absorbed(std::size_t k, std::uint64_t absorbed) {
        RICOCHET_DCHECK_LT(k, size());
        if (absorbed_.empty()) {
            if (absorbed == no_id) return;
            keeps_more_ = true;
            reserve_in_large_pages(absorbed_, capacity());
            absorbed_.resize(size(), no_id);
        }
        absorbed_[k] = absorbed;
    }
    void set(std::size_t k, const Track& track) {
        set_origin(k, track.origin);
        set_image(k, track.image);
        set_absorbed(k, track.absorbed);
    }
    /// Copies the track of particle `from` to particle `to`, as bytes: through an Image, sorting takes
    /// longer.
    void copy_within(std::size_t from, std::size_t to) {
        RICOCHET_DCHECK_LT(std::max(from, to), size());
        origin_[to] = origin_[from];
        if (keeps_more_) copy_more(from, to);
        switch (count_bytes_) {
            case 1:
                return copy_image<1>(from, to);
            case 2:
                return copy_image<2>(from, to);
            case 4:
                return copy_image<4>(from, to);
            default:
                return copy_image<8>(from, to);
        }
    }

    void prefetch(std::size_t k) const {
        ricochet::prefetch(&origin_[k].x);
        ricochet::prefetch(&origin_[k].z);
        ricochet::prefetch(place(k));
    }

    /// Bytes of an image.
    std::size_t image_bytes() const { return 3 * count_bytes_; }

  private:
    std::byte* place(std::size_t k) { return image_.data() + k * image_bytes(); }
    const std::byte* place(std::size_t k) const { return image_.data() + k * image_bytes(); }

    void copy_more(std::size_t from, std::size_t to) {
        if (!absorbed_.empty()) absorbed_[to] = absorbed_[from];
        if (keeps_tethers_) tethers_[to] = tethers_[from];
        if (keeps_latest_contacts_) latest_contacts_[to] = latest_contacts_[from];
    }
    /// Copies with a length known to the compiler, in a few moves.
    template <std::size_t bytes_of_count>
    void copy_image(std::size_t from, std::size_t to) {
        std::array<std::byte, 3 * bytes_of_count> image;
        std::memcpy(image.data(), place(from), image.size());
        std::memcpy(place(to), image.data(), image.size());
    }
    template <class Count>
    Image load(std::size_t k) const {
        std::array<Count, 3> counts;
        std::memcpy(counts.data(), place(k), sizeof counts);
        return {counts[0], counts[1], counts[2]};
    }
    template <class Count>
    void store(std::size_t k, const Image& image) {
        const std::array<Count, 3> counts{static_cast<Count>(image[0]), static_cast<Count>(image[1]),
                                          static_cast<Count>(image[2])};
        std::memcpy(place(k), counts.data(), sizeof counts);
    }
    void put(std::size_t k, const Image& image) {
        switch (count_bytes_) {
            case 1:
                return store<std::int8_t>(k, image);
            case 2:
                return store<std::int16_t>(k, image);
            case 4:
                return store<std::int32_t>(k, image);
            default:
                return store<std::int64_t>(k, image);
        }
    }
    bool fits(const Image& image) const {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - 8 * count_bytes_);
        const auto fits_one = [most](std::int64_t count) { return count <= most && count >= -most - 1; };
        return fits_one(image[0]) && fits_one(image[1]) && fits_one(image[2]);
    }
    void widen() {
        TrackList wide;
        wide.count_bytes_ = 2 * count_bytes_;
        reserve_in_large_pages(wide.image_, capacity() * wide.image_bytes());
        wide.image_.resize(size() * wide.image_bytes());
        for (std::size_t k = 0; k < size(); ++k) wide.put(k, image(k));
        image_.swap(wide.image_);
        count_bytes_ = wide.count_bytes_;
    }

    std::vector<Vec3> origin_;
    std::vector<std::byte> image_;         ///< three counts for each particle
    std::size_t count_bytes_ = 1;          ///< bytes of a count: 1, 2, 4 or 8
    std::vector<std::uint64_t> absorbed_;  ///< empty: no particle has absorbed another
    std::vector<Tethers> tethers_;         ///< empty, unless they are kept
    std::vector<double> latest_contacts_;  ///< likewise
    bool keeps_tethers_ = false;
    bool keeps_latest_contacts_ = false;
    bool keeps_more_ = false;  ///< than origins and images; asked once for each track that is moved
};

}  // namespace ricochet
