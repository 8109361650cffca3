// What `tidelock new` writes, as texts in the program itself, so that no installed file is needed:
// the apps that `--template` copies, the plugins of editors and their settings for an app.
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

/// How many there are, of all templates; those of one stand together, the main script
/// first.
size_t tide_template_file_count(void);
/// The one at an index below the count.
TideTemplateFile tide_template_file(size_t index);

/// A file for an editor.
typedef struct TideEditorFile {
  /// `nvim` and `code` have plugins; `helix`, `emacs` and `kate` have settings of an app; `vsix` is
  /// what VS Code wants of a package around the plugin.
  const char *editor;
  /// The file's name from the plugin's folder or the app's.
  const char *name;
  const char *bytes;
  size_t count;
} TideEditorFile;

/// How many there are, of all editors.
size_t tide_editor_file_count(void);
/// The one at an index below the count.
TideEditorFile tide_editor_file(size_t index);

#pragma clang assume_nonnull end
