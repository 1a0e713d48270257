// SPDX-License-Identifier: BSD-3-Clause
#include "run/gzip_text.hpp"

#include <zlib.h>

#include <array>
#include <fstream>
#include <memory>
#include <type_traits>

#include "core/text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

bool is_gzip(const std::string& path) {
    constexpr std::array<char, 2> signature{'\x1f', '\x8b'};
    std::array<char, 2> beginning{};
    std::ifstream(path, std::ios::binary).read(beginning.data(), beginning.size());
    return beginning == signature;
}

ReadText text_of_gzip(const std::string& path) {
    using Handle = std::remove_pointer_t<gzFile>;
    const std::shared_ptr<Handle> file(gzopen(path.c_str(), "rb"),
                                       [](gzFile opened) { return opened ? gzclose(opened) : 0; });
    if (!file) throw InputError(path + ": cannot be read");
    return [file, path](std::span<char> piece) {
        const int got = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()));
        int error = Z_OK;
        const char* reason = gzerror(file.get(), &error);
        if (got < 0 || error == Z_BUF_ERROR)
            throw InputError(text_of(
                path, ": cannot be unpacked: ", error == Z_BUF_ERROR ? "it ends early" : excerpt(reason)));
        return static_cast<std::size_t>(got);
    };
}

}  // namespace ricochet
