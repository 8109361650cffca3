// The apps that `tidelock new --template` copies, as texts in the program itself, so that no
// installed file is needed.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file of a template.
typedef struct TideTemplateFile {
  /// The template's name, which is that of the example.
  const char *template_name;
  /// The file's name from the app's folder.
  const char *name;
  const char *bytes;
  size_t count;
} TideTemplateFile;

/// How many there are, of all templates; those of one stand together, `app.lua` first.
size_t tide_template_file_count(void);
/// The one at an index below the count.
TideTemplateFile tide_template_file(size_t index);

#pragma clang assume_nonnull end
