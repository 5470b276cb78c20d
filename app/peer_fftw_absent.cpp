// Stands in for peer_fftw.cpp where FFTW, or its threads, are not there.
#include "peer.hpp"

namespace poisson3d::app {

namespace {

template <class T>
std::unique_ptr<Peer<T>> no_plan(const Problem&, int) {
    return nullptr;
}

}  // namespace

PeerKind fftw_peer() {
    return {"fftw",           "FFTW",
            "its transforms", [] { return std::string("this build has no FFTW with threads to compare with"); },
            no_plan<float>,   no_plan<double>};
}

}  // namespace poisson3d::app
