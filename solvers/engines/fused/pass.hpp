// A fused pass: a block of threads reads lines, transforms them in shared memory, and writes them rotated.
//
// Two real lines that are neighbours in the index that becomes contiguous make one complex line; `count` of those
// are a block's work. What the passes have in common, phase by phase:
//
//     load     field → pre → positions in shared memory            lanes along the line
//     FFT      a phase per radix (line_fft.hpp)
//     modes    pass 3 only: post, divide by eigenvalues, pre, FFT back
//     store    positions → post → field, rotated                   lanes across the lines, 64 to 128 bytes together
//              (pass 5: not rotated, lanes along the line)
//
// The element (slow s, line l, sample j) is read from in[s · in_slow + l · in_line + j]; mode k goes, rotated, to
// out[s · out_slow + k · out_mode + l], else to out[s · out_slow + l · out_line + k]. Tables of orbits are those of
// the cufft engine (orbit_tables.hpp). Host and device share this file.
#pragma once

#include "line_fft.hpp"
#include "pass_orbits.hpp"

namespace poisson3d::fused {

template <class T>
struct PassTask {
    const T* in = nullptr;
    T* out = nullptr;
    Index slow = 0, lines = 0;
    Index in_slow = 0, in_line = 0;
    Index out_slow = 0, out_line = 0, out_mode = 0;
    int count = 8;            ///< complex lines of a block
    int pitch = 0;            ///< of complex lines in shared memory, in elements
    int along_load = 1;       ///< threads along a line while loading
    int along_modes = 1;      ///< … while dividing by eigenvalues
    int along_store = 1;      ///< … and, not rotated, while storing
    PassOrbits<T> pre, post;  ///< positions in shared memory are places (line_fft.hpp)
    LineFft<T> fft;
    // First pass only: (sample − subtract) · scale + boundary.
    const T* subtract = nullptr;  ///< last pass: taken from every result
    T scale = 1;
    BoundaryTerms<T> boundary;  ///< last pass: what Dirichlet nodes at the ends of lines hold
    // Middle pass only.
    PassOrbits<T> mode_post, mode_pre;  ///< the same slots, element for element
    const T *lambda_line = nullptr, *lambda_slow = nullptr, *lambda_lanes = nullptr;  ///< eigenvalues by slot
    T shift = 0, factor = 1;
    bool multiply = false;
    T* removed = nullptr;  ///< not null: singular, the constant mode becomes 0 and this its value times factor
    // Last pass only.
    int below = 0, above = 0;  ///< Dirichlet nodes at the ends of a line
    Index samples = 0;
};

/// The block's lines and this thread's part.
template <class T>
struct Place {
    Index slow, line;  ///< the block's index and first real line
    Complex<T>* lines;
    int thread, threads;
};

/// The elements of an orbit to their places, and the images of the first two to theirs.
template <class T, int size>
POISSON3D_HD void store_orbit(const PassOrbits<T>& orbits, const PassOrbit<T, size>& orbit, int o, Complex<T>* line,
                              const Complex<T> (&z)[size]) {
    POISSON3D_UNROLL
    for (int e = 0; e < size; ++e)
        if (orbit.to(e) != nowhere) store(line + orbit.to(e), z[e]);
    if (!orbits.images) return;
    POISSON3D_UNROLL
    for (int e = 0; e < 2; ++e)
        if (orbit.image(e) != nowhere)
            store(line + orbit.image(e), orbits.odd ? Complex<T>{-z[e].re, -z[e].im} : z[e]);
    if (o == 0 && orbits.zero_place[0] != nowhere)
        for (const int place : orbits.zero_place) store(line + place, Complex<T>{0, 0});
}

/// The elements of an orbit, as they leave the FFT.
template <class T, int size>
POISSON3D_HD void read_orbit(const PassOrbit<T, size>& orbit, const Complex<T>* line, Complex<T> (&z)[size]) {
    POISSON3D_UNROLL
    for (int e = 0; e < size; ++e) z[e] = orbit.from(e) != nowhere ? load(line + orbit.from(e)) : Complex<T>{0, 0};
}

/// Sample `index` of a line and of the next one.
template <class T>
POISSON3D_HD Complex<T> read_samples(const T* row, const T* next, bool paired, int index) {
    if (index == nowhere) return {0, 0};
    return {cufft::load_field(row + index), paired ? cufft::load_field(next + index) : T(0)};
}

/// What the first pass makes of a sample: lines run along x, s is the index along y.
template <bool with_data, class T>
POISSON3D_HD Complex<T> first_touch(const PassTask<T>& task, Index s, Index l, bool paired, int index, Complex<T> z,
                                    T less) {
    // What is not there stays 0, without a branch.
    const T scale = index == nowhere ? T(0) : task.scale;
    z.re = (z.re - less) * scale;
    z.im = (z.im - less) * (paired ? scale : T(0));
    if constexpr (with_data) {
        if (index == nowhere) return z;
        const BoundaryTerms<T>& terms = task.boundary;
        const Index j = terms.first[1] + s;
        const Index k = terms.first[2] + index;
        z.re += terms(terms.first[0] + l, j, k);
        if (paired) z.im += terms(terms.first[0] + l + 1, j, k);
    }
    return z;
}

POISSON3D_HD Index smaller(Index a, Index b) {
    return a < b ? a : b;
}

/// What a pass reads.
enum class Source { field, field_with_data, inside };

/// `full`: all lines of the block are there.
template <int size, Source source, Mix mix, bool full, class T>
POISSON3D_HD void load_orbits(const PassTask<T>& task, const Place<T>& place) {
    constexpr int each = size == 2 ? 4 : 1;
    const int along = task.along_load < place.threads ? task.along_load : place.threads;
    const int across = place.threads / along;
    const int y = place.thread / along;
    if (y >= across) return;
    const T* const base = task.in + place.slow * task.in_slow + (place.line + 2 * y) * task.in_line;
    const Index apart = 2 * across * task.in_line;
    const T less = source != Source::inside && task.subtract != nullptr ? *task.subtract : T(0);
    const int left = full ? 2 * task.count : static_cast<int>(task.lines - place.line);  // real lines
    for (int o = place.thread - y * along; o < task.pre.count; o += along) {
        PassOrbit<T, size> orbit;
        orbit.read(task.pre, o);
        const T* row = base;
        for (int c = y; c < task.count; c += each * across) {
            Complex<T> z[each][size];
            POISSON3D_UNROLL
            for (int i = 0; i < each; ++i, row += apart) {
                const int line = c + i * across;
                if (full ? line >= task.count : 2 * line >= left) continue;
                POISSON3D_UNROLL
                for (int e = 0; e < size; ++e)
                    z[i][e] = read_samples(row, row + task.in_line, full || 2 * line + 1 < left, orbit.from(e));
            }
            POISSON3D_UNROLL
            for (int i = 0; i < each; ++i) {
                const int line = c + i * across;
                if (full ? line >= task.count : 2 * line >= left) continue;
                if constexpr (source != Source::inside) {
                    POISSON3D_UNROLL
                    for (int e = 0; e < size; ++e)
                        z[i][e] = first_touch<source == Source::field_with_data>(
                            task, place.slow, place.line + 2 * line, full || 2 * line + 1 < left, orbit.from(e),
                            z[i][e], less);
                }
                orbit.template pre<mix>(task.pre, z[i]);
                store_orbit(task.pre, orbit, o, place.lines + line * task.pitch, z[i]);
            }
        }
    }
}

template <int size, Source source, class T>
POISSON3D_HD void load_lines(const PassTask<T>& task, const Place<T>& place) {
    with_mix<size>(task.pre, [&]<Mix mix>() {
        if (task.lines - place.line >= 2 * task.count)
            load_orbits<size, source, mix, true>(task, place);
        else
            load_orbits<size, source, mix, false>(task, place);
    });
}

/// body(complex line, its real lines as the field counts them) for the line of this thread; a block of fewer
/// threads than lines (a test's single one) takes several.
template <class T, class Body>
POISSON3D_HD void for_my_lines(const PassTask<T>& task, const Place<T>& place, const Body& body) {
    const int first = place.thread & (task.count - 1);
    const int last = place.threads < task.count ? task.count - 1 : first;
    for (int line = first; line <= last; ++line)
        if (const Index l = place.line + 2 * line; l < task.lines) body(line, l);
}

template <int size, class T>
POISSON3D_HD void store_rotated(const PassTask<T>& task, const Place<T>& place) {
    const int step = place.threads < task.count ? 1 : place.threads / task.count;
    with_mix<size>(task.post, [&]<Mix mix>() {
        for_my_lines(task, place, [&](int line, Index l) {
            T* const out = task.out + place.slow * task.out_slow + l;
            const Complex<T>* const from = place.lines + line * task.pitch;
            for (int o = place.thread / task.count; o < task.post.count; o += step) {
                PassOrbit<T, size> orbit;
                orbit.read(task.post, o);
                Complex<T> z[size];
                read_orbit(orbit, from, z);
                orbit.template post<mix>(task.post, z);
                POISSON3D_UNROLL
                for (int e = 0; e < size; ++e)  // rows have room for an even number of lines
                    if (orbit.to(e) != nowhere)
                        cufft::store_field(reinterpret_cast<Complex<T>*>(out + orbit.to(e) * task.out_mode), z[e]);
            }
        });
    });
}

/// The last pass: s is the index along x, lines run along y.
template <class T>
POISSON3D_HD void store_ends(const PassTask<T>& task, Index s, Index l, T* row) {
    const BoundaryTerms<T>& terms = task.boundary;
    const Index i = terms.first[0] + s;
    const Index j = terms.first[1] + l;
    if (task.below > 0) row[-1] = value_at(terms.face[2][0], i, j);
    if (task.above > 0) row[task.samples] = value_at(terms.face[2][1], i, j);
}

template <int size, class T>
POISSON3D_HD void store_lines(const PassTask<T>& task, const Place<T>& place) {
    const int along = task.along_store < place.threads ? task.along_store : place.threads;
    const int across = place.threads / along;
    const int y = place.thread / along;
    if (y >= across) return;
    T* const base = task.out + place.slow * task.out_slow + (place.line + 2 * y) * task.out_line;
    const T less = task.subtract != nullptr ? *task.subtract : T(0);
    with_mix<size>(task.post, [&]<Mix mix>() {
        for (int o = place.thread - y * along; o < task.post.count; o += along) {
            PassOrbit<T, size> orbit;
            orbit.read(task.post, o);
            T* row = base;
            for (int c = y; c < task.count; c += across, row += 2 * across * task.out_line) {
                const Index l = place.line + 2 * c;
                if (l >= task.lines) break;
                Complex<T> z[size];
                read_orbit(orbit, place.lines + c * task.pitch, z);
                orbit.template post<mix>(task.post, z);
                const bool paired = l + 1 < task.lines;
                POISSON3D_UNROLL
                for (int e = 0; e < size; ++e) {
                    if (orbit.to(e) == nowhere) continue;
                    row[orbit.to(e)] = z[e].re - less;
                    if (paired) row[task.out_line + orbit.to(e)] = z[e].im - less;
                }
                if (o != 0) continue;
                store_ends(task, place.slow, l, row);
                if (paired) store_ends(task, place.slow, l + 1, row + task.out_line);
            }
        }
    });
}

/// Divides (or multiplies) one slot of lines l and l + 1; `re` and `im` are the sums of the other eigenvalues.
template <class T>
POISSON3D_HD Complex<T> mode_space(const PassTask<T>& task, int slot, Complex<T> mode, T re, T im, bool constant,
                                   bool paired) {
    if (slot == nowhere) return {0, 0};
    const T along = cufft::load_table(task.lambda_line + slot);
    re += along;
    im += along;
    if (constant && slot == 0) {
        *task.removed = mode.re * task.factor;
        mode.re = T(0);
        re = T(1);  // anything but 0
        if (!paired) im = T(1);
    }
    mode.re *= task.factor;
    mode.im = paired ? mode.im * task.factor : T(0);
    if (task.multiply) return {mode.re * re, mode.im * im};
    return {cufft::quotient(mode.re, re), cufft::quotient(mode.im, im)};
}

/// Lanes along the orbits: tables are read once for all lines.
template <int size, Mix after_mix, Mix before_mix, class T>
POISSON3D_HD void mode_orbits(const PassTask<T>& task, const Place<T>& place) {
    const int along = task.along_modes < place.threads ? task.along_modes : place.threads;
    const int across = place.threads / along;
    const int y = place.thread / along;
    if (y >= across) return;
    const T sum = task.lambda_slow[place.slow] + task.shift;
    for (int o = place.thread - y * along; o < task.mode_post.count; o += along) {
        PassOrbit<T, size> after, before;
        after.read(task.mode_post, o);
        before.read(task.mode_pre, o);
        for (int c = y; c < task.count; c += across) {
            const Index l = place.line + 2 * c;
            if (l >= task.lines) break;
            const bool paired = l + 1 < task.lines;
            const bool constant = task.removed != nullptr && place.slow == 0 && l == 0;
            const T re = sum + cufft::load_table(task.lambda_lanes + l);
            const T im = sum + cufft::load_table(task.lambda_lanes + (paired ? l + 1 : l));
            Complex<T>* const at = place.lines + c * task.pitch;
            Complex<T> z[size];
            read_orbit(after, at, z);
            after.template post<after_mix>(task.mode_post, z);
            POISSON3D_UNROLL
            for (int e = 0; e < size; ++e) z[e] = mode_space(task, before.from(e), z[e], re, im, constant, paired);
            before.template pre<before_mix>(task.mode_pre, z);
            store_orbit(task.mode_pre, before, o, at, z);
        }
    }
}

/// A transform that ends by combining pairs has an inverse that begins by splitting them; others mix none.
template <int size, class T>
POISSON3D_HD void modes(const PassTask<T>& task, const Place<T>& place) {
    if (size == 2 && task.mode_post.mix == Mix::combine)
        mode_orbits<size, Mix::combine, Mix::split>(task, place);
    else
        mode_orbits<size, Mix::alone, Mix::alone>(task, place);
}

/// Which pass it is; what is read (samples or modes) and written follows.
enum class Role { first, first_with_data, forward, middle, backward, last };

/// A whole block; `meet` is where its threads wait for each other. Orbits have `size` elements where modes are, 2
/// where samples are.
template <Role role, int size, bool twos, class T, class Meet>
POISSON3D_HD void run_block(const PassTask<T>& task, const Place<T>& place, const Meet& meet) {
    constexpr bool from_modes = role == Role::backward || role == Role::last;
    constexpr bool to_modes = role == Role::first || role == Role::first_with_data || role == Role::forward;
    constexpr Source source = role == Role::first             ? Source::field
                              : role == Role::first_with_data ? Source::field_with_data
                                                              : Source::inside;
    load_lines<from_modes ? size : 2, source>(task, place);
    meet();
    for (int p = 0; p < task.fft.phases; ++p) {
        fft_phase<false, twos>(task.fft, p, place.lines, task.pitch, task.count, place.thread, place.threads);
        meet();
    }
    if constexpr (role == Role::middle) {
        modes<size>(task, place);
        meet();
        for (int p = 0; p < task.fft.phases; ++p) {
            fft_phase<true, twos>(task.fft, p, place.lines, task.pitch, task.count, place.thread, place.threads);
            meet();
        }
    }
    if constexpr (role == Role::last)
        store_lines<2>(task, place);
    else
        store_rotated<to_modes ? size : 2>(task, place);
}

}  // namespace poisson3d::fused
