#include "face_lines.hpp"

#include "axis_kind.hpp"
#include "line_modes.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::walled {

namespace {

/// Cosines and sines about the middle of the points.
class CenteredWaves {
public:
    CenteredWaves(Index points, Index samples) : points_(points), samples_(samples), roots_(2 * samples) {
        const RootsOfUnity roots(2 * samples);
        for (Index turn = 0; turn < 2 * samples; ++turn) roots_[turn] = roots(turn);
    }

    /// Class 0 or 1, frequency k, point j < n.
    [[nodiscard]] long double operator()(int odd, Index k, Index j) const {
        const Index twice = points_ - 1 - 2 * j;  // from the middle, ≥ 0 in the first half
        const Complex<long double> root = roots_[k * twice % (2 * samples_)];
        return odd == 0 ? root.re : root.im;
    }
    /// 1/Σ v² over all samples: of the constant, and of the shortest wave, all samples are ±1.
    [[nodiscard]] long double weight(Index k) const {
        return (k == 0 || 2 * k == samples_ ? 1.0L : 2.0L) / static_cast<long double>(samples_);
    }

private:
    Index points_, samples_;
    std::vector<Complex<long double>> roots_;
};

/// Zero-padded lines between two free faces.
void set_classes(FaceLines& face, Index samples) {
    const CenteredWaves waves(face.line.points, samples);
    for (Index k = 0; k <= samples / 2; ++k) face.frequencies.push_back(k);
    // Of the shortest wave the points are where its cosine is ±1, or its sine.
    const bool shortest_is_even = face.line.points % 2 == 1;
    for (int odd = 0; odd < 2; ++odd) {
        FaceLines::Class& mine = face.of[odd];
        const Index last = samples / 2 - ((odd == 0) == shortest_is_even ? 0 : 1);
        mine.first_row = odd;
        mine.modes = last + 1 - mine.first_row;
        mine.unknowns = odd == 0 ? face.line.even() : face.line.points - face.line.even();
        if (odd == 1) mine.first_unknown = face.of[0].unknowns, mine.first_place = face.places;
        for (Index k = mine.first_row; k <= last; ++k)
            for (Index j = 0; j < mine.unknowns; ++j)
                mine.forward.push_back(static_cast<double>(waves.weight(k) * waves(odd, k, j)));
        for (Index j = 0; j < mine.unknowns; ++j)
            for (Index k = mine.first_row; k <= last; ++k)
                mine.backward.push_back(static_cast<double>(waves(odd, k, j)));
        face.places += whole_row(mine.modes);
    }
}

/// All modes, of padded lines at the samples that are there.
void set_modes(FaceLines& face, const lines::FaceAxis& axis) {
    const lines::LineModes modes = lines::make_line_modes(axis.lines);
    const Index m = axis_kind(axis.lines).unknowns, n = axis.count;
    for (const Index mode : modes.slots) face.frequencies.push_back(axis.frequency(mode));
    FaceLines::Class& all = face.of[0];
    all.unknowns = n, all.modes = m;
    face.places = whole_row(m);
    for (Index k = 0; k < m; ++k)
        for (Index j = 0; j < n; ++j) all.forward.push_back(modes.forward[k * m + axis.offset + j]);
    for (Index j = 0; j < n; ++j)
        for (Index k = 0; k < m; ++k) all.backward.push_back(modes.backward[(axis.offset + j) * m + k]);
}

}  // namespace

FaceLines make_face_lines(const lines::FaceAxis& axis) {
    FaceLines face;
    const bool two_free_faces = axis.free && axis.lines.periodic();
    face.line = {axis.count, two_free_faces ? 2 : 1};
    if (two_free_faces)
        set_classes(face, axis_kind(axis.lines).unknowns);
    else
        set_modes(face, axis);
    return face;
}

}  // namespace poisson3d::walled
