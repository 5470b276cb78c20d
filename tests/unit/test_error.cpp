// The error codes are a contract: numbers, names and exit codes, one by one. A change here breaks scripts and
// programs.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/suggestion.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {
namespace {

TEST(ErrorCode, ValuesNamesAndExitCodesNeverChange) {
    struct Row {
        ErrorCode code;
        int value;
        const char* name;
        int exit;
    };
    const Row rows[] = {
        {ErrorCode::ok, 0, "ok", 0},
        {ErrorCode::inaccurate, 10, "inaccurate", 1},
        {ErrorCode::usage, 20, "usage", 2},
        {ErrorCode::unsupported, 21, "unsupported", 2},
        {ErrorCode::file, 30, "file", 3},
        {ErrorCode::data, 31, "data", 3},
        {ErrorCode::unsolvable, 40, "unsolvable", 4},
        {ErrorCode::resonant, 41, "resonant", 4},
        {ErrorCode::out_of_memory, 50, "out of memory", 5},
        {ErrorCode::device, 51, "device", 5},
        {ErrorCode::output, 60, "output", 6},
        {ErrorCode::internal, 70, "internal", 7},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(static_cast<int>(row.code), row.value) << row.name;
        EXPECT_STREQ(name(row.code), row.name);
        EXPECT_EQ(exit_code(row.code), row.exit) << row.name;
    }
    EXPECT_STREQ(name(static_cast<ErrorCode>(99)), "unknown");
}

TEST(Error, CarriesItsCodeAndItsSentence) {
    try {
        throw Error(ErrorCode::resonant, "the sentence");
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "the sentence");
        EXPECT_EQ(dynamic_cast<const Error&>(error).code(), ErrorCode::resonant);
    }
}

TEST(Text, NumbersReadBackAsTheSameDouble) {
    for (const double value : {0.1, -12.566370614359172, 1e-300, 5.0, 1.0 / 3.0, 1e22})
        EXPECT_EQ(std::stod(format_number(value)), value);
    EXPECT_EQ(format_number(0.1), "0.1");
    EXPECT_EQ(format_number(1e-300), "1e-300");
    EXPECT_EQ(format_number(-0.0), "-0");
}

TEST(Text, BytesComeInTheUnitThatFits) {
    EXPECT_EQ(format_bytes(0), "0 bytes");
    EXPECT_EQ(format_bytes(1023), "1023 bytes");
    EXPECT_EQ(format_bytes(1024), "1.00 KiB");
    EXPECT_EQ(format_bytes(std::size_t{3} << 29), "1.50 GiB");
    EXPECT_EQ(format_bytes(SIZE_MAX), "16.00 EiB");
}

TEST(Text, ForeignTextsAreSafeForATerminal) {
    EXPECT_EQ(printable("∇² rhs, 'a' \\"), "∇² rhs, 'a' \\");
    EXPECT_EQ(printable("\x1b[31m\t\n\x7f"), "\\x1b[31m\\x09\\x0a\\x7f");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b"
              "31m")
        << "a control character beyond ASCII";
    // No UTF-8: cut off, overlong, a surrogate, beyond U+10FFFF.
    EXPECT_EQ(printable("\xff"
                        "a\xe2\x88"),
              "\\xff"
              "a\\xe2\\x88");
    EXPECT_EQ(printable("\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80"), "\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
    const std::string longest(80, 'x'), longer(300, 'x');
    EXPECT_EQ(printable(longest), longest);
    EXPECT_EQ(printable(longest + "x"), longest + "…");
    EXPECT_EQ(printable("∇∇∇", 2), "∇∇…");
    EXPECT_EQ(printable_name(longer + "\r"), longer + "\\x0d");
}

TEST(Suggestion, IsTheNearestWordIfOneIsNear) {
    const std::vector<std::string> words{"--boundary", "--spacing", "--scale", "info"};
    EXPECT_EQ(nearest("--boundry", words), "--boundary");
    EXPECT_EQ(nearest("--boudnary", words), "--boundary");  // a swap is one step
    EXPECT_EQ(nearest("--sclae", words), "--scale");
    EXPECT_EQ(nearest("INFO", words), "info");
    EXPECT_EQ(nearest("inof", words), "info");
    EXPECT_EQ(nearest("information", words), "");
    EXPECT_EQ(nearest("x", words), "");
    EXPECT_EQ(nearest("", words), "");
    EXPECT_EQ(nearest("info", {}), "");
    EXPECT_EQ(nearest("ab", {"abc", "abd"}), "abc") << "the first of those that are as near";
    EXPECT_EQ(nearest(std::string(1000, 'x'), {std::string(1000, 'x')}), "");
    EXPECT_EQ(did_you_mean("--boundry", words), "; did you mean --boundary?");
    EXPECT_EQ(did_you_mean("--colour", words), "");
}

}  // namespace
}  // namespace poisson3d
