// libpng reports errors by longjmp, which must not pass over objects with destructors. So the frames between
// setjmp and libpng hold plain values only, and everything that has to be released belongs to their caller.
#include "pictures/png_file.hpp"

#include <fcntl.h>
#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <system_error>
#include <utility>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

/// What libpng's callbacks find out, for the one who called.
struct Failure {
    char message[128] = "";
    int number = 0;  ///< errno of a failed write
};

extern "C" {

[[noreturn]] void png_failed(png_structp png, png_const_charp message) {
    auto* const failure = static_cast<Failure*>(png_get_error_ptr(png));
    std::snprintf(failure->message, sizeof failure->message, "%s", message);
    png_longjmp(png, 1);
}

void png_warned(png_structp, png_const_charp) {
    // About files that are read; nothing here gives cause for one.
}

void png_put(png_structp png, png_bytep bytes, png_size_t count) {
    if (std::fwrite(bytes, 1, count, static_cast<std::FILE*>(png_get_io_ptr(png))) == count) return;
    static_cast<Failure*>(png_get_error_ptr(png))->number = errno;
    png_error(png, "write error");
}

void png_flush_later(png_structp) {
    // The file is flushed once, where its errors are seen.
}
}

/// Owns what libpng allocates.
struct Writer {
    explicit Writer(Failure& failure)
        : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, png_failed, png_warned)),
          info(png != nullptr ? png_create_info_struct(png) : nullptr) {}
    ~Writer() {
        if (png != nullptr) png_destroy_write_struct(&png, &info);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    png_structp png;
    png_infop info;
};

/// May be left by longjmp: no destructors here.
void put_picture(png_structp png, png_infop info, std::FILE* file, const Canvas& canvas) {
    png_set_write_fn(png, file, png_put, png_flush_later);
    png_set_IHDR(png, info, static_cast<png_uint_32>(canvas.width()), static_cast<png_uint_32>(canvas.height()), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Smooth areas beside flat ones: the two filters that suit them, and that any reader undoes quickly.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(png, info);
    for (int y = 0; y < canvas.height(); ++y) png_write_row(png, canvas.row(y));
    png_write_end(png, info);
}

/// False if libpng gave up. No variable is changed after setjmp, so none is lost by the jump.
bool try_picture(png_structp png, png_infop info, std::FILE* file, const Canvas& canvas) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    put_picture(png, info, file, canvas);
    return true;
}

struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

}  // namespace

struct PngFile::State {
    explicit State(const std::string& path) : output(path) {
        // A copy, which is closed when the picture is drawn.
        const int copy = fcntl(output.descriptor(), F_DUPFD_CLOEXEC, 0);
        if (copy >= 0) file.reset(fdopen(copy, "wb"));
        if (!file) fail(std::generic_category().message(errno));
    }
    [[noreturn]] void fail(const std::string& cause) const {
        throw Error(ErrorCode::output, "--preview: cannot write " + output.path() + ": " + cause);
    }

    OutputFile output;
    std::unique_ptr<std::FILE, Close> file;
};

void require_png() {}

PngFile::PngFile(const std::string& path) : state_(std::make_unique<State>(path)) {}
PngFile::~PngFile() = default;
PngFile::PngFile(PngFile&&) noexcept = default;
PngFile& PngFile::operator=(PngFile&&) noexcept = default;

void PngFile::write(const Canvas& canvas) {
    Failure failure;
    const Writer writer(failure);
    if (writer.png == nullptr || writer.info == nullptr)
        throw Error(ErrorCode::out_of_memory,
                    "--preview: libpng cannot be started: out of host memory, or another "
                    "version than the program was built with");
    if (!try_picture(writer.png, writer.info, state_->file.get(), canvas))
        state_->fail(failure.number != 0 ? std::generic_category().message(failure.number) : failure.message);
    // Closing tells of the last bytes; closed it is whatever it tells.
    if (std::fclose(state_->file.release()) != 0) state_->fail(std::generic_category().message(errno));
}

OutputFile PngFile::finish() {
    state_->output.finish();
    return std::move(state_->output);
}

}  // namespace poisson3d::app
