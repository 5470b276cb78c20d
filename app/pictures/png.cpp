// Portable Network Graphics (second edition, ISO/IEC 15948): a signature, and chunks of length, name, content, sum.
#include <zlib.h>

#include "pictures/canvas.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

const Bytef* bytes_of(const std::string& text) {
    return reinterpret_cast<const Bytef*>(text.data());
}

/// Four bytes, the most significant one first.
std::string number(std::size_t value) {
    std::string text;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) text += static_cast<char>(value >> shift & 0xFFU);
    return text;
}

std::string chunk(const std::string& name, const std::string& content) {
    const std::string body = name + content;
    return number(content.size()) + body + number(crc32_z(0, bytes_of(body), body.size()));
}

/// Each row less the row above it (PNG's filter 2): smooth areas become small numbers, which are compressed well.
std::string filtered_rows(const Canvas& canvas) {
    const std::size_t row_bytes = 3 * static_cast<std::size_t>(canvas.width());
    std::string rows;
    rows.reserve((row_bytes + 1) * static_cast<std::size_t>(canvas.height()));
    for (int y = 0; y < canvas.height(); ++y) {
        rows += '\x02';
        for (std::size_t i = 0; i < row_bytes; ++i)
            rows += static_cast<char>(canvas.row(y)[i] - (y > 0 ? canvas.row(y - 1)[i] : 0));
    }
    return rows;
}

std::string compressed(const std::string& text) {
    uLongf size = compressBound(text.size());
    std::string packed(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &size, bytes_of(text), text.size()) != Z_OK)
        throw Error(ErrorCode::out_of_memory, "out of host memory: zlib cannot compress the picture");
    packed.resize(size);
    return packed;
}

}  // namespace

std::string to_png(const Canvas& canvas) {
    const std::string format("\x08\x02\0\0\0", 5);  // 8 bits, RGB, deflate, filters for each row, not interlaced
    return "\x89PNG\r\n\x1a\n" +
           chunk("IHDR", number(static_cast<std::size_t>(canvas.width())) +
                             number(static_cast<std::size_t>(canvas.height())) + format) +
           chunk("IDAT", compressed(filtered_rows(canvas))) + chunk("IEND", "");
}

}  // namespace poisson3d::app
