// SPDX-License-Identifier: BSD-3-Clause
//
// Text files, line by line. A text is read in pieces, so a file may be larger than the memory. Readers that need two
// passes, or two places at once, open the text again.
//
// Lines end with a line feed, or with a carriage return and a line feed. A text in UTF-16, or with carriage returns
// alone, is refused: it would look like one line of unknown words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Fills a piece with the next characters of a text and returns their number; 0 at the end.
using ReadText = std::function<std::size_t(std::span<char> piece)>;
/// A text that is read from its beginning each time it is opened.
using OpenText = std::function<ReadText()>;

/// The text of a file. Throws InputError when it cannot be read, on opening or later.
ReadText text_of_file(const std::string& path);

/// Without blanks and carriage returns around it.
std::string_view trimmed(std::string_view text);

/// Whether two words are the same but for upper and lower case (ASCII).
bool same_word(std::string_view a, std::string_view b);

/// A part of a line.
struct TextValue {
    std::string_view text;     ///< without blanks and quotes around it
    std::uint32_t column = 1;  ///< where it begins in its line, from 1
};

/// Separator of columns: any run of blanks and tabs.
inline constexpr char blanks = ' ';

/// The values of a line that `separator` separates. Quotes around a whole value are left out, and it may then contain
/// the separator.
void split_line(std::string_view line, char separator, std::vector<TextValue>& values);

/// Iterates over the lines of a text. In memory are two pieces of the text, and the longest line. Its length has a
/// limit, because a file without line ends is no table.
class TextLines {
  public:
    TextLines(ReadText read, std::string name) : read_(std::move(read)), name_(std::move(name)) {}

    /// The next line; false at the end.
    bool next();
    /// The next line that is neither empty nor begins with #.
    bool next_content();
    std::string_view line() const { return line_; }   ///< valid until the next one
    std::uint64_t number() const { return number_; }  ///< of the line, from 1; 0 before the first
    /// Bytes of the text up to the end of the line.
    std::uint64_t bytes_until_end() const { return num_bytes_ - (text_.size() - begin_); }
    const std::string& name() const { return name_; }   ///< of the file
    std::string place(std::uint32_t column = 1) const;  ///< "file:line:column: "
    /// Whether the text ends within this line. Complete files end with a line end, those that were cut seldom.
    bool ends_within() const { return ends_within_; }

  private:
    std::size_t read_more();
    void require_lines(std::string_view beginning) const;

    ReadText read_;
    std::string name_;
    std::string text_;
    std::size_t begin_ = 0;  ///< of the part that has not been returned
    std::string_view line_;
    std::uint64_t number_ = 0, num_bytes_ = 0;
    bool is_at_end_ = false, ends_within_ = false;
};

}  // namespace ricochet
