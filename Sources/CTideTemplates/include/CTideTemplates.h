// The files that `tidelock new` writes: the apps that `--template` copies, the plugins of editors
// and their settings for an app; and the articles that `tidelock mcp` gives to assistants. They are embedded in the program, which therefore needs no
// installed files.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file of a template.
typedef struct TideTemplateFile {
  /// The template's name, which is that of the example.
  const char *template_name;
  /// The file's name relative to the app's folder.
  const char *name;
  const char *bytes;
  size_t count;
} TideTemplateFile;

/// The number of files of all templates. The files of a template are adjacent, its main script
/// first.
size_t tide_template_file_count(void);
/// The file at an index less than the count.
TideTemplateFile tide_template_file(size_t index);

/// A file for an editor.
typedef struct TideEditorFile {
  /// `nvim` and `code` have plugins; `helix`, `emacs` and `kate` have settings for an app; `vsix`
  /// contains the files that VS Code needs in a package, in addition to the plugin.
  const char *editor;
  /// The file's name relative to the folder of the plugin or the app.
  const char *name;
  const char *bytes;
  size_t count;
} TideEditorFile;

/// The number of files for all editors.
size_t tide_editor_file_count(void);
/// The file at an index less than the count.
TideEditorFile tide_editor_file(size_t index);

/// An article of the documentation.
typedef struct TideArticle {
  /// The name in links, such as `HotReload`.
  const char *name;
  const char *bytes;
  size_t count;
} TideArticle;

size_t tide_article_count(void);
/// The article at an index less than the count.
TideArticle tide_article(size_t index);

#pragma clang assume_nonnull end
