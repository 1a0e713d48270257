// SPDX-License-Identifier: BSD-3-Clause
//
// The text formats of export.hpp. Functions append the head of a file, the head of a frame, and blocks of
// rows to a buffer.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "export/export.hpp"
#include "result/frame_rows.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

using TextBuffer = fmt::memory_buffer;

/// The data of a frame's head.
struct ExportedFrame {
    const ResultDescription& description;
    double thickness;  ///< of the layer in which discs lie
    std::uint64_t frame;
    std::uint64_t num_particles;  ///< in this frame
    FrameStamp stamp;
};

struct TextFormat {
    void (*begin_file)(TextBuffer& out);
    void (*begin_frame)(TextBuffer& out, const ExportedFrame& frame);
    void (*add_rows)(TextBuffer& out, const ExportedFrame& frame, const FrameBlock& rows);
};

/// For every format but vtk.
TextFormat text_format(ExportFormat format);

/// The words for units that the input states, and that can stand in a line of text, between quotes or in a comment of
/// XML.
std::vector<NamedText> stated_units(const ResultDescription& description);

}  // namespace ricochet
