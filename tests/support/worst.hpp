// The worst of many measurements against a tolerance, and the case it came from.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tolerance.hpp"

namespace poisson3d::test {

/// Collects errors and fails the test for each that is above its tolerance or not a number. What was worst is
/// recorded in the test report in units of eps, so that a slow loss of digits can be seen before it fails.
template <class T>
class Worst {
public:
    explicit Worst(std::string what) : what_(std::move(what)) {}
    Worst(const Worst&) = delete;
    Worst& operator=(const Worst&) = delete;
    ~Worst() {
        const std::string key = what_ + (sizeof(T) == 4 ? "_float" : "_double");
        testing::Test::RecordProperty(key, std::to_string(error_ / tolerance::eps<T>) + " eps, " +
                                               std::to_string(part_) + " of the tolerance, " + where_);
    }

    /// True if `error` is fine.
    bool check(double error, double allowed, const std::string& where) {
        const double part = error / allowed;
        if (!(part <= part_)) part_ = part, error_ = error, where_ = where;
        if (error <= allowed) return true;
        ADD_FAILURE() << what_ << " of " << where << ": " << error / tolerance::eps<T> << " eps of "
                      << (sizeof(T) == 4 ? "float" : "double") << ", allowed " << allowed / tolerance::eps<T>;
        return false;
    }

private:
    std::string what_, where_;
    double part_ = 0.0;
    double error_ = 0.0;
};

}  // namespace poisson3d::test
