// SPDX-License-Identifier: BSD-3-Clause
#include "placement/start_file.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/offenders.hpp"
#include "core/text.hpp"
#include "model/particle_memory.hpp"
#include "parallel/collectives.hpp"
#include "parallel/id_blocks.hpp"
#include "parallel/outbox.hpp"
#include "placement/distributed_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

using detail::DistributedRows;
using detail::RowPlace;

enum class Outcome : char { good = 'g', bad_input = 'i', failed = 'f' };

/// Runs `work` on rank 0; all ranks throw what it throws. Collective.
void on_root(Exchange& exchange, const std::function<void()>& work) {
    std::string letter_and_text(1, static_cast<char>(Outcome::good));
    const auto note = [&](Outcome outcome, const char* text) {
        letter_and_text = static_cast<char>(outcome) + std::string(text);
    };
    if (exchange.rank() == 0) {
        try {
            work();
        } catch (const InputError& error) {
            note(Outcome::bad_input, error.what());
        } catch (const std::exception& error) {
            note(Outcome::failed, error.what());
        }
    }
    Bytes bytes;
    append_records(bytes, std::span<const char>(letter_and_text));
    exchange.broadcast(bytes, 0);
    std::vector<char> letters;
    read_records(std::span<const std::byte>(bytes), letters);
    const std::string text(letters.begin() + 1, letters.end());
    if (letters.front() == static_cast<char>(Outcome::bad_input)) throw InputError(text);
    if (letters.front() == static_cast<char>(Outcome::failed)) throw RunError(text);
}

/// A row of the file on its way to its rank.
struct Row {
    Motion motion;
    Attributes attributes;
    Track track;
    RowPlace place;
};

/// Facts about the file that all ranks need before they compare rows.
struct FileFacts {
    double largest_radius = 0;
    double resolution = 0;  ///< of positions, a length
    bool has_id = false, has_velocity = false, has_nameless_species = false;
};

class Dealer {
  public:
    Dealer(const StartRules& rules, Exchange& exchange, const DealOptions& options)
        : rules_(rules), exchange_(exchange), options_(options), checker_(rules) {}

    StartFile run(const std::function<std::unique_ptr<TableSource>()>& open) {
        on_root(exchange_, [&] { source_ = open(); });
        deal_all();
        close_source();
        share_facts();
        compare_ids();
        compare_places();
        return {std::move(rows_.particles), facts_.has_velocity, facts_.has_nameless_species, shared_notes()};
    }

  private:
    bool has_read_block(ParticleTable& block);
    void deal_all();
    void deal(const ParticleTable& block, const std::vector<bool>& is_placed);
    void make_room_for(std::size_t num_rows);
    void keep(const Row& row);
    void close_source();
    void share_facts();
    void compare_ids();
    void compare_places();
    void throw_if_any(std::vector<std::string> messages) const;
    std::vector<std::string> shared_notes();

    const StartRules& rules_;
    Exchange& exchange_;
    DealOptions options_;
    RowChecker checker_;  // this and the next six: on rank 0 only
    std::unique_ptr<TableSource> source_;
    std::string file_, advice_;
    std::vector<std::string> notes_;
    std::uint64_t num_rows_ = 0;
    std::uint64_t expected_share_ = 0;  ///< of the rows, for a rank; 0: not known
    FileFacts facts_;
    DistributedRows rows_;
};

/// Reads the next block, and what the file contains, on rank 0. Returns false on the others.
bool Dealer::has_read_block(ParticleTable& block) {
    block.clear_rows();
    if (!source_ || !source_->next(block, options_.block_rows)) return false;
    block.places.first_row = num_rows_;
    num_rows_ += block.particles.size();
    file_ = block.places.file;
    const bool is_first = num_rows_ == block.particles.size();
    facts_.has_id = facts_.has_id || block.has_id;
    facts_.has_velocity = block.has_velocity && (is_first || facts_.has_velocity);
    facts_.has_nameless_species = facts_.has_nameless_species || block.has_nameless_species;
    facts_.resolution = block.claims.resolution;
    return true;
}

void Dealer::deal_all() {
    ParticleTable block;  // whose memory serves all of them
    for (bool has_block = true; has_block;) {
        std::vector<bool> is_placed;
        has_block = false;
        on_root(exchange_, [&] {
            has_block = has_read_block(block);
            if (has_block) is_placed = checker_.add(block);
        });
        // One message for both: the other ranks have 0 to say.
        const std::uint64_t told =
            exchange_.bit_or(has_block ? 2 * source_->expected_rows() + 1 : std::uint64_t{0});
        has_block = told % 2 == 1;
        expected_share_ = told / 2 / static_cast<std::uint64_t>(exchange_.size());
        if (has_block) deal(block, is_placed);
        exchange_.offer_end_of_start();
    }
}

