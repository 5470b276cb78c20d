#include "pictures/drawing.hpp"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <cmath>
#include <exception>
#include <numbers>

#include "pictures/font/font.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

void check(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return;
    if (status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_WRITE_ERROR)
        throw Error(ErrorCode::out_of_memory, "out of host memory for a picture");
    throw Error(ErrorCode::internal, std::string("Cairo cannot draw a picture: ") + cairo_status_to_string(status));
}

struct Destroy {
    void operator()(cairo_t* context) const noexcept { cairo_destroy(context); }
    void operator()(cairo_surface_t* surface) const noexcept { cairo_surface_destroy(surface); }
    void operator()(cairo_font_face_t* face) const noexcept { cairo_font_face_destroy(face); }
    void operator()(cairo_font_options_t* options) const noexcept { cairo_font_options_destroy(options); }
};
using Context = std::unique_ptr<cairo_t, Destroy>;
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using FontFace = std::unique_ptr<cairo_font_face_t, Destroy>;

Surface checked(cairo_surface_t* made) {
    Surface surface(made);
    check(cairo_surface_status(made));
    return surface;
}

Context draw_on(const Surface& surface) {
    Context context(cairo_create(surface.get()));
    check(cairo_status(context.get()));
    return context;
}

/// What FreeType knows of the font. Cairo keeps fonts for longer than their users do, so it lives with Cairo's
/// face.
struct FontMemory {
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    ~FontMemory() {
        if (face != nullptr) FT_Done_Face(face);
        if (library != nullptr) FT_Done_FreeType(library);
    }
};

FontFace load_font() {
    static const cairo_user_data_key_t key{};
    auto memory = std::make_unique<FontMemory>();
    const auto file = font_file();
    if (FT_Init_FreeType(&memory->library) != 0 ||
        FT_New_Memory_Face(memory->library, file.data(), static_cast<FT_Long>(file.size()), 0, &memory->face) != 0)
        throw Error(ErrorCode::out_of_memory, "out of host memory for the letters of a picture");
    FontFace face(cairo_ft_font_face_create_for_ft_face(memory->face, FT_LOAD_NO_HINTING));
    check(cairo_font_face_status(face.get()));
    check(cairo_font_face_set_user_data(face.get(), &key, memory.get(),
                                        [](void* held) { delete static_cast<FontMemory*>(held); }));
    memory.release();
    return face;
}

void set_colour(cairo_t* context, Colour colour, double opacity = 1.0) {
    cairo_set_source_rgba(context, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, opacity);
}

void set_stroke(cairo_t* context, const Stroke& stroke) {
    set_colour(context, stroke.colour, stroke.opacity);
    cairo_set_line_width(context, stroke.width);
    cairo_set_dash(context, &stroke.dash, stroke.dash > 0.0 ? 1 : 0, 0.0);
}

/// For Cairo's streams; no exception passes through it.
cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
    try {
        static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    } catch (const std::exception&) {
        return CAIRO_STATUS_WRITE_ERROR;
    }
    return CAIRO_STATUS_SUCCESS;
}

/// Of PDF and SVG, whose unit is 1/72 inch.
constexpr double points_per_unit = 0.75;

}  // namespace

struct Drawing::State {
    Surface recording = checked(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr));
    Context context = draw_on(recording);
    FontFace font = load_font();

    State() {
        const std::unique_ptr<cairo_font_options_t, Destroy> options(cairo_font_options_create());
        cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
        app::check(cairo_font_options_status(options.get()));
        cairo_set_font_face(context.get(), font.get());
        cairo_set_font_options(context.get(), options.get());
        cairo_set_line_join(context.get(), CAIRO_LINE_JOIN_ROUND);
        check();
    }

    void check() const { app::check(cairo_status(context.get())); }

    void path(const std::vector<Point>& points) const {
        cairo_new_path(context.get());
        for (const Point& point : points) cairo_line_to(context.get(), point.x, point.y);
    }
    void stroke(const Stroke& stroke) const {
        set_stroke(context.get(), stroke);
        cairo_stroke(context.get());
        check();
    }
    void fill(Colour colour) const {
        set_colour(context.get(), colour);
        cairo_fill(context.get());
        check();
    }
    void show(const std::string& text, double size, Colour colour) const {
        set_colour(context.get(), colour);
        cairo_set_font_size(context.get(), size);
        cairo_show_text(context.get(), text.c_str());
        check();
    }
};

Drawing::Drawing() : state_(std::make_unique<State>()) {}
Drawing::~Drawing() = default;

double Drawing::text_width(const std::string& text, double size) const {
    cairo_text_extents_t extents;
    cairo_set_font_size(state_->context.get(), size);
    cairo_text_extents(state_->context.get(), text.c_str(), &extents);
    state_->check();
    return extents.x_advance;
}

