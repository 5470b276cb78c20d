// A step that all ranks take together: if it fails on one, it has failed, and rank 0 says why in the words of that
// one.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "poisson3d/error.hpp"
#include "ranks/ranks.hpp"

namespace poisson3d::app {

/// How a step went on a rank.
struct Answer {
    ErrorCode code = ErrorCode::ok;
    bool elsewhere = false;  ///< only another rank knows why
    double number = 0.0;
    std::array<char, 1024> words{};
};

/// number = body(), or what it throws.
template <class Body>
Answer answer_of(const Body& body) {
    Answer answer;
    const auto refuse = [&answer](ErrorCode code, const char* words) {
        answer.code = code;
        std::strncpy(answer.words.data(), words, answer.words.size() - 1);
    };
    try {
        answer.number = body();
    } catch (const RefusedElsewhere& error) {
        refuse(error.code(), error.what());
        answer.elsewhere = true;
    } catch (const Error& error) {
        refuse(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        refuse(ErrorCode::out_of_memory, "out of host memory");
    } catch (const std::exception& error) {
        refuse(ErrorCode::internal, error.what());
    }
    return answer;
}

/// What a step that failed is to ranks other than 0, which wait for what rank 0 makes of it.
struct StepRefused {};

/// Calls body() on all ranks, and returns the largest number that it returned there (on rank 0). If it throws on
/// one, rank 0 throws an Error with the words of the first that knows why, and all others StepRefused.
template <class Body>
double together(Ranks& ranks, const Body& body) {
    ranks.meet();
    Answer all = answer_of(body);
    if (ranks.rank() > 0) {
        ranks.send(0, &all, sizeof all);
        ranks.receive(0, &all, sizeof all);
        if (all.code != ErrorCode::ok) throw StepRefused{};
        return all.number;
    }
    for (int rank = 1; rank < ranks.size(); ++rank) {
        Answer one;
        ranks.receive(rank, &one, sizeof one);
        one.number = all.number = std::max(all.number, one.number);
        const bool knows_more = all.code == ErrorCode::ok || (all.elsewhere && !one.elsewhere);
        if (one.code != ErrorCode::ok && knows_more) all = one;
    }
    for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, &all, sizeof all);
    if (all.code != ErrorCode::ok) throw Error(all.code, all.words.data());
    return all.number;
}

}  // namespace poisson3d::app
