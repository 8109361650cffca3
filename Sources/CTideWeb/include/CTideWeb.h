// The page that shows an app in a browser. Its files are embedded in the program, which therefore
// needs no installed files.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A text of the page.
typedef struct TideWebText {
  const char *bytes;
  size_t count;
} TideWebText;

/// The document, the script and the style sheet.
TideWebText tide_web_page(void);
TideWebText tide_web_script(void);
TideWebText tide_web_style(void);

#pragma clang assume_nonnull end
