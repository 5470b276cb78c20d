#include "peer_rows.hpp"

#include <cstdio>
#include <utility>

#include "table.hpp"

namespace poisson3d::app {

namespace {

double ratio(const Measurement& row, const PeerMeasurement& peer) {
    return row.solve.middle() / peer.run.middle();
}

std::string two_columns(const std::string& left, const std::string& right) {
    char text[64];
    std::snprintf(text, sizeof text, " %9s %8s", left.c_str(), right.c_str());
    return text;
}

std::string fixed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

Json to_json(const Measurement& row, const PeerMeasurement& peer) {
    Json json = Json::object().set("name", peer.kind.name);
    if (!peer.about) {
        for (const char* key : {"version", "transform", "seconds", "plan_seconds", "ratio", "difference"})
            json.set(key, Json());
        return json;
    }
    json.set("version", peer.about->version)
        .set("transform", peer.about->transform)
        .set("seconds", summary(peer.run))
        .set("plan_seconds", peer.about->plan_seconds)
        .set("ratio", ratio(row, peer))
        .set("difference", peer.difference ? Json(*peer.difference) : Json());
    return json;
}

}  // namespace

std::string explained(const std::vector<PeerKind>& peers) {
    std::string text;
    for (const PeerKind& peer : peers) text += std::string(peer.title) + ": " + peer.work + "\n";
    return text.empty() ? text : text + "vs: our time over theirs, medians\n\n";
}

std::string headings(const std::vector<PeerKind>& peers) {
    std::string text;
    for (const PeerKind& peer : peers)
        text += two_columns(std::string(peer.title) + " ms", std::string("vs ") + peer.title);
    return text;
}

std::string columns(const Measurement& row) {
    std::string text;
    for (const PeerMeasurement& peer : row.peers)
        text += peer.about ? two_columns(fixed(peer.run.middle() * 1e3), fixed(ratio(row, peer)))
                           : two_columns("-", "-");
    return text;
}

std::string details(const Measurement& row) {
    std::string text;
    for (const PeerMeasurement& peer : row.peers)
        if (peer.about)
            text += std::string("    ") + peer.kind.title + " " + peer.about->version + ", " +
                    peer.about->transform + ", plan " + duration(peer.about->plan_seconds) +
                    (peer.difference ? ", solution " + brief(*peer.difference) + " from ours" : "") + "\n";
    return text;
}

Json summary(const Samples& samples) {
    return Json::object()
        .set("median", samples.middle())
        .set("min", samples.least())
        .set("max", samples.most())
        .set("runs", samples.seconds.size());
}

void add_peers(Json& json, const Measurement& row) {
    if (row.peers.empty()) return;
    Json peers = Json::array();
    for (const PeerMeasurement& peer : row.peers) {
        peers.push(to_json(row, peer));
        if (peer.about && std::string(peer.kind.name) == "fftw")
            json.set("fftw", Json::object()
                                 .set("plan", peer.about->plan_seconds)
                                 .set("pair", summary(peer.run))
                                 .set("ratio", ratio(row, peer)));
    }
    json.set("peers", std::move(peers));
}

}  // namespace poisson3d::app
