#include "number_type.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace poisson3d {

namespace {

constexpr bool native_is_big = std::endian::native == std::endian::big;

template <class Stored>
Stored load(const unsigned char* from, bool swap) noexcept {
    unsigned char bytes[sizeof(Stored)];
    std::memcpy(bytes, from, sizeof(Stored));
    if (swap) std::reverse(bytes, bytes + sizeof(Stored));
    Stored value;
    std::memcpy(&value, bytes, sizeof(Stored));
    return value;
}

// IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits.
float widen_half(std::uint16_t bits) noexcept {
    const int exponent = bits >> 10U & 31U;
    const auto mantissa = static_cast<float>(bits & 1023U);
    float size = 0.0F;
    if (exponent == 31)
        size = mantissa == 0.0F ? INFINITY : NAN;
    else if (exponent == 0)
        size = std::ldexp(mantissa, -24);
    else
        size = std::ldexp(mantissa + 1024.0F, exponent - 25);
    return (bits & 0x8000U) != 0 ? -size : size;
}

template <class Stored, class T>
void convert(const unsigned char* from, bool swap, T* to, Index count) noexcept {
    for (Index k = 0; k < count; ++k, from += sizeof(Stored)) to[k] = static_cast<T>(load<Stored>(from, swap));
}

template <class T>
void convert_half(const unsigned char* from, bool swap, T* to, Index count) noexcept {
    for (Index k = 0; k < count; ++k, from += 2)
        to[k] = static_cast<T>(widen_half(load<std::uint16_t>(from, swap)));
}

template <class Whole, class T>
void convert_integers(bool negative, const unsigned char* from, bool swap, T* to, Index count) noexcept {
    if (negative)
        convert<std::make_signed_t<Whole>>(from, swap, to, count);
    else
        convert<Whole>(from, swap, to, count);
}

}  // namespace

std::string NumberType::describe() const {
    const std::string bits = std::to_string(8 * bytes);
    if (kind == Kind::integer) return "int" + bits;
    if (kind == Kind::natural) return "uint" + bits;
    return "float" + bits + (big_endian ? " big endian" : " little endian");
}

std::string conversion_note(const std::string& type, int solved_bytes) {
    if (type.starts_with("float32") || type.starts_with("float64")) return "";
    return type + " was converted to " + (solved_bytes == 4 ? "single" : "double") + " precision";
}

template <class T>
void convert_numbers(const NumberType& type, const unsigned char* from, T* to, Index count) noexcept {
    const bool swap = type.bytes > 1 && type.big_endian != native_is_big;
    if (type.kind == NumberType::Kind::real) {
        if (type.bytes == sizeof(T) && !swap)
            std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
        else if (type.bytes == 8)
            convert<double>(from, swap, to, count);
        else if (type.bytes == 4)
            convert<float>(from, swap, to, count);
        else
            convert_half(from, swap, to, count);
        return;
    }
    const bool negative = type.kind == NumberType::Kind::integer;
    switch (type.bytes) {
        case 1: return convert_integers<std::uint8_t>(negative, from, swap, to, count);
        case 2: return convert_integers<std::uint16_t>(negative, from, swap, to, count);
        case 4: return convert_integers<std::uint32_t>(negative, from, swap, to, count);
        default: return convert_integers<std::uint64_t>(negative, from, swap, to, count);
    }
}

template <class T>
NumberType native_number() noexcept {
    return {NumberType::Kind::real, static_cast<int>(sizeof(T)), native_is_big};
}

template void convert_numbers(const NumberType&, const unsigned char*, float*, Index) noexcept;
template void convert_numbers(const NumberType&, const unsigned char*, double*, Index) noexcept;
template NumberType native_number<float>() noexcept;
template NumberType native_number<double>() noexcept;

}  // namespace poisson3d
