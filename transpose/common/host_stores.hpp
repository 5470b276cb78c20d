// Writing memory in whole cache lines. A line stored in one go past the caches (streaming) need not be read first,
// which saves a third of the traffic of a copy; a line stored in parts must be.
//
// Compiled once per instruction set like lanes.hpp, and like it free of the standard library.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "common/host_movers.hpp"
#include "common/host_squares.hpp"
#include "simd/lanes.hpp"

namespace poisson3d::POISSON3D_ISA {

using host_transpose::line_bytes;

/// A register's bytes, read and written at any address.
typedef char LoosePack __attribute__((vector_size(pack_bytes), aligned(1), may_alias));
inline constexpr int packs_per_line = 64 / pack_bytes;

POISSON3D_INLINE void copy_line(char* to, const char* from) {
    for (int p = 0; p < packs_per_line; ++p)
        reinterpret_cast<LoosePack*>(to)[p] = reinterpret_cast<const LoosePack*>(from)[p];
}

/// `to` is 64-byte aligned.
template <bool Stream>
POISSON3D_INLINE void store_line(char* to, const char* from) {
    if constexpr (Stream) {
#if defined(__AVX512F__)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
        return;
#elif defined(__AVX__)
        for (int p = 0; p < 64; p += 32)
            _mm256_stream_si256(reinterpret_cast<__m256i*>(to + p),
                                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + p)));
        return;
#elif defined(__SSE2__)
        for (int p = 0; p < 64; p += 16)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + p),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + p)));
        return;
#endif
    }
    copy_line(to, from);
}

/// Streaming stores are seen by other threads only after this.
template <bool Stream>
POISSON3D_INLINE void finish_stores() {
#ifdef __SSE2__
    if constexpr (Stream) _mm_sfence();
#endif
}

/// Exactly n < 64 bytes: neighbours in the line may belong to other threads.
POISSON3D_INLINE void copy_part(char* to, const char* from, Index n) {
    Index k = 0;
    if (n & 32) copy_fixed<32>(to, from), k = 32;
    if (n & 16) copy_fixed<16>(to + k, from + k), k += 16;
    if (n & 8) copy_fixed<8>(to + k, from + k), k += 8;
    if (n & 4) copy_fixed<4>(to + k, from + k), k += 4;
    if (n & 2) copy_fixed<2>(to + k, from + k), k += 2;
    if (n & 1) to[k] = from[k];
}

/// Runs of bytes to consecutive memory, gathered in a buffer and stored as whole lines. Only the first and the last
/// line of a run are written in parts.
template <bool Stream>
struct LineWriter {
    char* buffer;       // 64-byte aligned; its beginning goes to `line`
    char* line;         // 64-byte aligned
    Index foreign = 0;  // bytes of the first line that precede the run
    Index fill = 0;     // bytes in the buffer, the foreign ones included

    POISSON3D_INLINE LineWriter(char* scratch, char* to) : buffer(scratch) { begin(to); }
    /// What follows goes to `to`: the same run if that is where it ended.
    POISSON3D_INLINE void go(char* to) {
        if (to == line + fill) return;
        finish();
        begin(to);
    }
    /// Where the next bytes of the run are put.
    POISSON3D_INLINE char* tail() const { return buffer + fill; }
    /// `n` bytes have been put there.
    POISSON3D_INLINE void commit(Index n) {
        fill += n;
        Index k = 0;
        if (foreign != 0 && fill >= line_bytes) {
            copy_part(line + foreign, buffer + foreign, line_bytes - foreign);
            foreign = 0;
            k = line_bytes;
        }
        for (; k + line_bytes <= fill; k += line_bytes) store_line<Stream>(line + k, buffer + k);
        if (k == 0) return;
        copy_line(buffer, buffer + k);
        line += k;
        fill -= k;
    }
    POISSON3D_INLINE void finish() { copy_part(line + foreign, buffer + foreign, fill - foreign); }

private:
    POISSON3D_INLINE void begin(char* to) {
        foreign = fill = static_cast<Index>(reinterpret_cast<std::uintptr_t>(to) % line_bytes);
        line = to - foreign;
    }
};

}  // namespace poisson3d::POISSON3D_ISA
