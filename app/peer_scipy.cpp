// SciPy as a peer: a whole solve by scipy.fft, in a Python that stays alive and solves when a field comes.
//
// What is measured, by that Python, is what its user would wait for: the transforms of all axes with as many
// workers as we have threads, one multiplication by the inverse eigenvalues, made before, and the transforms back.
#include <cstdlib>
#include <sstream>

#include "child.hpp"
#include "interrupt.hpp"
#include "peer.hpp"
#include "peer_scipy.hpp"
#include "poisson3d/error.hpp"
#include "report.hpp"

namespace poisson3d::app {

namespace {

std::string interpreter() {
    const char* const named = std::getenv("POISSON3D_PYTHON");
    return named != nullptr && *named != '\0' ? named : "python3";
}

/// A Python with our program in it.
class Python {
public:
    explicit Python(const std::vector<std::string>& arguments) : child_(command(arguments)) {}

    /// The words behind the "ok" of its next answer. Throws Error{device}: it went, or could not do it.
    [[nodiscard]] std::istringstream answer() const {
        const std::optional<std::string> line = child_.line();
        if (!line) gone();
        std::istringstream words(*line);
        std::string first;
        words >> first >> std::ws;
        if (first == "ok") return words;
        std::string what;
        std::getline(words, what);
        throw Error(ErrorCode::device,
                    first == "error" ? what : "found '" + *line + "', wanted an answer of " + interpreter());
    }

    void send(const void* data, std::size_t bytes) const {
        if (!child_.send(data, bytes)) gone();
    }
    void receive(void* data, std::size_t bytes) const {
        if (!child_.receive(data, bytes)) gone();
    }

private:
    static std::vector<std::string> command(const std::vector<std::string>& arguments) {
        std::vector<std::string> all{interpreter(), "-c", scipy_program};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }

    [[noreturn]] static void gone() {
        stop_if_interrupted();  // Ctrl-C reaches both
        throw Error(ErrorCode::device, interpreter() + " ended before it answered");
    }

    Child child_;
};

/// work() with the name of the option before what it complains of.
template <class Work>
auto blaming(const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.code(), std::string("--compare scipy: ") + error.what());
    }
}

template <class T>
class ScipyPeer final : public Peer<T> {
public:
    ScipyPeer(const Problem& problem, int threads)
        : bytes_(static_cast<std::size_t>(problem.grid.size()) * sizeof(T)),
          python_({to_json(problem, sizeof(T) == sizeof(float) ? "single" : "double").text(),
                   std::to_string(threads)}) {
        std::istringstream words = python_.answer();
        words >> this->about_.version >> this->about_.plan_seconds >> std::ws;
        std::getline(words, this->about_.transform);
    }

    double run(const T* f, T* u) override {
        return blaming([&] {
            python_.send(f, bytes_);
            double seconds = 0.0;
            if (!(python_.answer() >> seconds)) throw Error(ErrorCode::device, "found no seconds in its answer");
            python_.receive(u, bytes_);
            return seconds;
        });
    }

private:
    std::size_t bytes_;
    Python python_;
};

template <class T>
std::unique_ptr<Peer<T>> plan(const Problem& problem, int threads) {
    return blaming([&] { return std::make_unique<ScipyPeer<T>>(problem, threads); });
}

std::string missing() {
    try {
        const Python python({});
        std::string version;
        python.answer() >> version;
        return "";
    } catch (const Error& error) {
        return std::string(error.what()) + "; POISSON3D_PYTHON may name a Python that has SciPy";
    }
}

}  // namespace

PeerKind scipy_peer() {
    return {"scipy", "SciPy",     "a whole solve by scipy.fft: transforms, one multiplication, transforms back",
            missing, plan<float>, plan<double>};
}

}  // namespace poisson3d::app
