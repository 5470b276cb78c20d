#include "reporting/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "poisson3d/home_process.hpp"

namespace poisson3d::app {

namespace {

constexpr auto beat = std::chrono::milliseconds(100);
constexpr int bar_width = 40;
constexpr std::size_t step_width = 10;

bool wanted(ShowProgress show) {
    return show == ShowProgress::always || (show == ShowProgress::automatic && isatty(STDERR_FILENO) == 1);
}

}  // namespace

struct ProgressBar::Clock {
    std::mutex mutex;
    std::condition_variable changed;
    bool stop = false;
    std::thread thread;
    HomeProcess home;
};

ProgressBar::ProgressBar(ShowProgress show, std::string name)
    : shown_(wanted(show)), name_(std::move(name)), begin_(std::chrono::steady_clock::now()), last_(begin_) {
    name_.resize(std::max(name_.size(), step_width), ' ');
}

ProgressBar::~ProgressBar() {
    if (clock_ && !clock_->home.here()) {
        static_cast<void>(clock_.release());  // a child of fork() has no such thread
        return;
    }
    if (clock_) {
        {
            const std::lock_guard lock(clock_->mutex);
            clock_->stop = true;
        }
        clock_->changed.notify_one();
        clock_->thread.join();
    }
    if (widest_ > 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(widest_), "");
}

void ProgressBar::draw(const std::string& text) {
    const std::string line = name_ + " " + text;
    widest_ = std::max(widest_, line.size());
    std::fprintf(stderr, "\r%-*s", static_cast<int>(widest_), line.c_str());
    std::fflush(stderr);
}

void ProgressBar::update(Index done, Index total) {
    if (!shown_ || total <= 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (widest_ > 0 && done < total && now - last_ < beat) return;
    last_ = now;
    const double part = static_cast<double>(done) / static_cast<double>(total);
    const int filled = static_cast<int>(part * bar_width);
    char percent[16];
    std::snprintf(percent, sizeof percent, "] %3d %%", static_cast<int>(part * 100.0));
    draw("[" + std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(bar_width - filled), '.') + percent);
}

void ProgressBar::count_seconds() {
    if (!shown_ || clock_) return;
    clock_ = std::make_unique<Clock>();
    clock_->thread = std::thread([this] {
        std::unique_lock lock(clock_->mutex);
        while (!clock_->changed.wait_for(lock, beat, [&] { return clock_->stop; })) {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
            char text[32];
            std::snprintf(text, sizeof text, "%.1f s", passed.count());
            draw(text);
        }
    });
}

}  // namespace poisson3d::app
