// How members solve, in one line for reports.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "exchange.hpp"
#include "member_exchanges.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d {

struct PlanInWords {
    const Grid& grid;
    Method method;
    bool pencils;
    std::array<int, 2> shape;  ///< of slabs or pencils
    std::string members;
    ChosenWay way{}, rows_way{};     ///< between slabs, and between the pencils of one
    std::optional<Traffic> moves{};  ///< from and to boxes of their own
    bool closes_faces = false, eliminates_twice = false;
    std::string each{};  ///< what a member does

    [[nodiscard]] std::string text() const {
        const std::string x(1, grid.labels[0]), y(1, grid.labels[1]);
        std::string text = x + (method == Method::eliminate ? " eliminated" : " transposed");
        if (pencils)
            text = method == Method::eliminate ? text + ", " + y + " transposed" : x + " and " + y + " transposed";
        text += " over " + members;
        if (pencils) text += ", " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]);
        if (!pencils || shape[0] > 1) text += in_words(", ", way);
        if (pencils) text += in_words(", rows by ", rows_way);
        if (moves)
            text += ", from and to boxes of their own by " + std::to_string(moves->messages) + " messages of " +
                    std::to_string(static_cast<Index>(moves->bytes)) + " bytes in all";
        if (closes_faces) text += ", free faces closed by walls";
        if (eliminates_twice) text += " between two eliminations";
        return text + ", each " + each;
    }

private:
    static std::string in_words(const std::string& start, const ChosenWay& way) {
        if (way.way == Way::automatic) return {};
        std::string text = start + name(way.way);
        if (way.rate > 0.0) text += " at " + std::to_string(std::lround(way.rate / 1e9)) + " GB/s";
        return text;
    }
};

}  // namespace poisson3d
