#include "structures/chains.hpp"

namespace poisson3d {

namespace {

class Cutter {
public:
    Cutter(const TileMoves& moves, std::uint32_t longest)
        : moves_(moves), longest_(longest), done_(moves.slots()) {}

    ChainPlan plan() {
        const auto slots = static_cast<Slot>(done_.size());
        // Paths first: what is left then are cycles, which may be entered anywhere.
        for (Slot s = 0; s < slots; ++s)
            if (!moves_.is_source(s) && moves_.is_target(s)) follow_path(s);
        for (Slot s = 0; s < slots; ++s)
            if (!done_[s] && moves_.is_target(s)) follow_cycle(s);
        return std::move(plan_);
    }

private:
    void follow_path(Slot s) {
        begin(s);
        for (Slot next = moves_.source(s); moves_.is_target(next); next = moves_.source(next)) add(next);
        plan_.pieces.push_back(piece_);
    }

    void follow_cycle(Slot s) {
        const std::size_t before = plan_.pieces.size();
        begin(s);
        for (Slot next = moves_.source(s); next != s; next = moves_.source(next)) add(next);
        if (before == plan_.pieces.size()) {
            if (piece_.moves == 1) return;  // it stays
            piece_.end = ChainPiece::from_first;
        } else {
            piece_.end = save(s);
        }
        plan_.pieces.push_back(piece_);
    }

    void begin(Slot s) {
        piece_ = {s, 1, ChainPiece::from_slot};
        done_[s] = true;
    }
    void add(Slot next) {
        if (piece_.moves < longest_) {
            ++piece_.moves;
            done_[next] = true;
            return;
        }
        piece_.end = save(next);
        plan_.pieces.push_back(piece_);
        begin(next);
    }
    std::int32_t save(Slot s) {
        plan_.saved.push_back(s);
        return static_cast<std::int32_t>(plan_.saved.size() - 1);
    }

    const TileMoves& moves_;
    std::uint32_t longest_;
    std::vector<bool> done_;
    ChainPlan plan_;
    ChainPiece piece_;
};

}  // namespace

ChainPlan plan_chains(const TileMoves& moves, std::uint32_t longest) {
    return Cutter(moves, longest).plan();
}

}  // namespace poisson3d
