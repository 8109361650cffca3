// Reads pictures for views, by libpng: what is wrong with a file stays an answer, whatever is in it.
#ifndef CTIDEIMAGE_H
#define CTIDEIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t width;
  uint32_t height;
  // Four bytes a pixel, row by row: red, green, blue, alpha. The caller frees it.
  uint8_t *pixels;
  // Why there is none; empty where there is one.
  char failure[64];
} TidePicture;

typedef struct {
  // A picture of more pixels is refused.
  uint64_t pixels;
  // A picture of more pixels is scaled down by an integer factor.
  uint64_t kept;
  // Whether to go on, asked at each row; NULL for yes.
  bool (*goesOn)(void);
  // Whether there is memory for so many bytes; NULL for yes.
  bool (*admits)(uint64_t bytes);
} TidePictureLimits;

TidePicture tide_picture_read(const void *bytes, size_t count, const TidePictureLimits *limits);

#endif
