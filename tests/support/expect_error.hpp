// A call that must throw: the code, and the words a person needs.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "poisson3d/error.hpp"

namespace poisson3d::test {

/// Fails the test unless `call` throws an Error of that code whose message contains all parts.
template <class Call>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, Call call) {
    try {
        call();
        ADD_FAILURE() << "no error, wanted " << name(code)
                      << (parts.empty() ? "" : " with '" + parts.front() + "'");
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        for (const std::string& part : parts)
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << ": " << error.what();
    }
}

}  // namespace poisson3d::test
