// Bars on stderr for the slow parts, drawn over one line that is gone when the part ends.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "command_line/options.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::app {

/// One part of the work ("reading"). Draws nothing unless bars are wanted.
class ProgressBar {
public:
    ProgressBar(ShowProgress show, std::string name);
    /// Wipes the line.
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `done` of `total` elements. Draws at most ten times a second.
    void update(Index done, Index total);

    /// For work of unknown length: a thread of its own shows the seconds that passed, until the bar is
    /// destroyed.
    void count_seconds();

private:
    void draw(const std::string& text);

    struct Clock;
    bool shown_;
    std::string name_;
    std::size_t widest_ = 0;
    std::chrono::steady_clock::time_point begin_, last_;
    std::unique_ptr<Clock> clock_;
};

}  // namespace poisson3d::app
