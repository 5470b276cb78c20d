// Names of files: whether two mean the same one, and that no output replaces what is read or written beside it.
#pragma once

#include <string>
#include <vector>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

/// A file that the command line names; an empty path is none, and "-" a stream.
struct NamedFile {
    const char* option;  ///< that names it
    const char* what;    ///< "input", "output", …
    std::string path;
};

/// Throws Error{usage} if `file` is one of `others`.
void refuse_same(const NamedFile& file, const std::vector<NamedFile>& others);

/// Does work(), and puts the name of the option that an Error is about before its sentence.
template <class Work>
auto about_option(const std::string& option, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.code(), option + ": " + error.what());
    }
}

}  // namespace poisson3d::app
