// `ridge-picture`: an SVG of Ridge as PDF or PNG. A program of its own, since librsvg and what it
// brings would treble the time that `ridge` needs to start (docs/decisions/0135).
//
//   ridge-picture pdf|png FILE.svg DATE     writes the picture to standard output
#include <cairo-pdf.h>
#include <cairo.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <librsvg/rsvg.h>
#include <memory>
#include <string>
#include <string_view>

#include "abi/version.h"

namespace {

constexpr int kUsage = 2;
constexpr int kBadInput = 3;
constexpr int kWriteFailed = 5;
constexpr double kDotsPerInch = 96.0;
constexpr double kPointsPerPixel = 72.0 / kDotsPerInch;
constexpr double kScreenScale = 2.0;                  // sharp on screens of twice the density
constexpr double kPrintScale = 600.0 / kDotsPerInch;  // what publishers ask of line art
constexpr double kPrintWidth = 500.0;                 // pictures narrower than this are for print

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Handle = std::unique_ptr<RsvgHandle, Release>;
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Context = std::unique_ptr<cairo_t, Release>;

int complain(const char* what, GError* error) {
  std::fprintf(stderr, "%s%s%s\n", what, error != nullptr ? ": " : "",
               error != nullptr ? error->message : "");
  g_clear_error(&error);
  return kBadInput;
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

struct Size {
  double width = 0.0;
  double height = 0.0;
};

/// Draws at the given size; false when librsvg or cairo fail.
bool draw(RsvgHandle* handle, cairo_surface_t* surface, Size size) {
  const Context context(cairo_create(surface));
  cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);  // the last pixel may be covered in part
  cairo_paint(context.get());
  const RsvgRectangle viewport{0.0, 0.0, size.width, size.height};
  GError* error = nullptr;
  if (rsvg_handle_render_document(handle, context.get(), &viewport, &error) == FALSE) {
    complain("cannot draw the picture", error);
    return false;
  }
  return cairo_status(context.get()) == CAIRO_STATUS_SUCCESS;
}

/// Text stays text: it can be searched and copied.
bool to_pdf(RsvgHandle* handle, Size pixels, const char* date, std::string& bytes) {
  const Size points{pixels.width * kPointsPerPixel, pixels.height * kPointsPerPixel};
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, points.width, points.height));
  const std::string creator = std::string("ridge ") + ridge_version_text;
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, creator.c_str());
  // The date of the measurement: the same result gives the same file.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, date);
  if (!draw(handle, surface.get(), points)) {
    return false;
  }
  cairo_surface_finish(surface.get());
  return cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS;
}

bool to_png(RsvgHandle* handle, Size pixels, std::string& bytes) {
  const double scale = pixels.width < kPrintWidth ? kPrintScale : kScreenScale;
  const Size size{std::ceil(pixels.width * scale), std::ceil(pixels.height * scale)};
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(size.width),
                                                   static_cast<int>(size.height)));
  return draw(handle, surface.get(), size) &&
         cairo_surface_write_to_png_stream(surface.get(), append, &bytes) == CAIRO_STATUS_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kind = argc == 4 ? argv[1] : "";
  if (kind != "pdf" && kind != "png") {
    std::fputs("usage: ridge-picture pdf|png FILE.svg DATE\n", stderr);
    return kUsage;
  }
  GError* error = nullptr;
  const Handle handle(rsvg_handle_new_from_file(argv[2], &error));
  if (handle == nullptr) {
    return complain("cannot read the picture", error);
  }
  rsvg_handle_set_dpi(handle.get(), kDotsPerInch);
  Size size;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &size.width, &size.height) == FALSE) {
    return complain("the picture has no size", nullptr);
  }
  std::string bytes;
  const bool drawn = kind == "pdf" ? to_pdf(handle.get(), size, argv[3], bytes)
                                   : to_png(handle.get(), size, bytes);
  if (!drawn) {
    return kBadInput;
  }
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                       std::fflush(stdout) == 0;
  return written ? EXIT_SUCCESS : kWriteFailed;
}
