// Intel oneMKL as a peer: its own solver of the Helmholtz equation in a box.
//
// It solves −Δu + q u = F on nodes, in place, x fastest: F = f and u = −its solution, q = λ. A periodic axis
// repeats its first point at its end, where we do not, so that cells serve as well there. A solve is the second
// half of its commit step (which puts the boundary values into f) and the solver. Singular problems it solves only
// for f without a mean.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <thread>

#include "mkl_library.hpp"
#include "peer.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"
#include "timing.hpp"

namespace poisson3d::app {

namespace {

/// Points that it stores on an axis.
Index stored(const Axis& axis) {
    return axis.points + (axis.periodic() ? 1 : 0);
}

/// It counts in int, wants four intervals for its own transforms, and takes an odd number of them along a periodic
/// axis without a word and solves it wrongly, but for the slowest.
bool fits(const Problem& problem) {
    if (problem.discretization != Discretization::second_order) return false;
    Index size = 1;
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        if (!axis.periodic() && axis.centering == Centering::cell) return false;
        if (axis.periodic() && a > 0 && axis.points % 2 != 0) return false;
        if (stored(axis) < 5) return false;
        size *= stored(axis);
    }
    return size <= std::numeric_limits<int>::max();
}

template <class T>
class MklPeer final : public Peer<T> {
public:
    MklPeer(const Problem& problem, int threads)
        : points_(problem.grid.points()), singular_(poisson3d::singular(problem)) {
        library_.set_threads(threads);
        const Stopwatch watch;
        const auto& axes = problem.grid.axes;
        Extents shape{};
        for (std::size_t a = 0; a < 3; ++a) shape[a] = stored(axes[a]);
        field_ = Field<T>(shape);
        std::fill_n(field_.data(), field_.size(), T(0));
        const Index longest = *std::max_element(shape.begin(), shape.end());
        zeros_.resize(static_cast<std::size_t>(longest * longest));
        numbers_.resize(static_cast<std::size_t>(13 * (shape[1] + shape[2]) / 2 + 9));
        std::string walls;
        std::array<T, 3> length{};
        std::array<int, 3> intervals{};
        for (const std::size_t a : {2, 1, 0}) {
            intervals[a] = static_cast<int>(shape[a] - 1);
            length[a] = static_cast<T>(axes[a].length());
            for (const Boundary face : {axes[a].lower, axes[a].upper}) walls += "PDN"[static_cast<int>(face)];
        }
        const T zero(0);
        const T q(static_cast<T>(problem.helmholtz));
        int status = 0;
        library_.calls<T>().init(&zero, &length[2], &zero, &length[1], &zero, &length[0], &intervals[2],
                                 &intervals[1], &intervals[0], walls.c_str(), &q, settings_.data(), numbers_.data(),
                                 &status);
        require(status, "initialise");
        settings_[1] = 0;  // prints no errors
        settings_[2] = 0;  // nor warnings
        commit(all_of_it);
        this->about_ = {library_.version, std::is_same_v<T, float> ? "s_Helmholtz_3D" : "d_Helmholtz_3D", true,
                        watch.seconds()};
    }

    ~MklPeer() override {
        int status = 0;
        library_.free(&x_, &y_, settings_.data(), &status);
    }

    double run(const T* f, T* u) override {
        load({f, points_});
        if (singular_) remove_mean();
        const Stopwatch watch;
        commit(field_only);
        int status = 0;
        const T* const z = zeros_.data();
        library_.calls<T>().solve(field_.data(), z, z, z, z, z, z, &x_, &y_, settings_.data(), numbers_.data(),
                                  &status);
        const double seconds = watch.seconds();
        require(status, "solve");
        store({u, points_});
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // until its threads have gone to sleep
        return seconds;
    }

private:
    // What the first setting tells the commit step to do.
    static constexpr int all_of_it = 0;
    static constexpr int field_only = 9;

    /// Warnings are above 0: that a singular problem is one.
    static void require(int status, const char* what) {
        if (status < 0)
            throw Error(ErrorCode::device, std::string("--compare mkl: oneMKL could not ") + what +
                                               " this problem, status " + std::to_string(status));
    }

    void commit(int part) {
        int status = 0;
        settings_[0] = part;
        const T* const z = zeros_.data();
        library_.calls<T>().commit(field_.data(), z, z, z, z, z, z, &x_, &y_, settings_.data(), numbers_.data(),
                                   &status);
        require(status, "prepare");
    }

    void load(const FieldView<const T>& f) {
        const FieldView<T> to = field_.view();
        const auto [nx, ny, nz] = points_;
        for (Index i = 0; i < to.extents[0]; ++i)
            for (Index j = 0; j < to.extents[1]; ++j) {
                const T* const row = &f(i % nx, j % ny, 0);
                std::copy_n(row, nz, &to(i, j, 0));
                if (to.extents[2] > nz) to(i, j, nz) = row[0];
            }
    }

    /// Ends count half, be they walls or the same point twice.
    void remove_mean() {
        const FieldView<T> f = field_.view();
        const auto [nx, ny, nz] = f.extents;
        const auto weight = [](Index i, Index n) { return i == 0 || i == n - 1 ? 0.5 : 1.0; };
        double sum = 0.0;
        for (Index i = 0; i < nx; ++i)
            for (Index j = 0; j < ny; ++j) {
                double row = 0.0;
                for (Index k = 0; k < nz; ++k) row += weight(k, nz) * static_cast<double>(f(i, j, k));
                sum += weight(i, nx) * weight(j, ny) * row;
            }
        const double mean = sum / static_cast<double>((nx - 1) * (ny - 1) * (nz - 1));
        for (Index i = 0; i < f.size(); ++i) f.data[i] = static_cast<T>(static_cast<double>(f.data[i]) - mean);
    }

    void store(const FieldView<T>& u) const {
        const FieldView<const T> from = field_.view();
        for (Index i = 0; i < u.extents[0]; ++i)
            for (Index j = 0; j < u.extents[1]; ++j)
                for (Index k = 0; k < u.extents[2]; ++k) u(i, j, k) = -from(i, j, k);
    }

    const MklLibrary& library_ = MklLibrary::get();
    Extents points_;
    bool singular_;
    Field<T> field_;
    std::vector<T> zeros_;    ///< boundary values of any face
    std::vector<T> numbers_;  ///< dpar, as long as it may have to be
    std::array<int, 128> settings_{};
    MklHandle x_ = nullptr;
    MklHandle y_ = nullptr;
};

template <class T>
std::unique_ptr<Peer<T>> plan(const Problem& problem, int threads) {
    return fits(problem) ? std::make_unique<MklPeer<T>>(problem, threads) : nullptr;
}

}  // namespace

PeerKind mkl_peer() {
    return {"mkl",
            "MKL",
            "a whole solve by oneMKL, in place, of problems it has: nodes, or periodic",
            [] { return MklLibrary::get().missing; },
            plan<float>,
            plan<double>};
}

}  // namespace poisson3d::app
