// SPDX-License-Identifier: BSD-3-Clause
//
// Typed access to a checked tree by path. A value that the check found in error, or that is missing, reads as
// a stand-in (1, an empty text, the first word), never as garbage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/config_check.hpp"

namespace ricochet::detail {

class Reader {
  public:
    explicit Reader(const TreeNode& root) : root_(root) {}

    const TreeNode& root() const { return root_; }
    /// Present and without error.
    bool has(std::string_view path) const { return valid(path) != nullptr; }
    bool is_list(std::string_view path) const;
    std::size_t list_size(std::string_view path) const;
    /// The place of a node that exists.
    Place place(std::string_view path) const { return find_path(root_, path)->place; }

    std::string text(std::string_view path) const;
    double number(std::string_view path, double stand_in = 1) const;
    std::uint64_t integer(std::string_view path) const;
    /// Two or three.
    std::vector<double> numbers(std::string_view path) const;
    /// Positions of words in the row's words: one when the value is a single word.
    std::vector<std::size_t> words(std::string_view path) const;
    template <class Enum>
    Enum word(std::string_view path) const {
        return static_cast<Enum>(words(path)[0]);
    }

  private:
    const TreeNode* valid(std::string_view path) const;

    const TreeNode& root_;
};

}  // namespace ricochet::detail
