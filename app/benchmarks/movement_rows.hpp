// What was measured of a movement of a field, as a row of a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "command_line/options.hpp"
#include "reporting/json.hpp"
#include "solving/rotated_fields.hpp"

namespace poisson3d::app {

struct MovementRow {
    Extents points;
    int element;  ///< bytes
    Permutation permutation;
    std::string asked, used;  ///< algorithms
    std::string description;
    double seconds, copy_seconds;

    [[nodiscard]] double bytes() const { return static_cast<double>(points[0] * points[1] * points[2]) * element; }
    [[nodiscard]] double rate() const { return 2e-9 * bytes() / seconds; }
    [[nodiscard]] double fraction() const { return copy_seconds / seconds; }
};

/// Prints rows as they come, unless stdout is for JSON or for nothing, and keeps them.
class MovementRows {
public:
    explicit MovementRows(const Reporting& reporting);
    void add(const MovementRow& row) { add(row, Json::object()); }
    /// `more` is an object whose keys come first.
    void add(const MovementRow& row, Json more);
    /// status, version, revision, device, backend, cases.
    [[nodiscard]] Json report(Backend backend, int device);

private:
    bool shown_;
    bool first_ = true;  ///< the head of the table is still to come
    Json cases_ = Json::array();
};

/// Fields to move, on machines that are awake.
RotatedFields fields_to_move(Backend backend, const Extents& points, int element, int threads);

/// The backend asked for, or cuda where there is a device; makes the device the current one.
Backend chosen_backend(const BenchTransposeOptions& options);

}  // namespace poisson3d::app
