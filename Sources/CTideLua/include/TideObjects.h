// Data objects as Lua has them (objects.c, classes.c, properties.c, texts.c, listeners.c).
#pragma once

#include "TideFunctions.h"

#pragma clang assume_nonnull begin

/// Where a hook puts the text of a slot.
typedef struct TideText {
  TideState *state;
  const char *_Nullable bytes;
  size_t count;
  char local[232];
} TideText;

/// Room for a hook's text, which the hook then fills; NULL without memory.
char *_Nullable tide_text_reserve(TideText *text, size_t count);

/// A hook that takes and gives values as a function of Lua does. The slot is the property's, or the
/// header of the object's block.
typedef int32_t (*TideObjectCall)(void *_Nullable context, TideSlot *slot, TideCall *call);

/// What the shim asks of the engine. A hook that fails gives its error with `tide_set_error` first.
typedef struct TideObjectHooks {
  void *_Nullable context;
  /// The graph whose batches the methods of scripts open.
  TideArena *_Nullable arena;
  /// Follows what was written while batches were open or a script's function ran.
  void (*_Nullable settle)(void *_Nullable context);
  /// Before reading a derived slot, or any slot while the graph records: track, evaluate.
  int32_t (*_Nullable prepare)(void *_Nullable context, TideSlot *slot);
  /// Whether a slot is to be derived by a script's function before what reads it can go on.
  bool (*_Nullable wants)(void *_Nullable context, TideSlot *slot);
  /// The text of a slot that holds a Swift string.
  int32_t (*_Nullable text)(void *_Nullable context, TideSlot *slot,
                            TideText *text);
  /// A script's function that observes a slot has failed; the hook ends the frame.
  void (*_Nullable failed)(void *_Nullable context, TideSlot *observer, TideFrame *frame);
  /// After the shim has stored another value in an observed slot.
  int32_t (*_Nullable changed)(void *_Nullable context, TideSlot *slot);
  /// Gives up a slot's string or object and its cache entry, leaving nil.
  void (*_Nullable release)(void *_Nullable context, TideSlot *slot);
  /// An assignment that the shim can't do alone; arguments: object, key, value.
  TideObjectCall _Nullable write;
  /// The value of a slot that holds a Swift object without a block; gives one result.
  TideObjectCall _Nullable object;
  /// A key that is neither property nor method; arguments: object, key.
  TideObjectCall _Nullable index;
  /// An assignment to such a key; arguments: object, key, value.
  TideObjectCall _Nullable newindex;
  TideObjectCall _Nullable length;
  /// Returns the three values of a generic `for`, for an object that is no list.
  TideObjectCall _Nullable pairs;
  /// Begins a loop over a list: returns its rows as a retained object, or NULL for any other
  /// object.
  void *_Nullable (*_Nullable loop)(void *_Nullable context, TideSlot *header);
  /// Returns the index after `index` and its element in such rows; nothing beyond the last.
  int32_t (*_Nullable step)(void *_Nullable context, void *rows, int64_t index, TideCall *call);
  TideObjectCall _Nullable describe;
  /// The object called as a function; arguments: object, then the caller's.
  TideObjectCall _Nullable call;
  /// How many bytes the engine holds for scripts. Called in the middle of an allocation of Lua's,
  /// so it may not call Lua and releases nothing.
  uint64_t (*_Nullable measure)(void *_Nullable context);
  /// Must define the class of that number.
  int32_t (*_Nullable define)(void *_Nullable context, uint32_t number);
  /// Whether Lua is to keep this object alive; if so, the hook has retained it.
  bool (*_Nullable adopt)(void *_Nullable context, TideSlot *header);
} TideObjectHooks;

void tide_objects_set_hooks(TideState *state, const TideObjectHooks *hooks);

/// Describes a class to Lua: property i is the slot i + 1 of a block. `methods` and `parent` may be
/// 0; an inherited method is found through the parent's table.
int32_t tide_class_define(TideState *state, uint32_t number, const char *name,
                          const char *_Nullable const *_Nullable properties, uint32_t count,
                          uint32_t parent, TideFrame *frame);
/// Takes back a definition that could not be completed, before any object of the class got to Lua.
void tide_class_forget(TideState *state, uint32_t number);
bool tide_class_is_defined(const TideState *state, uint32_t number);
/// Gives a class other properties: objects that Lua knows have them at once. An index without a
/// property is NULL.
int32_t tide_class_redefine(TideState *state, uint32_t number,
                            const char *_Nullable const *_Nullable properties, uint32_t count,
                            TideFrame *frame);
/// Forgets a class of which no object is left and none will be made, all of which were kept alive
/// by Lua; false where it has to stay. The number may then be another class's.
bool tide_class_retire(TideState *state, uint32_t number);
/// The table of a class's methods, as a result.
int32_t tide_class_methods(TideState *state, uint32_t number,
                           TideFrame *frame);

/// Lets the userdata of an object that moved to another block know it.
void tide_object_moved(TideState *state, TideSlot *from, TideSlot *to);
/// Lets the shim call an observer itself that takes no more than the new and the old value: gives
/// the number for the observer's slot, or 0. The caller keeps the function's reference.
uint32_t tide_listener_add(TideState *state, uint32_t function, void *_Nullable context);
void tide_listener_remove(TideState *state, uint32_t listener);

#pragma clang assume_nonnull end
