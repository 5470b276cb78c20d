// Text for people: lines of "name  value", numbers short enough to read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poisson3d/field_file.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// Lines whose values are aligned; a line without a name continues the one above. Whatever stands in
/// them is safe for a terminal.
class Table {
public:
    void title(const std::string& text);
    void line(const std::string& name, const std::string& value);
    /// A value made of columns: text and how wide it shall be at least.
    void row(const std::string& name, const std::vector<std::pair<std::string, std::size_t>>& columns);
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

/// Three significant digits: "1.23e-16", "0.5".
std::string brief(double value);
/// "1.23 ms", "4.56 s".
std::string duration(double seconds);
/// "64 × 64 × 32"
std::string dimensions(const Extents& points);
/// "∇²u − 2 u = 3 f"
std::string equation(double helmholtz, double scale, const VariableFields& fields = {});
/// "/coefficient, ε of ∇·(ε∇u) on the faces, and /lambda, λ at the points"
std::string told_fields(const VariableFields& fields);
/// The box, a line per axis: interval, spacing, boundary, centring.
void add_box(Table& table, const Grid& grid);

}  // namespace poisson3d::app
