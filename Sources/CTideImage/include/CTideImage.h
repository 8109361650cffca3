// Reads pictures for views, by libpng: what is wrong with a file stays an answer, whatever is in it.
#ifndef CTIDEIMAGE_H
#define CTIDEIMAGE_H

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

// Reads a PNG of no more pixels than `limit`.
TidePicture tide_picture_read(const void *bytes, size_t count, uint64_t limit);

#endif
