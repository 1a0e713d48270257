// SPDX-License-Identifier: BSD-3-Clause
#include "placement/text_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18, most_line_bytes = 1'000'000, most_quoted = 1000;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf", utf16_marks[] = {"\xff\xfe", "\xfe\xff"};

bool is_white(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

TextValue unquoted(TextValue value) {
    const std::string_view text = value.text;
    const bool is_quoted =
        text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
    if (!is_quoted) return value;
    return {trimmed(text.substr(1, text.size() - 2)), value.column + 1};
}

/// Where the value that begins here ends. A value in quotes may contain the separator, and quotes twice. Only a quote
/// before a separator or the end of the line closes it, so that an apostrophe is none.
template <class IsSeparator>
std::size_t end_of_value(std::string_view line, std::size_t begin, const IsSeparator& separates) {
    const auto is_end = [&](std::size_t k) { return k >= line.size() || separates(line[k]); };
    const auto skip_white = [&](std::size_t k) {
        while (!is_end(k) && is_white(line[k])) ++k;
        return k;
    };
    const std::size_t first = skip_white(begin);
    const char quote = first < line.size() ? line[first] : ' ';
    if (quote == '"' || quote == '\'') {
        const std::size_t limit = std::min(line.size(), first + most_quoted);
        for (std::size_t k = first + 1; k < limit; ++k) {
            if (line[k] != quote) continue;
            const std::size_t behind = skip_white(k + 1);
            if (is_end(behind)) return behind;
            if (line[k + 1] == quote) ++k;
        }
    }
    while (!is_end(begin)) ++begin;
    return begin;
}

TextValue value_at(std::string_view line, std::size_t begin, std::size_t end) {
    const std::string_view text = trimmed(line.substr(begin, end - begin));
    const std::size_t start = text.empty() ? begin : static_cast<std::size_t>(text.data() - line.data());
    return unquoted({text, static_cast<std::uint32_t>(start + 1)});
}

void split_at_blanks(std::string_view line, std::vector<TextValue>& values) {
    const auto behind_white = [&](std::size_t k) {
        while (k < line.size() && is_white(line[k])) ++k;
        return k;
    };
    for (std::size_t begin = behind_white(0); begin < line.size();) {
        const std::size_t end = end_of_value(line, begin, is_white);
        values.push_back(value_at(line, begin, end));
        begin = behind_white(end);
    }
}

}  // namespace

ReadText text_of_file(const std::string& path) {
    // Stream iterators will not do: they report errors without a reason, or not at all.
    const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"),
                                          [](std::FILE* opened) { return opened ? std::fclose(opened) : 0; });
    const auto refuse = [path] { throw InputError(path + ": cannot be read: " + std::strerror(errno)); };
    if (!file) refuse();
    return [file, refuse](std::span<char> piece) {
        const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get());
        if (std::ferror(file.get())) refuse();
        return got;
    };
}

std::string_view trimmed(std::string_view text) {
    std::size_t first = 0, end = text.size();
    while (first < end && is_white(text[first])) ++first;
    while (first < end && is_white(text[end - 1])) --end;
    return first < end ? text.substr(first, end - first) : std::string_view();
}

bool same_word(std::string_view a, std::string_view b) {
    const auto lower = [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char one, char other) { return lower(one) == lower(other); });
}

void split_line(std::string_view line, char separator, std::vector<TextValue>& values) {
    values.clear();
    if (separator == blanks) return split_at_blanks(line, values);
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = end_of_value(line, begin, [&](char letter) { return letter == separator; });
        values.push_back(value_at(line, begin, end));
        begin = end + 1;
    }
}

bool TextLines::next_content() {
    while (next()) {
        const std::string_view content = trimmed(line_);
        if (!content.empty() && content.front() != '#') return true;
    }
    return false;
}

bool TextLines::next() {
    std::size_t end = text_.find('\n', begin_);
    while (end == std::string::npos && !is_at_end_) end = read_more();
    if (end == std::string::npos && begin_ == text_.size()) return false;
    line_ = std::string_view(text_).substr(begin_, std::min(end, text_.size()) - begin_);
    begin_ += std::min(line_.size() + 1, text_.size() - begin_);
    ends_within_ = end == std::string::npos;
    if (++number_ > 1) return true;
    if (line_.starts_with(byte_order_mark)) line_.remove_prefix(byte_order_mark.size());
    require_lines(line_);
    return true;
}

/// Throws where the beginning of the text shows that its lines are not those of other texts.
void TextLines::require_lines(std::string_view beginning) const {
    const bool has_mark = std::any_of(std::begin(utf16_marks), std::end(utf16_marks),
                                      [&](std::string_view mark) { return beginning.starts_with(mark); });
    if (has_mark || beginning.find('\0') != std::string_view::npos)
        throw InputError(name_ + ": got a text in UTF-16" + (has_mark ? "" : ", or bytes that are 0") +
                         ", expected UTF-8 or ASCII (iconv -f UTF-16 -t UTF-8 converts it)");
    if (beginning.substr(0, beginning.find_last_not_of('\r') + 1).find('\r') != std::string_view::npos)
        throw InputError(name_ +
                         ": got lines that end with carriage returns alone, expected line feeds "
                         "(tr '\\r' '\\n' < FILE converts them)");
}

/// The end of the line that begins at begin_, if it has been read.
std::size_t TextLines::read_more() {
    text_.erase(0, begin_);
    begin_ = 0;
    const std::size_t length = text_.size();
    if (length > most_line_bytes && number_ == 0) require_lines(text_);
    if (length > most_line_bytes)
        throw InputError(
            text_of(name_, ":", number_ + 1, ": got a line of more than 1 MB, expected a table as text"));
    text_.resize(length + piece_bytes);
    const std::size_t got = read_(std::span(text_.data() + length, piece_bytes));
    text_.resize(length + got);
    num_bytes_ += got;
    is_at_end_ = got == 0;
    return text_.find('\n', length);
}

std::string TextLines::place(std::uint32_t column) const {
    return text_of(name_, ":", number_, ":", column, ": ");
}

}  // namespace ricochet
