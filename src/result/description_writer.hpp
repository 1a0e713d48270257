// SPDX-License-Identifier: BSD-3-Clause
//
// The attributes of a result file that are known before the first frame (layout: FORMAT.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hdf5/hdf5_file.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// The newest version of the layout; grows when an old reader would misread a new file.
inline constexpr std::uint32_t result_format_version = 2;
/// The version of files without changing particles and without outcomes: they are as they always were.
inline constexpr std::uint32_t plain_result_format_version = 1;

/// Writes /h5md. Collective.
void write_h5md_group(hid_t file, const std::string& author);
/// Writes the attributes of /ricochet and its groups of attributes. Collective.
void write_description(hid_t ricochet_group, const ResultDescription& description, int num_ranks);
/// Replaces the texts of the input. Collective.
void rewrite_input(hid_t ricochet_group, const ResultDescription& description);
/// Replaces the author. Adds to the provenance how this part of the run was started, as part_2, part_3, ...
/// Collective.
void note_continuation(hid_t file, const ResultDescription& description);
/// The attribute of the provenance that tells which error ended the run.
inline constexpr std::string_view name_of_error = "error";

/// Removes the attributes written by close() and note_error(), which tell readers that a run has ended. Collective.
void remove_end(hid_t ricochet_group);
/// Makes /ricochet/observables also H5MD's /observables. Collective.
void link_observables(hid_t file);
/// Removes H5MD's /observables where it exists; /ricochet/observables stays. Collective.
void unlink_observables(hid_t file);
/// Adds texts as attributes of a group. Collective.
void write_texts(hid_t group, std::span<const NamedText> texts);

}  // namespace ricochet
