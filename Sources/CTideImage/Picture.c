#include "CTideImage.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static void fail(TidePicture *picture, const char *reason) {
  strncpy(picture->failure, reason[0] ? reason : "it is no PNG", sizeof picture->failure - 1);
}

TidePicture tide_picture_read(const void *bytes, size_t count, uint64_t limit) {
  TidePicture picture = {0};
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, bytes, count)) {
    fail(&picture, image.message);
    return picture;
  }
  if ((uint64_t)image.width * image.height > limit) {
    png_image_free(&image);
    fail(&picture, "it has too many pixels");
    return picture;
  }
  image.format = PNG_FORMAT_RGBA;
  uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
  if (!pixels) {
    png_image_free(&image);
    fail(&picture, "there is no memory for it");
    return picture;
  }
  if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
    free(pixels);
    fail(&picture, image.message);
    return picture;
  }
  picture.width = image.width;
  picture.height = image.height;
  picture.pixels = pixels;
  return picture;
}
