# cmake -DINPUT=sans.ttf -DOUTPUT=font.cpp -P embed.cmake: the bytes of a file as an array of C++.
file(READ ${INPUT} bytes HEX)
string(LENGTH ${bytes} digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
file(WRITE ${OUTPUT} "#include \"pictures/font/font.hpp\"
namespace poisson3d::app {
namespace {
constexpr unsigned char bytes[${size}] = {${bytes}};
}
std::span<const unsigned char> font_file() noexcept { return bytes; }
}
")
