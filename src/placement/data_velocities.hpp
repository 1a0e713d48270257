// SPDX-License-Identifier: BSD-3-Clause
//
// The section Velocities of a data file of LAMMPS. LAMMPS writes it in the order of Atoms; then it is read line by line
// beside Atoms. Other programs sort one of the two sections. Then it is read once more into a table by id, of 32 bytes
// per atom on the rank that reads. So files of more than 8 million atoms must have one order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "placement/text_lines.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

class DataVelocities {
  public:
    /// `first_line` is that of the section's word.
    DataVelocities(OpenText open, const std::string& name, std::uint64_t first_line, std::uint64_t num_atoms);

    /// The velocity of the atom; atoms are asked for in the order of Atoms. Throws InputError when it has none.
    Vec3 of(std::string_view id);
    /// Throws InputError when there are more velocities than atoms.
    void require_end();
    /// Whether the text ends within a line of the section.
    bool ends_within() const { return ends_within_; }

  private:
    struct Row {
        std::int64_t id;
        Vec3 velocity;
    };
    static TextLines section(const OpenText& open, const std::string& name, std::uint64_t first_line);
    /// Reads the next line of the section; false at its end.
    bool next(Row& row);
    void sort();

    OpenText open_;
    TextLines lines_;
    std::uint64_t first_line_, num_atoms_;
    std::vector<Row> sorted_;  ///< by id; empty while the order is that of Atoms
    std::vector<TextValue> values_;
    bool ends_within_ = false;
};

}  // namespace ricochet
