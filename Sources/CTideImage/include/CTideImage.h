// Reads pictures for views, by libpng. An error in a file is always reported as a result, whatever
// the file contains.
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
  // Why there are no pixels; empty on success.
  char failure[64];
} TidePicture;

typedef struct {
  // A picture of more pixels is refused.
  uint64_t pixels;
  // A picture of more pixels is scaled down by an integer factor.
  uint64_t kept;
  // Called at each row; returning false stops the reading. NULL never stops it.
  bool (*goesOn)(void);
  // Returns whether there is memory for this number of bytes; NULL for always.
  bool (*admits)(uint64_t bytes);
} TidePictureLimits;

TidePicture tide_picture_read(const void *bytes, size_t count, const TidePictureLimits *limits);

#endif
