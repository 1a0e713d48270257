// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that the phases of a step share. A BlockStore hands out blocks of one size and takes them back. A
// BlockVector is a sequence kept in such blocks.
//
// What one phase gives back, the next one uses. So the peak is the most that is in use at one time. Vectors
// kept from step to step would add up to the sum of their largest sizes. A growing sequence is never copied;
// a growing vector needs its old and its new memory at once, and keeps up to twice its size.
//
// Layout: blocks are cut from slabs of memory, each a sixteenth of what there is, so that there are few
// allocations. The block given back last is handed out first, because it is the one most likely in cache. The
// store returns nothing to the system before its end.
//
// Disadvantage: an element is found through a table of blocks, and a sequence takes at least one block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

/// Not for use by several threads at once.
class BlockStore {
  public:
    static constexpr std::size_t block_bytes = 16384;
    static constexpr std::size_t alignment = 64;

    BlockStore() = default;
    BlockStore(const BlockStore&) = delete;
    BlockStore& operator=(const BlockStore&) = delete;
    ~BlockStore() = default;

    /// A block of uninitialised memory.
    std::byte* take() {
        if (free_.empty()) grow();
        std::byte* const block = free_.back();
        free_.pop_back();
        return block;
    }
    /// Takes a block back that take() has handed out.
    void give_back(std::byte* block) noexcept { free_.push_back(block); }

    std::size_t num_blocks() const { return num_blocks_; }
    std::size_t num_free() const { return free_.size(); }
    std::size_t memory_bytes() const { return num_blocks_ * block_bytes + bytes_of(free_); }

  private:
    struct Release {
        std::align_val_t alignment{};
        void operator()(std::byte* slab) const { ::operator delete(slab, alignment); }
    };

    void grow() {
        constexpr std::size_t per_large_page = large_page_bytes / block_bytes;
        std::size_t count = std::max<std::size_t>(16, num_blocks_ / 16);
        std::align_val_t at{alignment};
        if (num_blocks_ >= per_large_page) {
            count = (count + per_large_page - 1) / per_large_page * per_large_page;
            at = std::align_val_t{large_page_bytes};
        }
        free_.reserve(num_blocks_ + count);  // give_back must not fail
        slabs_.emplace_back(static_cast<std::byte*>(::operator new(count* block_bytes, at)), Release{at});
        prefer_large_pages(slabs_.back().get(), count * block_bytes);
        num_blocks_ += count;
        for (std::size_t k = count; k-- > 0;) free_.push_back(slabs_.back().get() + k * block_bytes);
    }

    std::vector<std::unique_ptr<std::byte, Release>> slabs_;
    std::vector<std::byte*> free_;
    std::size_t num_blocks_ = 0;
};

/// A sequence of plain records in blocks of a store, which must outlive it.
template <class T>
class BlockVector {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= BlockStore::alignment);

  public:
    static constexpr std::size_t per_block = BlockStore::block_bytes / sizeof(T);

    explicit BlockVector(BlockStore& store) : store_(&store) {}
    BlockVector(const BlockVector&) = delete;
    BlockVector& operator=(const BlockVector&) = delete;
    BlockVector(BlockVector&& other) noexcept
        : store_(other.store_),
          blocks_(std::move(other.blocks_)),
          next_(std::exchange(other.next_, nullptr)),
          end_(std::exchange(other.end_, nullptr)) {
        other.blocks_.clear();
    }
    BlockVector& operator=(BlockVector&& other) noexcept {
        std::swap(store_, other.store_);
        std::swap(blocks_, other.blocks_);
        std::swap(next_, other.next_);
        std::swap(end_, other.end_);
        return *this;
    }
    ~BlockVector() { clear(); }

    bool empty() const { return blocks_.empty(); }
    std::size_t size() const {
        return blocks_.empty() ? 0 : blocks_.size() * per_block - static_cast<std::size_t>(end_ - next_);
    }
    T& operator[](std::size_t k) {
        RICOCHET_DCHECK_LT(k, size());
        return blocks_[k / per_block][k % per_block];
    }
    const T& operator[](std::size_t k) const {
        RICOCHET_DCHECK_LT(k, size());
        return blocks_[k / per_block][k % per_block];
    }

    void push_back(const T& value) {
        if (next_ == end_) add_block();
        ::new (next_++) T(value);
    }
    void append(std::span<const T> values) {
        while (!values.empty()) {
            if (next_ == end_) add_block();
            const std::size_t count = std::min(values.size(), static_cast<std::size_t>(end_ - next_));
            next_ = std::uninitialized_copy_n(values.begin(), count, next_);
            values = values.subspan(count);
        }
    }
    /// Appends `count` uninitialised elements.
    void extend(std::size_t count) {
        const std::size_t size_after = size() + count;
        while (blocks_.size() * per_block < size_after) add_block();
        next_ = end_ - (blocks_.size() * per_block - size_after);
    }
    /// Removes all but the first `size` elements; at least that many must exist.
    void shrink(std::size_t size) {
        RICOCHET_DCHECK_LE(size, this->size());
        const std::size_t num_kept = (size + per_block - 1) / per_block;
        while (blocks_.size() > num_kept) drop_block();
        end_ = blocks_.empty() ? nullptr : blocks_.back() + per_block;
        next_ = blocks_.empty() ? nullptr : end_ - (num_kept * per_block - size);
    }
    void clear() { shrink(0); }

    /// visit(elements) for the elements of one block after another.
    template <class Visit>
    void for_each_block(Visit&& visit) const {
        for (std::size_t b = 0; b < blocks_.size(); ++b) visit(std::span<const T>(blocks_[b], end_of(b)));
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for_each_block([&](std::span<const T> elements) {
            for (const T& element : elements) visit(element);
        });
    }
    /// Visits every element and leaves the sequence empty. Every block is given back as soon as it has been
    /// visited, so that what the visits fill can use it.
    template <class Visit>
    void consume(Visit&& visit) {
        BlockVector taken = std::move(*this);
        for (std::size_t b = 0; b < taken.blocks_.size(); ++b) {
            for (const T *at = taken.blocks_[b], *end = taken.end_of(b); at != end; ++at) visit(*at);
            store_->give_back(bytes(std::exchange(taken.blocks_[b], nullptr)));
        }
    }

  private:
    static std::byte* bytes(T* block) { return reinterpret_cast<std::byte*>(block); }
    const T* end_of(std::size_t b) const { return b + 1 == blocks_.size() ? next_ : blocks_[b] + per_block; }

    void add_block() {
        blocks_.push_back(nullptr);
        blocks_.back() = reinterpret_cast<T*>(store_->take());
        next_ = blocks_.back();
        end_ = next_ + per_block;
    }
    void drop_block() {
        if (blocks_.back() != nullptr) store_->give_back(bytes(blocks_.back()));
        blocks_.pop_back();
    }

    BlockStore* store_;
    std::vector<T*> blocks_;
    T* next_ = nullptr;  ///< where the next element goes, in the last block
    T* end_ = nullptr;   ///< of the last block
};

}  // namespace ricochet
