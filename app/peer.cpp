#include "peer.hpp"

#include <algorithm>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

const std::vector<PeerKind>& all_peers() {
    static const std::vector<PeerKind> peers{fftw_peer(), scipy_peer(), mkl_peer()};
    return peers;
}

std::vector<PeerKind> find_peers(const std::vector<std::string>& names, std::vector<std::string>& absent) {
    const auto asked = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    std::vector<PeerKind> here;
    for (const PeerKind& peer : all_peers()) {
        const bool by_name = asked(peer.name);
        if (!by_name && !asked(every_peer)) continue;
        const std::string reason = peer.missing();
        if (reason.empty())
            here.push_back(peer);
        else if (by_name)
            throw Error(ErrorCode::unsupported, std::string("--compare ") + peer.name + ": " + reason);
        else
            absent.push_back(std::string("--compare leaves out ") + peer.name + ": " + reason);
    }
    return here;
}

}  // namespace poisson3d::app
