#include "wisdom.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

#include "fftw.hpp"

namespace poisson3d::host {

namespace {

namespace files = std::filesystem;

/// An absolute path from the environment, or nothing.
files::path path_in(const char* variable) {
    const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
    const files::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : files::path();
}

/// Empty if the user has none. It need not be there.
files::path cache_directory() {
    if (files::path cache = path_in("XDG_CACHE_HOME"); !cache.empty()) return cache;
    const files::path home = path_in("HOME");
    return home.empty() ? home : home / ".cache";
}

files::path wisdom_file(const char* library) {
    const files::path cache = cache_directory();
    return cache.empty() ? cache : cache / "poisson3d" / (std::string(library) + "-wisdom");
}

/// Empty if there is no such file.
std::string contents(const files::path& path) {
    std::error_code none;
    if (!files::is_regular_file(path, none)) return {};
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Written aside and renamed: who reads meanwhile finds the old file or the new one.
void write(const files::path& path, const std::string& text) {
    std::error_code failed;
    files::create_directory(path.parent_path().parent_path(), failed);
    files::create_directory(path.parent_path(), failed);
    const files::path aside = path.string() + "." + std::to_string(getpid());
    std::ofstream file(aside, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (file) files::rename(aside, path, failed);
    if (!file || failed) files::remove(aside, failed);
}

/// All that the planner knows.
template <class T>
std::string known() {
    const std::unique_ptr<char, decltype(&std::free)> text(Fftw<T>::wisdom(), &std::free);
    return text == nullptr ? "" : text.get();
}

template <class T>
void replace(const std::string& wisdom) {
    Fftw<T>::forget();
    if (!wisdom.empty()) Fftw<T>::learn(wisdom.c_str());  // what it refuses it does not learn
}

/// What our plans measured. The file is read once.
template <class T>
std::string& ours() {
    static std::string wisdom = contents(wisdom_file(Fftw<T>::name));
    return wisdom;
}

}  // namespace

template <class T>
PlannerWisdom<T>::PlannerWisdom(PlanEffort effort) : others_(known<T>()) {
    replace<T>(effort == PlanEffort::measure ? ours<T>() : std::string());
}

template <class T>
PlannerWisdom<T>::~PlannerWisdom() {
    replace<T>(others_);
}

template <class T>
void PlannerWisdom<T>::keep() const {
    ours<T>() = known<T>();
    const files::path path = wisdom_file(Fftw<T>::name);
    if (!path.empty()) write(path, ours<T>());
}

template class PlannerWisdom<float>;
template class PlannerWisdom<double>;

}  // namespace poisson3d::host
