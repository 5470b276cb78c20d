// The right-hand sides of one run: a field, the steps of a data set, or the data sets that a pattern means.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::app {

/// One of them, and where its results go.
struct RightHandSide {
    std::string name;           ///< "step 7", "/step3/rho": what complaints begin with; empty if there is one only
    std::optional<Index> step;  ///< of a data set that holds many
    std::string dataset, exact;
    std::string group;  ///< of the output, "/step3"; empty: its root
    Index slot = 0;     ///< which field of the data sets of the output
};

/// All have the same problem, so that one plan solves them.
class RightHandSides {
public:
    /// Opens the input and finds them. Throws Error{data}, naming data set and attribute, if their shapes or
    /// attributes differ, and what FieldReader and StepChoice throw.
    RightHandSides(const SolveOptions& options, const Reporting& reporting);

    [[nodiscard]] const FieldHeader& header() const noexcept { return reader_->header(); }
    /// The first one's, until open().
    [[nodiscard]] FieldReader& reader() noexcept { return *reader_; }
    [[nodiscard]] const std::vector<RightHandSide>& all() const noexcept { return all_; }
    /// The data set of all, or the pattern of theirs.
    [[nodiscard]] const std::string& dataset() const noexcept {
        return is_pattern(options_.dataset) ? options_.dataset : header().dataset;
    }
    /// They were asked for as many, though it may be one only.
    [[nodiscard]] bool many() const noexcept { return many_; }
    /// Extents before those of the field in the data sets of the output; empty: each holds one field.
    [[nodiscard]] const std::vector<Index>& leading() const noexcept { return leading_; }

    /// What is read of the input from now on is of this one.
    FieldReader& open(const RightHandSide& one);

private:
    [[nodiscard]] std::unique_ptr<FieldReader> read(const std::string& dataset, const std::string& exact) const;
    void find_matches();
    void find_steps();

    const SolveOptions& options_;
    const Reporting& reporting_;
    std::unique_ptr<FieldReader> reader_;
    std::vector<RightHandSide> all_;
    std::vector<Index> leading_;
    bool many_ = false;
};

}  // namespace poisson3d::app
