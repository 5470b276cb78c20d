// The words of `bench structures` as values.
#include "spec.hpp"
#include "words.hpp"

namespace poisson3d::app {

namespace {

int parse_words(const std::string& option, const std::string& word) {
    const Index words = parse_integer(option, word, 1);
    if (words > most_fields)
        throw Error(ErrorCode::usage,
                    option + ": found '" + word + "', wanted 1 to " + std::to_string(most_fields) + " words");
    return static_cast<int>(words);
}

}  // namespace

BenchStructuresOptions bench_structures_options(const Words& words) {
    BenchStructuresOptions options;
    // Without either, structures ↔ arrays.
    if (words.fields || !words.structure_words)
        options.fields = parse_list("--fields", words.fields.value_or("2,3,4,8,16,32,64"), parse_words);
    if (words.structure_words) options.words = parse_list("--words", *words.structure_words, parse_words);
    options.elements = parse_list("--element", words.element.value_or("4,8,16"),
                                  [](const std::string& option, const std::string& word) {
                                      return choose<int>(option, word, {{"4", 4}, {"8", 8}, {"16", 16}});
                                  });
    if (words.count) options.count = parse_integer("--count", *words.count, 1);
    if (options.count > (Index{1} << 50))
        throw Error(ErrorCode::usage, "--count: found " + *words.count + ", more than any machine holds");
    options.in_place = words.in_place;
    if (words.backend)
        options.backend =
            choose<Backend>("--backend", *words.backend, {{"host", Backend::host}, {"cuda", Backend::cuda}});
    if (words.device) options.device = parse_count("--device", *words.device);
    if (words.threads) options.threads = parse_count("--threads", *words.threads);
    if (words.repeat) options.repeat = parse_count("--repeat", *words.repeat);
    return options;
}

}  // namespace poisson3d::app
