// No exception of any kind crosses the border to C, and each leaves its status and its sentence.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "error_guard.hpp"
#include "poisson3d.h"
#include "poisson3d/error.hpp"

namespace poisson3d::c {
namespace {

TEST(Guard, GivesNothingForNothing) {
    keep_message("as before");
    int calls = 0;
    EXPECT_EQ(guarded([&] { ++calls; }), POISSON3D_OK);
    EXPECT_EQ(calls, 1);
    EXPECT_STREQ(poisson3d_last_message(), "as before");
}

TEST(Guard, PassesEachCodeOn) {
    for (const ErrorCode code :
         {ErrorCode::inaccurate, ErrorCode::usage, ErrorCode::unsupported, ErrorCode::file, ErrorCode::data,
          ErrorCode::unsolvable, ErrorCode::resonant, ErrorCode::out_of_memory, ErrorCode::device,
          ErrorCode::output, ErrorCode::internal}) {
        const std::string sentence = std::string("of code ") + name(code);
        EXPECT_EQ(guarded([&] { throw Error(code, sentence); }), static_cast<int>(code));
        EXPECT_EQ(poisson3d_last_message(), sentence);
    }
}

TEST(Guard, KnowsWhatTheStandardLibraryThrows) {
    EXPECT_EQ(guarded([] { throw std::bad_alloc(); }), POISSON3D_OUT_OF_MEMORY);
    EXPECT_EQ(guarded([] { throw std::bad_array_new_length(); }), POISSON3D_OUT_OF_MEMORY);
    EXPECT_EQ(guarded([] { std::vector<double>().reserve(SIZE_MAX); }), POISSON3D_OUT_OF_MEMORY);
    EXPECT_NE(std::string(poisson3d_last_message()).find("memory"), std::string::npos);
    EXPECT_EQ(guarded([] { throw std::runtime_error("a reason"); }), POISSON3D_INTERNAL);
    EXPECT_STREQ(poisson3d_last_message(), "a reason");
    EXPECT_EQ(guarded([] { throw std::system_error(std::make_error_code(std::errc::io_error)); }),
              POISSON3D_INTERNAL);
}

TEST(Guard, StopsWhatIsNoExceptionClass) {
    EXPECT_EQ(guarded([] { throw 5; }), POISSON3D_INTERNAL);
    EXPECT_NE(std::string(poisson3d_last_message()).find("unknown type"), std::string::npos);
    EXPECT_EQ(guarded([] { throw "text"; }), POISSON3D_INTERNAL);
}

TEST(Guard, KeepsTheBeginningOfALongSentence) {
    for (const char* letter : {"a", "λ", "∇"}) {  // one, two and three bytes
        for (std::size_t before = 0; before < 3; ++before) {
            std::string sentence(before, '.');
            while (sentence.size() < 5000) sentence += letter;
            EXPECT_EQ(guarded([&] { throw Error(ErrorCode::data, sentence); }), POISSON3D_DATA);
            const std::string kept = poisson3d_last_message();
            EXPECT_EQ(kept, sentence.substr(0, kept.size()));
            EXPECT_GT(kept.size(), 1000U);
            EXPECT_LT(kept.size(), 1024U);
            EXPECT_EQ((kept.size() - before) % std::string(letter).size(), 0U) << "half a character";
        }
    }
}

// The sentence itself may be what is thrown.
TEST(Guard, TakesItsOwnSentenceBack) {
    keep_message("once");
    EXPECT_EQ(guarded([] { keep_message(kept_message()); }), POISSON3D_OK);
    EXPECT_STREQ(kept_message(), "once");
}

}  // namespace
}  // namespace poisson3d::c
