// The inspector app, as Lua text.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct TideInspectorModule {
  const char *_Nullable name;
  const char *_Nullable text;
  size_t count;
} TideInspectorModule;

/// The module at an index; its name is NULL beyond the last. The first is the app.
TideInspectorModule tide_inspector_module(size_t index);

#pragma clang assume_nonnull end