RowPlace place_of(const ParticleTable& block, std::size_t row, bool is_placed) {
    const TablePlaces& places = block.places;
    return {places.first_row + row, places.lines.empty() ? 0 : places.lines[row],
            places.text_column(row, Field::id), places.text_column(row, Field::x), is_placed ? 1u : 0u};
}

/// Room for more rows, and for those that are expected to follow, unless these are very many. Where that is not known
/// it is twice what they need: memory that is not used costs nothing.
void Dealer::make_room_for(std::size_t num_rows) {
    constexpr std::size_t most_growth = 64;
    const std::size_t size = rows_.places.size() + num_rows;
    const std::size_t expected =
        std::min<std::size_t>(expected_share_ + expected_share_ / 16, most_growth * size);
    const std::size_t room = expected > size ? expected : 2 * size;
    if (size > rows_.particles.capacity()) reserve_with_spare(rows_.particles, room);
    if (size > rows_.places.capacity()) reserve_in_large_pages(rows_.places, room);
}

void Dealer::keep(const Row& row) {
    rows_.particles.push_back(row.motion, row.attributes, row.track);
    rows_.places.push_back(row.place);
}

/// Sends consecutive parts of the block to the ranks. Collective; the block is empty except on rank 0.
void Dealer::deal(const ParticleTable& block, const std::vector<bool>& is_placed) {
    const Particles& particles = block.particles;
    const IdBlocks shares(particles.size(), exchange_.size());
    detail::Outbox<Row> of_others(exchange_);
    make_room_for(shares.count(exchange_.rank()));
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const int rank = shares.rank_of(k);
        const Row row{particles.motion[k], particles.attributes[k], particles.track[k],
                      place_of(block, k, is_placed[k])};
        rank == exchange_.rank() ? keep(row) : of_others.add(rank, row);
    }
    const std::vector<Row> arrived = of_others.deliver();
    make_room_for(arrived.size());
    for (const Row& row : arrived) keep(row);
}

void Dealer::close_source() {
    if (source_) {
        notes_ = source_->notes();
        advice_ = source_->advice();
    }
    source_.reset();
}

void Dealer::throw_if_any(std::vector<std::string> messages) const {
    if (messages.empty()) return;
    if (!advice_.empty()) messages.push_back(file_ + ": " + advice_);
    throw InputError(joined_lines(messages));
}

/// Shares the facts with all ranks: only rank 0 has other values than zero.
void Dealer::share_facts() {
    std::array<double, 5> facts{checker_.largest_radius(), facts_.resolution, facts_.has_id ? 1.0 : 0.0,
                                facts_.has_velocity ? 1.0 : 0.0, facts_.has_nameless_species ? 1.0 : 0.0};
    exchange_.max(facts);
    facts_ = {facts[0], facts[1], facts[2] > 0, facts[3] > 0, facts[4] > 0};
}

void Dealer::compare_ids() {
    Offenders repeated;
    if (facts_.has_id) repeated = detail::repeated_ids(rows_, file_, exchange_);
    on_root(exchange_, [&] { throw_if_any(checker_.value_messages(repeated)); });
}

std::string overlaps_in_words(std::uint64_t num_pairs) {
    return num_pairs == 1 ? "1 pair overlaps" : text_of(num_pairs, " pairs overlap");
}

void Dealer::compare_places() {
    detail::Overlaps overlaps;
    if (facts_.largest_radius > 0)
        overlaps = detail::overlapping_rows(
            rows_, rules_, {facts_.largest_radius, options_.overlap_tolerance, facts_.resolution}, file_,
            exchange_);
    rows_.places = {};
    on_root(exchange_, [&] {
        throw_if_any(checker_.start_messages(overlaps.offenders,
                                             overlaps.is_complete ? "overlaps" : "overlaps, at least"));
    });
    if (overlaps.num_allowed > 0)
        notes_.push_back(overlaps_in_words(overlaps.num_allowed) + ", which contact rules allow");
    if (overlaps.num_touching > 0)
        notes_.push_back(overlaps_in_words(overlaps.num_touching) +
                         " by no more than the rounding of the file, which counts as touching");
}

/// Those of the file's reader, of the checker and of the search for overlaps. Collective.
std::vector<std::string> Dealer::shared_notes() {
    for (std::string& note : checker_.notes()) notes_.push_back(std::move(note));
    const std::string text = broadcast_text(exchange_, joined_lines(notes_));
    std::vector<std::string> notes;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        notes.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return notes;
}

}  // namespace

StartFile deal_from_file(const std::function<std::unique_ptr<TableSource>()>& open, const StartRules& rules,
                         Exchange& exchange, const DealOptions& options) {
    return Dealer(rules, exchange, options).run(open);
}

}  // namespace ricochet
