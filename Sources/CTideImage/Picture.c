#include "CTideImage.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// Rows are read one by one and scaled down at once, so that a large picture never takes more memory
// than its scaled copy, and reading can be stopped between two rows. Only an interlaced picture is
// held as a whole while it is read.

typedef struct {
  const uint8_t *next;
  size_t left;
  TidePicture *picture;
  // Freed also when an error ends the reading.
  uint8_t *rows;
  uint64_t *sums;
} Reading;

static void fail(TidePicture *picture, const char *reason) {
  strncpy(picture->failure, reason[0] ? reason : "it is not a PNG", sizeof picture->failure - 1);
}

static void on_error(png_structp png, png_const_charp message) {
  Reading *reading = png_get_error_ptr(png);
  fail(reading->picture, message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void read_bytes(png_structp png, png_bytep to, size_t count) {
  Reading *reading = png_get_io_ptr(png);
  if (count > reading->left) png_error(png, "the file ends too early");
  memcpy(to, reading->next, count);
  reading->next += count;
  reading->left -= count;
}

/// Adds a row to the sums of the rows that become one; colours are weighted by their opacity.
static void add_row(uint64_t *sums, const uint8_t *row, uint32_t width, uint32_t factor) {
  for (uint32_t x = 0; x < width; x++, row += 4) {
    uint64_t *sum = sums + (size_t)(x / factor) * 5;
    for (int part = 0; part < 3; part++) sum[part] += (uint64_t)row[part] * row[3];
    sum[3] += row[3];
    sum[4]++;
  }
}

static void take_sums(uint64_t *sums, uint8_t *to, uint32_t width) {
  for (uint32_t x = 0; x < width; x++, to += 4, sums += 5) {
    for (int part = 0; part < 3; part++)
      to[part] = sums[3] ? (uint8_t)((sums[part] + sums[3] / 2) / sums[3]) : 0;
    to[3] = sums[4] ? (uint8_t)((sums[3] + sums[4] / 2) / sums[4]) : 0;
    memset(sums, 0, 5 * sizeof *sums);
  }
}

static void want_rgba(png_structp png, png_infop info) {
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  (void)info;
}

static void look(const TidePictureLimits *limits, png_structp png) {
  if (limits->goesOn && !limits->goesOn()) png_error(png, "the turn took too long");
}

static void read_rows(Reading *reading, png_structp png, png_infop info,
                      const TidePictureLimits *limits) {
  uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if ((uint64_t)width * height > limits->pixels) png_error(png, "it has too many pixels");
  uint32_t factor = 1;
  while ((uint64_t)(width / factor) * (height / factor) > limits->kept) factor++;
  TidePicture *picture = reading->picture;
  picture->width = (width + factor - 1) / factor;
  picture->height = (height + factor - 1) / factor;
  size_t kept = (size_t)picture->width * picture->height * 4, stride = (size_t)width * 4;
  bool isInterlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  size_t held = isInterlaced ? stride * height : stride;
  size_t sums = (size_t)picture->width * 5 * sizeof(uint64_t);
  if (limits->admits && !limits->admits(kept + held + sums))
    png_error(png, "there is not enough memory for it");
  want_rgba(png, info);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != stride) png_error(png, "its rows have another length");
  picture->pixels = malloc(kept);
  // Zeroed, because some rows of a damaged picture may never be read.
  reading->rows = calloc(1, held);
  reading->sums = calloc(1, sums);
  if (!picture->pixels || !reading->rows || !reading->sums)
    png_error(png, "there is not enough memory for it");
  for (int pass = 1; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) {
      look(limits, png);
      png_read_row(png, reading->rows + stride * y, NULL);
    }
  uint8_t *to = picture->pixels;
  for (uint32_t y = 0; y < height; y++) {
    look(limits, png);
    uint8_t *row = reading->rows + (isInterlaced ? stride * y : 0);
    png_read_row(png, row, NULL);
    if (factor == 1) {
      memcpy(to + stride * y, row, stride);
      continue;
    }
    add_row(reading->sums, row, width, factor);
    if ((y + 1) % factor && y + 1 < height) continue;
    take_sums(reading->sums, to, picture->width);
    to += (size_t)picture->width * 4;
  }
  png_read_end(png, NULL);
}

TidePicture tide_picture_read(const void *bytes, size_t count, const TidePictureLimits *limits) {
  TidePicture picture = {0};
  Reading reading = {.next = bytes, .left = count, .picture = &picture};
  if (count < 8 || png_sig_cmp(bytes, 0, 8)) {
    fail(&picture, "it is not a PNG");
    return picture;
  }
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_read_struct(&png, NULL, NULL);
    fail(&picture, "there is not enough memory for it");
    return picture;
  }
  if (setjmp(png_jmpbuf(png))) {
    free(picture.pixels);
    picture.pixels = NULL;
  } else {
    png_set_read_fn(png, &reading, read_bytes);
    png_read_info(png, info);
    read_rows(&reading, png, info, limits);
  }
  free(reading.rows);
  free(reading.sums);
  png_destroy_read_struct(&png, &info, NULL);
  return picture;
}
