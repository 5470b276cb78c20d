// What a report says of many right-hand sides together.
#include <algorithm>
#include <cmath>

#include "reporting/report.hpp"

namespace poisson3d::app {

namespace {

/// Larger, or no number.
bool worse(double a, double b) {
    return a > b || (a != a && b == b);
}

/// What an inaccurate one is judged by.
double judged(const StepReport& step) {
    if (step.variable) return step.variable->residual;
    return step.residual ? step.residual->backward : 0.0;
}

/// The one of two that may be missing whose `number` is worse.
template <class Value, class Number>
void take_worse(std::optional<Value>& all, const std::optional<Value>& one, const Number& number) {
    if (one && (!all || worse(number(*one), number(*all)))) all = one;
}

void add(Seconds& all, const Seconds& one) {
    all.read += one.read, all.solve += one.solve, all.verify += one.verify, all.write += one.write;
}

void add(std::vector<PassReport>& all, const std::vector<PassReport>& one) {
    if (all.empty()) {
        all = one;
        return;
    }
    for (std::size_t p = 0; p < std::min(all.size(), one.size()); ++p)
        all[p].seconds += one[p].seconds, all[p].bytes += one[p].bytes;
}

/// The sentences of those that have one: the first that is worst, and how many there are.
void add_sentence(std::string& all, const SolveReport& report, std::string StepReport::*sentence,
                  const StepReport* worst) {
    std::size_t count = 0;
    for (const StepReport& step : report.steps) {
        if ((step.*sentence).empty()) continue;
        if (++count == 1 && worst == nullptr) worst = &step;
    }
    if (count == 0) return;
    all = worst->name + ": " + worst->*sentence;
    if (count > 1) all += " (and so in " + std::to_string(count - 1) + " more)";
}

}  // namespace

void sum_up(SolveReport& report) {
    StepReport all;
    all.dataset = report.dataset;
    all.verified = report.verified;
    all.seconds.plan = report.seconds.plan;
    const StepReport* inaccurate = nullptr;
    for (const StepReport& step : report.steps) {
        if (step.status != 0 && (inaccurate == nullptr || worse(judged(step), judged(*inaccurate))))
            inaccurate = &step;
        all.result.singular = step.result.singular;
        if (worse(std::fabs(step.result.mean_removed), std::fabs(all.result.mean_removed)))
            all.result.mean_removed = step.result.mean_removed;
        if (worse(step.mean_relative, all.mean_relative)) all.mean_relative = step.mean_relative;
        take_worse(all.residual, step.residual, [](const Residual& residual) { return residual.backward; });
        take_worse(all.variable, step.variable, [](const VariableResult& result) { return result.residual; });
        take_worse(all.source, step.source, [](const Source& source) { return source.edge; });
        take_worse(all.freeness, step.freeness, [](double freeness) { return freeness; });
        take_worse(all.error, step.error, [](const SolutionError& error) { return error.max; });
        add(all.seconds, step.seconds);
        add(all.passes, step.passes);
    }
    if (inaccurate != nullptr) all.status = inaccurate->status;
    add_sentence(all.message, report, &StepReport::message, inaccurate);
    add_sentence(all.warning, report, &StepReport::warning, nullptr);
    static_cast<StepReport&>(report) = std::move(all);
}

}  // namespace poisson3d::app
