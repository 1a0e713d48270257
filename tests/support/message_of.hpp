// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ricochet::test {

/// What a call throws; "" when nothing.
template <class Error, class Work>
std::string message_of(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace ricochet::test
