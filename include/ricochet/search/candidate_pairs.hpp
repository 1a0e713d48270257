// SPDX-License-Identifier: BSD-3-Clause
//
// What a search finds at the start of a step: pairs of slots, as runs of partners of one slot. A slot may
// have several runs or none; a pair appears once, with either slot first.
//
// Layout: blocks (core/block_store.hpp) that the partners fill from the front and the lengths of the runs
// from the back. A run lies in one block; a longer one is cut. The pairs are most of what the start of a step
// needs, and nothing of the rest of it: their blocks are used again at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/block_store.hpp"
#include "ricochet/core/particles.hpp"

namespace ricochet {

class CandidatePairs {
  public:
    /// The store must outlive the pairs.
    explicit CandidatePairs(BlockStore& store) : store_(store) {}
    CandidatePairs(const CandidatePairs&) = delete;
    CandidatePairs& operator=(const CandidatePairs&) = delete;
    ~CandidatePairs() { clear(); }

    void clear() {
        for (const Block& block : blocks_) release(block);
        blocks_.clear();
        num_pairs_ = room_ = 0;
        run_ = nullptr;
        is_aside_ = false;
    }
    std::size_t size() const { return num_pairs_; }

    /// Room for at least `count` partners, to be written by the caller before end_run. May be called again to
    /// ask for more; what has been written stays.
    Slot* begin_run(std::size_t count) {
        if (count > room_) make_room(count);
        return run_;
    }
    /// Keeps the first `count` partners that were written since begin_run, as those of `slot`.
    void end_run(Slot slot, std::size_t count) {
        if (is_aside_)
            end_run_aside(slot, count);
        else if (count != 0)
            append_run(slot, count);
    }

    /// visit(slot, partners) for every run, in the order in which they were found.
    template <class Visit>
    void for_each_run(Visit&& visit) const {
        for (const Block& block : blocks_) block.for_each_run(visit);
    }

    /// The same, with fetch(partner) for every partner about `ahead` partners before it is visited, and
    /// leaves nothing: every block is given back as soon as it has been visited, so that what the visits fill
    /// needs no room besides.
    template <class Visit, class Fetch>
    void consume_runs(Visit&& visit, std::size_t ahead, Fetch&& fetch) {
        for (Block& block : blocks_) {
            std::size_t fetched = 0, end = 0;
            block.for_each_run([&](Slot slot, std::span<const Slot> partners) {
                end += partners.size();
                for (const std::size_t until = std::min(end + ahead, block.num_partners); fetched < until;
                     ++fetched)
                    fetch(block.partners()[fetched]);
                visit(slot, partners);
            });
            release(block);
            block = {};
        }
        clear();
    }

  private:
    struct Run {
        Slot slot;
        std::uint32_t count;
    };
    static constexpr std::size_t slots_per_run = sizeof(Run) / sizeof(Slot);
    static constexpr std::size_t slots_per_block = BlockStore::block_bytes / sizeof(Slot);

    struct Block {
        std::byte* memory = nullptr;
        std::size_t num_partners = 0, num_runs = 0;

        Slot* partners() const { return reinterpret_cast<Slot*>(memory); }
        /// Of the run found k-th.
        Run* run(std::size_t k) const {
            return reinterpret_cast<Run*>(memory + BlockStore::block_bytes) - (k + 1);
        }
        std::size_t room() const { return slots_per_block - num_partners - slots_per_run * num_runs; }
        template <class Visit>
        void for_each_run(Visit&& visit) const {
            const Slot* first = partners();
            for (std::size_t k = 0; k < num_runs; ++k) {
                const Run& of = *run(k);
                visit(of.slot, std::span<const Slot>(first, of.count));
                first += of.count;
            }
        }
    };

    void release(const Block& block) {
        if (block.memory != nullptr) store_.give_back(block.memory);
    }
    void append_run(Slot slot, std::size_t count) {
        Block& block = blocks_.back();
        *block.run(block.num_runs++) = {slot, static_cast<std::uint32_t>(count)};
        block.num_partners += count;
        num_pairs_ += count;
        open_run();
    }
    /// Lets the next run begin where the last block has room.
    void open_run() {
        const Block& block = blocks_.back();
        run_ = block.partners() + block.num_partners;
        room_ = block.room() - std::min(block.room(), slots_per_run);
    }
    void add_block() {
        blocks_.push_back({});
        blocks_.back().memory = store_.take();
        open_run();
    }
    /// Small runs begin a new block; others are written aside first, lest blocks are left half empty.
    void make_room(std::size_t count) {
        const Slot* const written = run_;
        const std::size_t num_written = room_;
        if (is_aside_) return write_aside(count);
        if (count > slots_per_block / 8)
            write_aside(count);
        else
            add_block();
        std::copy_n(written, num_written, run_);
    }
    void write_aside(std::size_t count) {
        if (aside_.size() < count) aside_.resize(2 * count);
        run_ = aside_.data();
        room_ = aside_.size();
        is_aside_ = true;
    }
    void end_run_aside(Slot slot, std::size_t count) {
        is_aside_ = false;
        room_ = 0;
        if (!blocks_.empty()) open_run();
        for (std::size_t k = 0; k < count;) {
            if (room_ == 0) add_block();
            const std::size_t piece = std::min(count - k, room_);
            std::copy_n(aside_.begin() + static_cast<std::ptrdiff_t>(k), piece, run_);
            append_run(slot, piece);
            k += piece;
        }
    }

    BlockStore& store_;
    std::vector<Block> blocks_;
    std::size_t num_pairs_ = 0;
    Slot* run_ = nullptr;      ///< where the partners of the open run are written
    std::size_t room_ = 0;     ///< there
    bool is_aside_ = false;    ///< that is in `aside_`
    std::vector<Slot> aside_;  ///< partners of a long run
};

}  // namespace ricochet
