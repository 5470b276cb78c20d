#include "solving/right_hand_sides.hpp"

#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

ReadOptions read_options(const SolveOptions& options, const Reporting& reporting) {
    return {.dataset = options.dataset,
            .exact = options.exact,
            .allow_fill = options.allow_fill,
            .steps = options.step.has_value(),
            .outputs = {{"--output", options.output},
                        {"--preview", options.preview},
                        {"--vtk", options.vtk},
                        {"--json", reporting.json}}};
}

std::string place_of(const FieldHeader& header) {
    return printable_name(header.path) + ", dataset " + printable(header.dataset);
}

/// What a plan and the conversion of values depend on.
void require_same(const FieldHeader& first, const FieldHeader& other) {
    const auto refuse = [&](const std::string& what) {
        throw Error(ErrorCode::data, place_of(other) + ": found another " + what + " than " +
                                         printable(first.dataset) +
                                         " has, wanted the same for all that are solved "
                                         "by one plan");
    };
    if (other.points != first.points) refuse("shape");
    if (other.format != first.format) refuse("format");
    if (!(other.variable == first.variable)) refuse("coefficient");
    if (other.type_bytes != first.type_bytes) refuse("precision");
    if (other.spacing != first.spacing) refuse("attribute spacing");
    if (other.origin != first.origin) refuse("attribute origin");
    if (other.boundary != first.boundary) refuse("attribute boundary");
    if (other.centering != first.centering) refuse("attribute centering");
    if (other.helmholtz != first.helmholtz) refuse("attribute helmholtz");
    if (other.labels != first.labels) refuse("attribute axis_labels");
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t side = 0; side < 2; ++side)
            if (other.robin[a][side] != first.robin[a][side])
                refuse(std::string("attribute robin_") + first.labels[a] + (side == 0 ? "_lower" : "_upper"));
}

/// The data set to compare a match with: that of the same group, or one for all.
std::string exact_of(const SolveOptions& options, const std::string& group) {
    if (!is_pattern(options.exact)) return options.exact;
    const std::string shared = matched_group(options.dataset, options.dataset);
    if (matched_group(options.exact, options.exact) != shared)
        throw Error(ErrorCode::usage, "--exact: found " + options.exact +
                                          ", wanted a pattern that begins as --dataset "
                                          "does, " +
                                          shared + ", or one data set for all");
    const std::string full = options.exact.front() == '/' ? options.exact : "/" + options.exact;
    return group + full.substr(shared.size());
}

}  // namespace

RightHandSides::RightHandSides(const SolveOptions& options, const Reporting& reporting)
    : options_(options), reporting_(reporting) {
    const bool pattern = is_pattern(options.dataset);
    if (pattern && options.step)
        throw Error(ErrorCode::usage,
                    "--step chooses of one data set, and --dataset is a pattern of many: give only one of them");
    if (!pattern && is_pattern(options.exact))
        throw Error(ErrorCode::usage, "--exact: found the pattern " + options.exact +
                                          ", but --dataset is one data set: name the one to compare with");
    many_ = pattern || (options.step && !options.step->one);
    if (pattern) {
        find_matches();
        return;
    }
    reader_ = read(options.dataset, options.exact);
    if (options.step)
        find_steps();
    else
        all_.push_back({.name = {}, .step = {}, .dataset = header().dataset, .exact = options.exact, .group = {}});
}

std::unique_ptr<FieldReader> RightHandSides::read(const std::string& dataset, const std::string& exact) const {
    ReadOptions wanted = read_options(options_, reporting_);
    wanted.dataset = dataset, wanted.exact = exact;
    return std::make_unique<FieldReader>(options_.input, wanted);
}

/// Each is looked at before any is solved.
void RightHandSides::find_matches() {
    for (const std::string& match :
         matching_datasets(options_.input, options_.dataset, read_options(options_, reporting_))) {
        const std::string group = matched_group(options_.dataset, match);
        all_.push_back(
            {.name = match, .step = {}, .dataset = match, .exact = exact_of(options_, group), .group = group});
        std::unique_ptr<FieldReader> reader = read(match, all_.back().exact);
        if (reader_)
            require_same(reader_->header(), reader->header());
        else
            reader_ = std::move(reader);
    }
}

void RightHandSides::find_steps() {
    const std::vector<Index>& leading = header().leading;
    if (leading.empty())
        throw Error(ErrorCode::data,
                    place_of(header()) + ": found a 3-D array, which has no steps: leave --step out");
    const std::vector<Index> steps = options_.step->resolve(header().steps(), place_of(header()));
    if (many_) leading_ = options_.step->every() ? leading : std::vector<Index>{static_cast<Index>(steps.size())};
    for (const Index step : steps)
        all_.push_back({.name = "step " + std::to_string(step),
                        .step = step,
                        .dataset = header().dataset,
                        .exact = options_.exact,
                        .group = {},
                        .slot = static_cast<Index>(all_.size())});
    reader_->select(all_.front().step.value());
}

FieldReader& RightHandSides::open(const RightHandSide& one) {
    if (one.dataset != header().dataset) reader_ = read(one.dataset, one.exact);
    if (one.step) reader_->select(*one.step);
    return *reader_;
}

}  // namespace poisson3d::app
