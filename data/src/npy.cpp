#include "npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = std::size_t{1} << 16U;

/// Reads {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4, 5), }, keys in any order: no more of Python than
/// NumPy writes there.
class Literal {
public:
    Literal(const h5::Subject& subject, std::string_view text) : subject_(subject), whole_(text), rest_(text) {}

    NpyHeader read() {
        NpyHeader header;
        bool descr = false, order = false, shape = false;
        require('{');
        while (!take('}')) {
            const std::string_view key = quoted();
            require(':');
            if (key == "descr") {
                header.type = type(quoted());
                descr = true;
            } else if (key == "fortran_order") {
                header.fortran_order = boolean();
                order = true;
            } else if (key == "shape") {
                header.shape = tuple();
                shape = true;
            } else {
                fail();
            }
            if (take(',')) continue;
            require('}');
            break;
        }
        skip_blanks();
        if (!rest_.empty() || !descr || !order || !shape) fail();
        return header;
    }

private:
    [[noreturn]] void fail() const {
        subject_.fail(ErrorCode::data, "found the header " + printable(whole_) +
                                           ", wanted descr, fortran_order and shape as NumPy writes them");
    }
    void skip_blanks() {
        const std::size_t end = rest_.find_first_not_of(" \t\n");
        rest_.remove_prefix(std::min(end, rest_.size()));
    }
    bool take(char wanted) {
        skip_blanks();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void require(char wanted) {
        if (!take(wanted)) fail();
    }
    std::string_view quoted() {
        skip_blanks();
        // A list stands here for arrays of structures.
        if (!rest_.empty() && rest_.front() == '[') refuse_type("structures");
        const char quote = take('\'') ? '\'' : '"';
        if (quote == '"') require('"');
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos) fail();
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool boolean() {
        skip_blanks();
        for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}})
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return value;
            }
        fail();
    }
    std::uint64_t number() {
        skip_blanks();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) fail();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // of Python 2
        return value;
    }
    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> numbers;
        require('(');
        while (!take(')')) {
            numbers.push_back(number());
            if (take(',')) continue;
            require(')');
            break;
        }
        return numbers;
    }

    [[noreturn]] void refuse_type(const std::string& found) const {
        subject_.fail(ErrorCode::data,
                      "found " + found + ", wanted real numbers: float16, float32, float64 or integers");
    }
    NumberType type(std::string_view descr) const {
        if (descr.size() < 3) refuse_type("type " + printable(descr));
        const char order = descr[0], kind = descr[1];
        int bytes = 0;
        const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), bytes);
        if (error != std::errc() || end != descr.data() + descr.size() ||
            std::string_view("<>|=").find(order) == std::string_view::npos)
            refuse_type("type " + printable(descr));
        NumberType found{NumberType::Kind::real, bytes, order == '>'};
        const bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
        if (kind == 'f' && whole && bytes > 1) return found;
        if (kind == 'i' && whole)
            found.kind = NumberType::Kind::integer;
        else if ((kind == 'u' && whole) || (kind == 'b' && bytes == 1))
            found.kind = NumberType::Kind::natural;
        else if (kind == 'c')
            refuse_type("complex numbers (type " + printable(descr) + ")");
        else
            refuse_type("type " + printable(descr));
        return found;
    }

    const h5::Subject& subject_;
    std::string_view whole_, rest_;
};

}  // namespace

NpyHeader read_npy_header(const h5::Subject& subject, const NextBytes& next) {
    std::array<char, 12> start{};
    next(start.data(), 10);
    if (std::string_view(start.data(), magic.size()) != magic)
        subject.fail(ErrorCode::data, "does not begin as an npy file does");
    const int version = start[6];
    if (version < 1 || version > 3)
        subject.fail(ErrorCode::data,
                     "found version " + std::to_string(version) + " of the npy format, wanted 1, 2 or 3");
    if (version > 1) next(start.data() + 10, 2);
    const std::size_t width = version == 1 ? 2 : 4;
    const std::size_t size = h5::little_endian(reinterpret_cast<const unsigned char*>(start.data()) + 8, width);
    if (size > longest_header)
        subject.fail(ErrorCode::data, "found a header of " + std::to_string(size) + " bytes, wanted at most " +
                                          std::to_string(longest_header));
    std::string text(size, '\0');
    next(text.data(), size);
    NpyHeader header = Literal(subject, text).read();
    header.bytes = 8 + width + size;
    return header;
}

std::string make_npy_header(const NumberType& type, const Extents& points) {
    std::string text = std::string("{'descr': '") + (type.big_endian ? '>' : '<') + "f" +
                       std::to_string(type.bytes) + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(points[0]) + ", " + std::to_string(points[1]) + ", " +
                       std::to_string(points[2]) + "), }";
    constexpr std::size_t before = 10, multiple = 64;
    text.append((multiple - (before + text.size() + 1) % multiple) % multiple, ' ').push_back('\n');
    std::string header(magic);
    header.append({'\x01', '\x00', static_cast<char>(text.size() & 255U), static_cast<char>(text.size() >> 8U)});
    return header + text;
}

}  // namespace poisson3d