void Drawing::text(Point at, const std::string& text, double size, Align align, Colour colour) {
    const double part = align == Align::left ? 0.0 : align == Align::centre ? 0.5 : 1.0;
    cairo_move_to(state_->context.get(), at.x - part * text_width(text, size), at.y);
    state_->show(text, size, colour);
}

void Drawing::text_upwards(Point at, const std::string& text, double size, Colour colour) {
    cairo_t* const context = state_->context.get();
    cairo_save(context);
    cairo_translate(context, at.x, at.y);
    cairo_rotate(context, -0.5 * std::numbers::pi);
    cairo_move_to(context, -0.5 * text_width(text, size), 0.0);
    state_->show(text, size, colour);
    cairo_restore(context);
}

void Drawing::line(Point from, Point to, const Stroke& stroke) {
    curve({from, to}, stroke);
}

void Drawing::curve(const std::vector<Point>& points, const Stroke& stroke) {
    state_->path(points);
    state_->stroke(stroke);
}

void Drawing::area(const std::vector<Point>& corners, Colour colour) {
    state_->path(corners);
    state_->fill(colour);
}

void Drawing::disc(Point centre, double radius, Colour colour) {
    cairo_new_path(state_->context.get());
    cairo_arc(state_->context.get(), centre.x, centre.y, radius, 0.0, 2.0 * std::numbers::pi);
    state_->fill(colour);
}

void Drawing::frame(const Box& box, const Stroke& stroke) {
    cairo_new_path(state_->context.get());
    const double w = stroke.width;
    cairo_rectangle(state_->context.get(), box.x + 0.5 * w, box.y + 0.5 * w, box.width - w, box.height - w);
    cairo_set_line_join(state_->context.get(), CAIRO_LINE_JOIN_MITER);
    state_->stroke(stroke);
    cairo_set_line_join(state_->context.get(), CAIRO_LINE_JOIN_ROUND);
}

void Drawing::image(const Box& box, int width, int height, const std::vector<Colour>& pixels) {
    const Surface surface = checked(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    unsigned char* const data = cairo_image_surface_get_data(surface.get());
    const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface.get());
    for (std::ptrdiff_t row = 0; row < height; ++row) {
        auto* const line = reinterpret_cast<std::uint32_t*>(data + row * stride);
        for (std::ptrdiff_t column = 0; column < width; ++column) {
            const Colour& pixel = pixels[static_cast<std::size_t>(row * width + column)];
            line[column] = std::uint32_t{pixel.red} << 16 | std::uint32_t{pixel.green} << 8 | pixel.blue;
        }
    }
    cairo_surface_mark_dirty(surface.get());
    cairo_t* const context = state_->context.get();
    cairo_save(context);
    cairo_translate(context, box.x, box.y);
    cairo_scale(context, box.width / width, box.height / height);
    cairo_set_source_surface(context, surface.get(), 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD);
    cairo_rectangle(context, 0.0, 0.0, width, height);
    cairo_fill(context);
    cairo_restore(context);
    state_->check();
}

void Drawing::clip(const Box& box) {
    cairo_save(state_->context.get());
    cairo_rectangle(state_->context.get(), box.x, box.y, box.width, box.height);
    cairo_clip(state_->context.get());
    state_->check();
}

void Drawing::unclip() {
    cairo_restore(state_->context.get());
    state_->check();
}

std::string Drawing::save(PictureFormat format, double width, double height) const {
    std::string bytes;
    const bool pixels = format == PictureFormat::png;
    const double scale = pixels ? pixels_per_unit : points_per_unit;
    const double across = std::ceil(width * scale), down = std::ceil(height * scale);
    const Surface page = checked(
        pixels ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(across), static_cast<int>(down))
        : format == PictureFormat::pdf ? cairo_pdf_surface_create_for_stream(append, &bytes, across, down)
                                       : cairo_svg_surface_create_for_stream(append, &bytes, across, down));
    if (format == PictureFormat::pdf)  // instead of now
        cairo_pdf_surface_set_metadata(page.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    {
        const Context context = draw_on(page);
        cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);
        cairo_paint(context.get());
        cairo_scale(context.get(), scale, scale);
        cairo_set_source_surface(context.get(), state_->recording.get(), 0.0, 0.0);
        cairo_paint(context.get());
        check(cairo_status(context.get()));
    }
    if (pixels) check(cairo_surface_write_to_png_stream(page.get(), append, &bytes));
    cairo_surface_finish(page.get());
    check(cairo_surface_status(page.get()));
    return bytes;
}

}  // namespace poisson3d::app
