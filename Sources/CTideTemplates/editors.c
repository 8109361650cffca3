#include "CTideTemplates.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Each text is a separate array, because `#embed` needs a line of its own.

static const char nvim_doc_tags[] = {
#embed "Editors/nvim/doc/tags"
};
static const char nvim_doc_tidelock_txt[] = {
#embed "Editors/nvim/doc/tidelock.txt"
};
static const char nvim_lua_tidelock_client_lua[] = {
#embed "Editors/nvim/lua/tidelock/client.lua"
};
static const char nvim_lua_tidelock_commands_lua[] = {
#embed "Editors/nvim/lua/tidelock/commands.lua"
};
static const char nvim_lua_tidelock_health_lua[] = {
#embed "Editors/nvim/lua/tidelock/health.lua"
};
static const char nvim_lua_tidelock_hints_lua[] = {
#embed "Editors/nvim/lua/tidelock/hints.lua"
};
static const char nvim_lua_tidelock_init_lua[] = {
#embed "Editors/nvim/lua/tidelock/init.lua"
};
static const char nvim_lua_tidelock_preview_lua[] = {
#embed "Editors/nvim/lua/tidelock/preview.lua"
};
static const char nvim_mcp_json[] = {
#embed "Editors/nvim/mcp.json"
};
static const char nvim_plugin_tidelock_lua[] = {
#embed "Editors/nvim/plugin/tidelock.lua"
};
static const char code_README_md[] = {
#embed "Editors/code/README.md"
};
static const char code_client_js[] = {
#embed "Editors/code/client.js"
};
static const char code_commands_js[] = {
#embed "Editors/code/commands.js"
};
static const char code_connection_js[] = {
#embed "Editors/code/connection.js"
};
static const char code_convert_js[] = {
#embed "Editors/code/convert.js"
};
static const char code_documents_js[] = {
#embed "Editors/code/documents.js"
};
static const char code_extension_js[] = {
#embed "Editors/code/extension.js"
};
static const char code_features_js[] = {
#embed "Editors/code/features.js"
};
static const char code_package_json[] = {
#embed "Editors/code/package.json"
};
static const char code_preview_js[] = {
#embed "Editors/code/preview.js"
};
static const char vsix_content_types_xml[] = {
#embed "Editors/vsix/content-types.xml"
};
static const char vsix_extension_vsixmanifest[] = {
#embed "Editors/vsix/extension.vsixmanifest"
};
static const char helix_languages_toml[] = {
#embed "Editors/helix/languages.toml"
};
static const char emacs_dir_locals_el[] = {
#embed "Editors/emacs/dir-locals.el"
};
static const char kate_kateproject[] = {
#embed "Editors/kate/kateproject"
};

#define FILE_OF(editor, name, text) {editor, name, text, sizeof text}

static const TideEditorFile files[] = {
    FILE_OF("nvim", "doc/tags", nvim_doc_tags),
    FILE_OF("nvim", "doc/tidelock.txt", nvim_doc_tidelock_txt),
    FILE_OF("nvim", "lua/tidelock/client.lua", nvim_lua_tidelock_client_lua),
    FILE_OF("nvim", "lua/tidelock/commands.lua", nvim_lua_tidelock_commands_lua),
    FILE_OF("nvim", "lua/tidelock/health.lua", nvim_lua_tidelock_health_lua),
    FILE_OF("nvim", "lua/tidelock/hints.lua", nvim_lua_tidelock_hints_lua),
    FILE_OF("nvim", "lua/tidelock/init.lua", nvim_lua_tidelock_init_lua),
    FILE_OF("nvim", "lua/tidelock/preview.lua", nvim_lua_tidelock_preview_lua),
    FILE_OF("nvim", "mcp.json", nvim_mcp_json),
    FILE_OF("nvim", "plugin/tidelock.lua", nvim_plugin_tidelock_lua),
    FILE_OF("code", "README.md", code_README_md),
    FILE_OF("code", "client.js", code_client_js),
    FILE_OF("code", "commands.js", code_commands_js),
    FILE_OF("code", "connection.js", code_connection_js),
    FILE_OF("code", "convert.js", code_convert_js),
    FILE_OF("code", "documents.js", code_documents_js),
    FILE_OF("code", "extension.js", code_extension_js),
    FILE_OF("code", "features.js", code_features_js),
    FILE_OF("code", "package.json", code_package_json),
    FILE_OF("code", "preview.js", code_preview_js),
    FILE_OF("vsix", "[Content_Types].xml", vsix_content_types_xml),
    FILE_OF("vsix", "extension.vsixmanifest", vsix_extension_vsixmanifest),
    FILE_OF("helix", ".helix/languages.toml", helix_languages_toml),
    FILE_OF("emacs", ".dir-locals.el", emacs_dir_locals_el),
    FILE_OF("kate", ".kateproject", kate_kateproject),
};

size_t tide_editor_file_count(void) { return sizeof files / sizeof *files; }

TideEditorFile tide_editor_file(size_t index) { return files[index]; }
