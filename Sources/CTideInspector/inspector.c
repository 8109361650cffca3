#include "CTideInspector.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Each text is a separate array, because `#embed` needs a line of its own.

static const char inspector[] = {
#embed "Lua/inspector.lua"
};
static const char inspector_link[] = {
#embed "Lua/inspector/link.lua"
};
static const char inspector_panes[] = {
#embed "Lua/inspector/panes.lua"
};
static const char inspector_tree[] = {
#embed "Lua/inspector/tree.lua"
};

static const TideInspectorModule modules[] = {
    {"inspector", inspector, sizeof inspector},
    {"inspector.link", inspector_link, sizeof inspector_link},
    {"inspector.panes", inspector_panes, sizeof inspector_panes},
    {"inspector.tree", inspector_tree, sizeof inspector_tree},
};

TideInspectorModule tide_inspector_module(size_t index) {
  TideInspectorModule none = {0};
  return index < sizeof modules / sizeof *modules ? modules[index] : none;
}
