// A peer: another library that `bench solve --compare` measures beside our solves, on the same problem.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// What a peer says of itself when it has planned.
struct PeerAbout {
    std::string version;    ///< of the library
    std::string transform;  ///< what it calls what it does: "r2c + c2r", "d_Helmholtz_3D"
    bool solves = true;     ///< false: it does the transforms of a solve and nothing between them
    double plan_seconds = 0.0;
};

/// A library, planned for one problem and as many threads as our solver has.
template <class T>
class Peer {
public:
    virtual ~Peer() = default;
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    /// u := its solution for f, of a singular problem up to a constant; anything if it does not solve. Dense fields
    /// of the grid's points in memory of a HostBuffer, f is only read. Returns the seconds that the library took:
    /// bringing f to where it wants it and u from there is not its work.
    virtual double run(const T* f, T* u) = 0;

    [[nodiscard]] const PeerAbout& about() const noexcept { return about_; }

protected:
    Peer() = default;
    PeerAbout about_;
};

/// Plans on fields of its own. Empty where the library has no way to solve this problem.
template <class T>
using PlanPeer = std::unique_ptr<Peer<T>> (*)(const Problem& problem, int threads);

/// A library before any problem.
struct PeerKind {
    const char* name;          ///< as --compare takes it: "scipy"
    const char* title;         ///< as a column is headed: "SciPy"
    const char* work;          ///< what is measured
    std::string (*missing)();  ///< why it is not on this machine or in this build; empty if it is
    PlanPeer<float> plan_single;
    PlanPeer<double> plan_double;

    template <class T>
    [[nodiscard]] std::unique_ptr<Peer<T>> plan(const Problem& problem, int threads) const {
        if constexpr (std::is_same_v<T, float>)
            return plan_single(problem, threads);
        else
            return plan_double(problem, threads);
    }
};

PeerKind fftw_peer();
PeerKind scipy_peer();
PeerKind mkl_peer();

/// In the order of their columns.
const std::vector<PeerKind>& all_peers();

/// Asks for every one that is here, and no complaint about the others.
inline constexpr const char* every_peer = "all";

/// The peers of these names, or every_peer. Who is asked for by name and is missing is an Error{unsupported}; who
/// is missing otherwise gets a sentence in `absent`.
std::vector<PeerKind> find_peers(const std::vector<std::string>& names, std::vector<std::string>& absent);

}  // namespace poisson3d::app
