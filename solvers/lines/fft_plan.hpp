// Which radices an FFT is made of, its roots of unity, and where its positions and modes lie.
#pragma once

#include <unordered_map>
#include <vector>

#include "line_fft.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

/// Whether its prime factors are at most 23 or have prime steps, and are not too many.
bool has_radices(Index length);

/// length = samples · Π inner · modes: the outer step next to samples, those in shared memory, the outer step next
/// to modes.
struct Radices {
    int samples = 1;
    std::vector<int> inner;
    int modes = 1;
};

/// With as few steps in shared memory as there can be. `first`: an outer step next to samples is wanted; the lines
/// of type I have their own (symmetric.hpp).
Radices radices_of(Index length, bool first = true);

/// The fewest radices of inner steps that make up a length, of those the ones with the smallest largest radix; none
/// for 1, or if there are none. Found parts are kept: the ways to split a length are many, its divisors few.
class InnerRadices {
public:
    /// Of those radices that `has` says, or of all.
    explicit InnerRadices(bool (*has)(int radix) = nullptr) : has_(has) {}
    const std::vector<int>& of(Index length);

private:
    bool (*has_)(int radix);
    std::unordered_map<Index, std::vector<int>> known_{{1, {}}};
};

/// Elements that one of `count` FFTs of a line takes with its padding, of either type at most.
template <class Format = Compact>
Index padded_length_of(const Radices& radices, int count = 1);

/// `count` FFTs of `length` on every line, behind each other.
template <class T, class Format = Compact>
struct FftPlan {
    Index length = 1;
    int count = 1;
    Radices radices;
    LineFft<T, Format> fft;  ///< tables not yet set
    int parts = 0;           ///< of its prime steps
    std::vector<typename Format::Word> words;
    std::vector<Complex<T>> twiddles;
    std::vector<Complex<double>> matrices;
    std::vector<int> natural;   ///< position → padded offset in its FFT
    std::vector<int> reversed;  ///< mode → padded offset in its FFT
    int padded_length = 1;      ///< of one FFT: the next one begins there
    int pitch = 0;              ///< elements from line to line
    int samples_stride = 1;     ///< between elements of an outer butterfly; next to modes it is 1
};

/// Lines whose FFTs are done elsewhere: elements lie in natural order before and after, one FFT behind the other.
template <class T, class Format>
FftPlan<T, Format> whole_lines(Index length, int count);

template <class T, class Format>
FftPlan<T, Format> make_fft_plan(Index length, int count, const Radices& radices);

}  // namespace poisson3d::lines
