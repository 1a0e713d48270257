// SPDX-License-Identifier: BSD-3-Clause
//
// Messages about one kind of mistake, which a large file may contain a million times. The first ten are
// spelled out, the others are counted.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

class Offenders {
  public:
    static constexpr std::uint64_t num_named = 10;

    /// Counts one mistake; describe() -> std::string is called only for those that are spelled out.
    template <class Describe>
    void add(Describe&& describe) {
        if (count_++ < num_named) lines_.push_back(describe());
    }
    /// Counts mistakes that are not described.
    void add_unnamed(std::uint64_t count) { count_ += count; }
    std::uint64_t count() const { return count_; }

    /// Adds the lines to `messages`, with a last one "<where>: and <n> more <what>" when some were not named.
    void report(std::vector<std::string>& messages, const std::string& where, const std::string& what) const {
        messages.insert(messages.end(), lines_.begin(), lines_.end());
        if (count_ > lines_.size())
            messages.push_back(where + ": and " + std::to_string(count_ - lines_.size()) + " more " + what);
    }

  private:
    std::uint64_t count_ = 0;
    std::vector<std::string> lines_;
};

/// The messages, one per line.
inline std::string joined_lines(const std::vector<std::string>& messages) {
    std::string text;
    for (const std::string& message : messages) text += (text.empty() ? "" : "\n") + message;
    return text;
}

}  // namespace ricochet
