// SPDX-License-Identifier: BSD-3-Clause
//
// The text formats of export.hpp, as functions that append to a buffer: one for the head of the file, one for
// the head of a frame, one for a block of rows.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "app/export.hpp"
#include "io/frame_rows.hpp"
#include "ricochet/io/result_description.hpp"

namespace ricochet {

using TextBuffer = fmt::memory_buffer;

/// What the heads tell.
struct ExportedFrame {
    const ResultDescription& description;
    double thickness;  ///< of the layer in which discs lie
    std::uint64_t frame;
    FrameStamp stamp;
};

struct TextFormat {
    void (*begin_file)(TextBuffer& out);
    void (*begin_frame)(TextBuffer& out, const ExportedFrame& frame);
    void (*add_rows)(TextBuffer& out, const ExportedFrame& frame, const FrameBlock& rows);
};

/// For every format but vtk.
TextFormat text_format(ExportFormat format);

}  // namespace ricochet
