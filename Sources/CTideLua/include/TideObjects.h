// Data objects in Lua (objects.c, classes.c, properties.c, texts.c, listeners.c).
#pragma once

#include "TideFunctions.h"

#pragma clang assume_nonnull begin

/// The buffer for the text of a slot, which a hook fills.
typedef struct TideText {
  TideState *state;
  const char *_Nullable bytes;
  size_t count;
  char local[232];
} TideText;

/// Reserves room for a hook's text; NULL if memory runs out.
char *_Nullable tide_text_reserve(TideText *text, size_t count);

/// A hook with a Lua function's arguments and results. The slot is the property's, or the header of
/// the object's block.
typedef int32_t (*TideObjectCall)(void *_Nullable context, TideSlot *slot, TideCall *call);

/// The engine's hooks that the shim calls. A hook that fails sets its error with `tide_set_error`
/// first.
typedef struct TideObjectHooks {
  void *_Nullable context;
  /// The graph in which scripts' methods open batches.
  TideArena *_Nullable arena;
  /// Propagates the writes that were made while batches were open or a script's function ran.
  void (*_Nullable settle)(void *_Nullable context);
  /// Called before reading a derived slot, or any slot while the graph records: tracks and
  /// evaluates it.
  int32_t (*_Nullable prepare)(void *_Nullable context, TideSlot *slot);
  /// Whether a script's function must derive a slot before its reader can continue.
  bool (*_Nullable wants)(void *_Nullable context, TideSlot *slot);
  /// The text of a slot that holds a Swift string.
  int32_t (*_Nullable text)(void *_Nullable context, TideSlot *slot,
                            TideText *text);
  /// A script's function that observes a slot has failed. The hook ends the frame.
  void (*_Nullable failed)(void *_Nullable context, TideSlot *observer, TideFrame *frame);
  /// Called after the shim has changed the value of an observed slot.
  int32_t (*_Nullable changed)(void *_Nullable context, TideSlot *slot);
  /// Releases a slot's string or object and its cache entry, and leaves nil.
  void (*_Nullable release)(void *_Nullable context, TideSlot *slot);
  /// An assignment that the shim cannot make alone; arguments: object, key, value.
  TideObjectCall _Nullable write;
  /// The value of a slot that holds a Swift object without a block; returns one result.
  TideObjectCall _Nullable object;
  /// A key that is neither a property nor a method; arguments: object, key.
  TideObjectCall _Nullable index;
  /// An assignment to such a key; arguments: object, key, value.
  TideObjectCall _Nullable newindex;
  TideObjectCall _Nullable length;
  /// Returns the three values of a generic `for` over an object that is not a list.
  TideObjectCall _Nullable pairs;
  /// Begins a loop over a list: returns its rows as a retained object, or NULL for any other
  /// object.
  void *_Nullable (*_Nullable loop)(void *_Nullable context, TideSlot *header);
  /// Returns the index after `index` and its element in such rows; nothing beyond the last.
  int32_t (*_Nullable step)(void *_Nullable context, void *rows, int64_t index, TideCall *call);
  TideObjectCall _Nullable describe;
  /// Calls the object as a function; arguments: the object, then the caller's arguments.
  TideObjectCall _Nullable call;
  /// The number of bytes that the engine has allocated for scripts. Called in the middle of a Lua
  /// allocation, so it must neither call Lua nor release anything.
  uint64_t (*_Nullable measure)(void *_Nullable context);
  /// Must define the class with the given number.
  int32_t (*_Nullable define)(void *_Nullable context, uint32_t number);
  /// Whether Lua must keep this object alive; if so, the hook has retained it.
  bool (*_Nullable adopt)(void *_Nullable context, TideSlot *header);
} TideObjectHooks;

void tide_objects_set_hooks(TideState *state, const TideObjectHooks *hooks);

/// Defines a class in Lua: property i is slot i + 1 of a block. `parent` may be 0; an
/// inherited method is found through the parent's table.
int32_t tide_class_define(TideState *state, uint32_t number, const char *name,
                          const char *_Nullable const *_Nullable properties, uint32_t count,
                          uint32_t parent, TideFrame *frame);
/// Removes a definition that could not be completed, before any object of the class has reached
/// Lua.
void tide_class_forget(TideState *state, uint32_t number);
bool tide_class_is_defined(const TideState *state, uint32_t number);
/// Replaces a class's properties. Objects that Lua already has use the new ones at once. An index
/// without a property is NULL.
int32_t tide_class_redefine(TideState *state, uint32_t number,
                            const char *_Nullable const *_Nullable properties, uint32_t count,
                            TideFrame *frame);
/// Removes a class without any objects left, if no more will be created and Lua kept all of them
/// alive. Returns false if it must stay. The number may then be reused.
bool tide_class_retire(TideState *state, uint32_t number);
/// Returns the table of a class's methods as a result.
int32_t tide_class_methods(TideState *state, uint32_t number,
                           TideFrame *frame);

/// Updates the userdata of an object that has moved to another block.
void tide_object_moved(TideState *state, TideSlot *from, TideSlot *to);
/// Lets the shim itself call an observer that uses at most the new and the old value. Returns the
/// number for the observer's slot, or 0. The caller keeps the function's reference.
uint32_t tide_listener_add(TideState *state, uint32_t function, void *_Nullable context);
void tide_listener_remove(TideState *state, uint32_t listener);

#pragma clang assume_nonnull end
