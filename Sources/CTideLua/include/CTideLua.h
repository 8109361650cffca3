// The Lua host's border. Swift sees only what is declared here: every function either runs Lua's
// raising API inside a protected call or uses only what cannot raise, so that no Lua error ever
// jumps across a Swift frame. Callbacks into Swift return a status; what they ask for is raised or
// yielded once their frame is gone.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TideSlots.h"

#pragma clang assume_nonnull begin

typedef struct TideState TideState;
typedef struct TideCall TideCall;

/// How a protected call or a callback ended.
enum {
  TIDE_OK = 0,
  TIDE_FAILED = 1,
  TIDE_SUSPENDED = 2,  // a callback waits, or a coroutine was suspended by one
  TIDE_YIELDED = 3,    // a script's own coroutine.yield reached the host
  TIDE_CALLS = 4,      // a callback wants something called in its place
  TIDE_TOO_DEEP = 5,   // an argument cannot be read, because too many calls lie within each other
};

/// What stopped a protected call.
enum {
  TIDE_FAULT_RUNTIME = 0,
  TIDE_FAULT_SYNTAX = 1,
  TIDE_FAULT_MEMORY = 2,
  TIDE_FAULT_TIME = 3,
  TIDE_FAULT_DEPTH = 4,
  TIDE_FAULT_INTERRUPTED = 5,
  TIDE_FAULT_HOST = 6,  // a Swift callback threw
  TIDE_FAULT_CLOSED = 7,
};

/// Which value a TideValue holds. The scalars are numbered as a slot's tags.
enum {
  TIDE_LUA_NIL = TIDE_NIL,
  TIDE_LUA_BOOLEAN = TIDE_BOOLEAN,
  TIDE_LUA_INTEGER = TIDE_INTEGER,
  TIDE_LUA_NUMBER = TIDE_NUMBER,
  TIDE_LUA_TEXT = TIDE_BYTES,     // bytes and count, not terminated
  TIDE_LUA_OBJECT = TIDE_OBJECT,  // header and generation
  TIDE_LUA_TABLE = 7,             // from here on: a reference
  TIDE_LUA_FUNCTION = 8,
  TIDE_LUA_THREAD = 9,
  TIDE_LUA_USERDATA = 10,
  TIDE_LUA_SLOT = 11,     // going in only: the value that the slot holds
  TIDE_LUA_ARGUMENT = 12,  // a callback's result only: one of its own arguments, counted from 0
  // On tapes only.
  TIDE_LUA_FIELDS = 13,   // a table whose contents follow
  TIDE_LUA_CYCLE = 14,    // a table inside of itself
  TIDE_LUA_TOO_DEEP = 15, // a table below the deepest that is read
  TIDE_LUA_FOREIGN = 16,  // going in only: another state's reference, which is an error
  TIDE_LUA_GIVEN = 17     // going in only: an object that Lua keeps alive from now on, whoever made it
};

typedef struct TideValue {
  union {
    int64_t integer;
    double number;
    const char *bytes;
    TideSlot *slot;
    uint32_t reference;
  };
  uint32_t tag;
  uint32_t count;  // of the bytes; of an object: its generation
} TideValue;

_Static_assert(sizeof(TideValue) == 16, "a tagged value is two words");

/// Parts of the stock library that are dangerous in a script's hands.
enum {
  TIDE_OPEN_IO = 1,
  TIDE_OPEN_OS = 2,
  TIDE_OPEN_DEBUG = 4,
  TIDE_OPEN_PACKAGE = 8,
  TIDE_OPEN_LOADING = 16,   // dofile, loadfile, compiled chunks, the whole collectgarbage
  TIDE_OPEN_PATCHING = 32,  // scripts may change the library tables and set finalizers
};

typedef struct TideConfiguration {
  uint64_t memory;       // bytes that Lua may use; 0: no limit
  uint64_t turn;         // nanoseconds before a turn is stopped; 0: no limit
  uint64_t textBytes;    // the longest string that one library call may build
  uint64_t sourceBytes;  // the longest text that `load` takes
  uint64_t valueBytes;   // the longest text that a property takes; 0: no limit
  uint32_t open;         // TIDE_OPEN_*
  bool countsSteps;      // a standing count hook in place of the watchdog's signal
} TideConfiguration;

/// What the state itself asks of Swift.
typedef struct TideHost {
  void *_Nullable owner;
  void (*release)(void *object);
  void (*print)(void *_Nullable owner, const char *bytes, size_t count);
  /// A piece of a warning, of which more are to come or not.
  void (*warn)(void *_Nullable owner, const char *bytes, size_t count, bool continues);
} TideHost;

// MARK: State (state.c, memory.c, clock.c)

/// The tables of functions that scripts have besides the border's own (TideBorder.h).
typedef struct TideLibrary TideLibrary;

/// Makes a state with the whole sandbox, or gives NULL when memory does not suffice.
TideState *_Nullable tide_state_open(const TideConfiguration *configuration, const TideHost *host,
                                     const TideLibrary *library);
/// Closes the interpreter, or marks it to be closed when the outermost call has ended.
void tide_state_close(TideState *state);
bool tide_state_is_open(const TideState *state);
/// Whether it is closed, or will be, because nothing else could stop what it did.
bool tide_state_is_given_up(const TideState *state);
/// Whether a call or turn has not ended.
bool tide_state_is_running(const TideState *state);
/// A state's memory stays, closed or not, until all who know it have released it; any thread may.
void tide_state_retain(TideState *state);
void tide_state_release(TideState *state);
void *_Nullable tide_state_owner(const TideState *state);

/// The length of the Lua stack in use by whoever runs now: equal before and after every call.
int32_t tide_state_height(TideState *state);
uint64_t tide_memory_used(const TideState *state);
/// The most that has ever been used at once.
uint64_t tide_memory_peak(const TideState *state);
void tide_memory_set_limit(TideState *state, uint64_t bytes);
/// For tests: refuses the n-th allocation from now on (1 is the next), once or from there for ever;
/// 0 ends it.
void tide_memory_refuse(TideState *state, uint64_t allocation, bool forever);
uint64_t tide_memory_allocations(const TideState *state);
/// A whole cycle of the collector.
void tide_memory_collect(TideState *state);
/// Notes that a script makes the host hold so many bytes more, outside of the interpreter; false when
/// the limit leaves no room for them. Their end need not be told: the hook `measure` says now and then
/// what is held in all. May let go of what scripts have dropped.
bool tide_memory_charge(TideState *state, uint64_t bytes);
/// Whether the limit leaves room for so many bytes, which the host takes for a short time.
bool tide_memory_fits(TideState *state, uint64_t bytes);
/// From here on the copies of texts that are read count together; gives what the end is told.
uint64_t tide_gather_begin(TideState *state);
/// Counts bytes of another kind that the host gathers, which have been charged.
void tide_gather_note(TideState *state, uint64_t bytes);
void tide_gather_end(TideState *state, uint64_t before);
/// Like `tide_memory_charge` where nothing may be let go of, in the middle of a change.
bool tide_memory_note(TideState *state, uint64_t bytes);
/// Counts bytes that are held from now on, and refuses nothing: that is left to the next charge.
void tide_memory_owe(TideState *state, uint64_t bytes);
/// What the interpreter holds, and by the latest estimate the host for it.
uint64_t tide_memory_held(TideState *state);

/// Several calls between these two count as one turn.
void tide_turn_begin(TideState *state);
void tide_turn_end(TideState *state);
void tide_turn_set_limit(TideState *state, uint64_t nanoseconds);
/// Stops the script that runs now, within some milliseconds; any thread may call it.
void tide_turn_interrupt(TideState *state);
/// Whether the interpreter's structures are laid out as expected, so that even one of its own
/// operations can be abandoned. Probed when the first state is opened.
bool tide_interpreter_is_known(void);
/// Whether the running turn has been stopped, so that nothing more will run in it. Costs a few
/// instructions, for loops of the host's; only the thread that runs the turn may ask.
bool tide_turn_is_over(TideState *state);
/// The same where steps are counted as well, which reads the clock: to be asked every thousand steps.
bool tide_turn_look(TideState *state);
/// Lets long work outside of Lua ask about the turn that runs on its thread (TideWork.h).
void tide_turn_bounds_work(void);
/// Whether steps are counted, asked for or not, in place of the watchdog's signal.
bool tide_turn_counts_steps(const TideState *state);

// MARK: The interpreter (interpreter.c)

/// The release of Lua that runs, such as "5.4.6"; empty where it is unknown.
const char *tide_interpreter_version(void);
/// The oldest release that is supported.
const char *tide_interpreter_oldest(void);
bool tide_interpreter_is_supported(void);

// MARK: The world outside (access.c, files.c, processes.c, system.c)

/// What a script may do outside of the interpreter.
enum {
  TIDE_ALLOW_READ = 1,   // open the files below a folder
  TIDE_ALLOW_WRITE = 2,  // make, change and remove them
  TIDE_ALLOW_ENVIRONMENT = 4,  // read a variable of that name
  TIDE_ALLOW_RUN = 8,          // run programs; the name does not matter
};

/// Allows one thing more; gives the system's error number where a folder cannot be opened, else 0.
int32_t tide_access_allow(TideState *state, uint32_t kind, const char *name);
/// Lets refusals say which flag of the program would allow the call, in place of what the host can do.
void tide_access_name_flags(TideState *state);
enum { TIDE_ACCESS_REFUSED = -1 };
/// Opens a file for reading if it lies below a folder, or where scripts may read. Gives 0, the
/// system's error number, or TIDE_ACCESS_REFUSED whether or not the file exists.
int32_t tide_access_open(TideState *state, const char *path, const char *folder, int32_t *file);

/// Starts programs and makes unnamed files for all states where the process is confined and may not
/// do so itself.
typedef struct TideAccessBroker {
  /// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Gives 0 or an error
  /// number; -1 means that there is no broker, and that the caller must start it itself. The caller
  /// closes both descriptors: `control` becomes readable when the command has ended and then yields
  /// its status, an `int` as `waitpid` gives it; shutting it down for writing kills the command.
  int32_t (*_Nullable run)(const char *command, char direction, int32_t *channel,
                           int32_t *control);
  /// Makes a file to read and write, used where the process may not; -1 with `errno`.
  int32_t (*_Nullable scratch)(void);
} TideAccessBroker;
void tide_access_set_broker(TideAccessBroker broker);

// MARK: Coverage (coverage.c, lines.c)

/// Counts from now on how often each line of each file's chunk runs; false where there is no memory
/// for it. A hook that a script sets takes its place.
bool tide_coverage_start(TideState *state);
/// Gives the counts of a chunk, by line, and its name without the `@`.
typedef void (*TideCoverageTake)(void *_Nullable context, const char *name, size_t nameCount,
                                 const uint32_t *counts, size_t count);
/// Tells of every chunk of which a line has run, also when the state is closed.
void tide_coverage_each(const TideState *state, void *_Nullable context, TideCoverageTake take);

// MARK: References (references.c)

/// Gives up a reference, which is freed when the state is next entered; any thread may call it.
void tide_reference_drop(TideState *state, uint32_t reference);
/// For tests: how many references are held.
uint32_t tide_reference_count(TideState *state);
/// Compares what two references stand for, without metamethods.
bool tide_reference_equal(TideState *state, uint32_t left, uint32_t right);
/// An address that is the same for equal values as long as they live.
uintptr_t tide_reference_identity(TideState *state, uint32_t reference);

// MARK: Calls from Swift (calls.c, tables.c, threads.c)

/// A stretch of the Lua stack that holds the results of a call until it is ended.
typedef struct TideFrame {
  int32_t top;    // the stack's height before
  int32_t first;  // where the results begin
  uint32_t count;
  int32_t status;
} TideFrame;

/// Reads a result. Text stays good until the frame ends; a reference belongs to the caller.
int32_t tide_frame_value(TideState *state, TideFrame *frame, uint32_t index,
                         TideValue *value);
/// Reads the first result without making a reference.
void tide_frame_peek(TideState *state, const TideFrame *frame, TideValue *value);
/// Stores the first result in a slot as a script's assignment would: 1 changed, 0 the same, -1 not
/// here (the declared type, an object or a table needs the host).
int32_t tide_frame_store(TideState *state, const TideFrame *frame,
                         TideSlot *slot);
/// Every call below opens the frame, whatever its status; each needs its end.
void tide_frame_end(TideState *state, const TideFrame *frame);

int32_t tide_load(TideState *state, const char *text, size_t count,
                  const char *chunkName, uint32_t environment,
                  TideFrame *frame);
/// Compiles a chunk to bytes for `tide_load_compiled`, which the caller frees whatever the status.
int32_t tide_chunk_compile(TideState *state, const char *text, size_t count, const char *chunkName,
                           char *_Nullable *_Nonnull bytes, size_t *byteCount, TideFrame *frame);
/// Loads what `tide_chunk_compile` gave, in any interpreter of the process, and nothing else: Lua does
/// not check compiled code.
int32_t tide_load_compiled(TideState *state, const char *bytes, size_t count, uint32_t environment,
                           TideFrame *frame);
/// Compiles a chunk and sets a byte for each of its lines that can run, those being counted from 1.
int32_t tide_chunk_lines(TideState *state, const char *text, size_t count, const char *chunkName,
                         uint8_t *lines, size_t lineCount, TideFrame *frame);
int32_t tide_call(TideState *state, uint32_t function,
                  const TideValue *_Nullable arguments, uint32_t count,
                  TideFrame *frame);
/// Calls with one argument and reads one result in a single step; a table, function or thread is
/// left in the frame and told by its tag alone.
int32_t tide_call_once(TideState *state, uint32_t function,
                       const TideValue *argument, TideValue *result,
                       TideFrame *frame);
/// Calls for what it does; no frame is left open when it returns TIDE_OK.
int32_t tide_call_discarding(TideState *state, uint32_t function,
                             const TideValue *_Nullable arguments, uint32_t count,
                             TideFrame *frame);
/// Calls with the value of one slot and stores the result in another, as `tide_frame_store` does
/// and says; the frame is left open when that is -1, when the call failed, which is -2, and when it
/// returned nothing at all. Nothing is stored in a slot that the function has freed.
enum { TIDE_NO_RESULT = -3, TIDE_WAITS = -4, TIDE_YIELDS = -5 };
int32_t tide_call_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          TideFrame *frame);
/// Numbers only: no frame is left open when it returns TIDE_OK; -1 where the frame holds a result
/// that is no number.
int32_t tide_call_number(TideState *state, uint32_t function, double argument,
                         double *result, TideFrame *frame);

int32_t tide_table_make(TideState *state, uint32_t array, uint32_t fields,
                        TideFrame *frame);
int32_t tide_table_get(TideState *state, uint32_t table, const TideValue *key,
                       bool raw, TideFrame *frame);
int32_t tide_table_set(TideState *state, uint32_t table, const TideValue *key,
                       const TideValue *value, bool raw, TideFrame *frame);
int32_t tide_table_length(TideState *state, uint32_t table, bool raw,
                          TideFrame *frame);
/// Begins an iteration; each step leaves key and value in the frame, or nothing at the end.
int32_t tide_table_begin(TideState *state, uint32_t table, TideFrame *frame);
int32_t tide_table_next(TideState *state, TideFrame *frame);
/// Sets or, with reference 0, takes away a table's metatable.
int32_t tide_table_set_metatable(TideState *state, uint32_t table, uint32_t metatable,
                                 TideFrame *frame);
/// Makes a table read-only for scripts: gives an empty one that reads through.
int32_t tide_table_seal(TideState *state, uint32_t table, const char *name,
                        TideFrame *frame);
/// Makes `rawset` refuse all tables that have this metatable.
int32_t tide_table_guard(TideState *state, uint32_t metatable, TideFrame *frame);
int32_t tide_globals(TideState *state, TideFrame *frame);
/// The text of any value as `tostring` gives it.
int32_t tide_describe(TideState *state, const TideValue *value,
                      TideFrame *frame);

// MARK: Tapes (tape.c)

/// A value with everything in it, laid flat: a table is a header cell, then key and value of each
/// field, then the elements of its sequence. Text is an offset into `text`, in `integer`. What no
/// tape can hold (a function, a coroutine, a userdata) is told by its tag alone when read.
typedef struct TideTape {
  TideValue *_Nullable cells;
  char *_Nullable text;
  size_t count, capacity;
  size_t textCount, textCapacity;
  uint32_t depth;  // how many tables may lie within each other; at most 1000
} TideTape;

static inline TideValue tide_tape_header(uint32_t fields, uint32_t elements, uint32_t cells) {
  TideValue header = {.tag = TIDE_LUA_FIELDS, .count = cells};
  header.integer = (int64_t)((uint64_t)fields << 32 | elements);
  return header;
}
static inline uint32_t tide_tape_fields(const TideValue *header) {
  return (uint32_t)((uint64_t)header->integer >> 32);
}
static inline uint32_t tide_tape_elements(const TideValue *header) {
  return (uint32_t)header->integer;
}
/// Adds a cell; false without memory.
bool tide_tape_put(TideTape *tape, const TideValue *value);
/// Reads a table, without metamethods, into at most so many cells.
int32_t tide_tape_read(TideState *state, uint32_t table, uint32_t limit, TideTape *tape,
                       TideFrame *frame);
/// Makes the value that a tape holds.
int32_t tide_tape_write(TideState *state, const TideTape *tape, TideFrame *frame);
void tide_tape_free(TideTape *tape);

int32_t tide_thread_make(TideState *state, uint32_t function,
                         TideFrame *frame);
/// Runs a coroutine until it returns (TIDE_OK), waits (TIDE_SUSPENDED), yields (TIDE_YIELDED) or
/// fails. `error`, a retained Swift object that is taken over, is thrown at the waiting call, with
/// the message as `tide_set_error` takes it. A coroutine that was interrupted keeps what it left to
/// be closed until `tide_thread_close`.
int32_t tide_thread_resume(TideState *state, uint32_t thread,
                           const TideValue *_Nullable arguments, uint32_t count,
                           void *_Nullable error, const char *_Nullable message,
                           size_t messageCount, bool hasPlace, TideFrame *frame);
/// The same, raising a value of Lua's at the waiting call. The coroutine must wait.
int32_t tide_thread_raise(TideState *state, uint32_t thread, const TideValue *value,
                          TideFrame *frame);
/// Runs what a coroutine left to be closed and ends it.
int32_t tide_thread_close(TideState *state, uint32_t thread, TideFrame *frame);
/// Whether the coroutine can be resumed.
bool tide_thread_is_alive(TideState *state, uint32_t thread);

// MARK: Functions that derive values from one another (derive.c)

/// Opens a stack of coroutines, which lasts until its frame is ended.
int32_t tide_derive_open(TideState *state, TideFrame *stack);
/// Puts a function and its argument on the coroutine of that place, from 0.
int32_t tide_derive_fill(TideState *state, const TideFrame *stack, uint32_t place,
                         uint32_t function, const TideValue *argument, TideFrame *frame);
/// Runs it until it returns (TIDE_OK, with one result), fails, or reads a slot that is to be derived
/// first (TIDE_SUSPENDED, with the frame ended).
int32_t tide_derive_run(TideState *state, const TideFrame *stack, uint32_t place, bool isFirst,
                        TideSlot *_Nullable *_Nonnull wanted, TideFrame *frame);
/// Leaves it where it stands, not to be run again.
void tide_derive_give_up(TideState *state, const TideFrame *stack, uint32_t place);

// MARK: Calls that may wait (tasks.c)

/// Calls a function as `tide_call` does, but on a coroutine, where it may wait. With TIDE_SUSPENDED,
/// and with TIDE_YIELDED, `thread` is a reference to the coroutine, to be resumed and dropped.
int32_t tide_task_call(TideState *state, uint32_t function,
                       const TideValue *_Nullable arguments, uint32_t count, uint32_t *thread,
                       TideFrame *frame);
/// Calls a function as `tide_call_between` does, but where it may wait: then TIDE_WAITS or
/// TIDE_YIELDS, `thread` is a reference to the coroutine, and no frame is left open.
int32_t tide_task_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          uint32_t *thread, TideFrame *frame);

// MARK: Faults (errors.c)

typedef struct TideFault {
  int32_t kind;
  int32_t line;    // 0: unknown
  int32_t column;  // 0: unknown
  const char *_Nullable message;
  size_t messageCount;
  const char *_Nullable source;  // the chunk's name without its mark
  size_t sourceCount;
  const char *_Nullable traceback;
  size_t tracebackCount;
  void *_Nullable cause;  // the Swift object that was thrown, not retained
  TideValue value;        // nil when it is text or the host's
} TideFault;

/// Describes why the frame's call failed; everything stays good until the frame ends.
void tide_frame_fault(TideState *state, TideFrame *frame,
                      TideFault *fault);

// MARK: Callbacks (functions.c)

/// A Swift function as Lua calls it: gets its object and the call, returns a status.
typedef int32_t (*TideBody)(void *object, TideCall *call);

/// A call of a Swift function: its arguments on the Lua stack, its results in C memory until the
/// Swift frame is gone.
struct TideCall {
  TideState *state;
  void *lua;
  int32_t count;    // of arguments
  int32_t results;  // how many have been given
  int32_t capacity;
  uint32_t textUsed;
  TideValue *values;
  void *_Nullable mark;
  bool suspends;   // asked for by the callback, for its wrapper to return TIDE_SUSPENDED
  bool calls;      // likewise TIDE_CALLS
  bool exhausted;  // a result found no memory, which is raised in its place
  TideValue local[4];
  char text[192];
};

/// Wraps a Swift function. Takes over the retained `object`, whatever the status.
int32_t tide_function_make(TideState *state, void *object, TideBody body, TideFrame *frame);
/// A Lua userdata that stands for a Swift object and keeps it alive: the same one for the same
/// object while Lua holds it. `metatable` is a reference to a table; 0: opaque.
int32_t tide_userdata_make(TideState *state, void *object, uint32_t metatable,
                           TideFrame *frame);
/// The Swift object behind a userdata, not retained, or NULL.
void *_Nullable tide_userdata_object(TideState *state, uint32_t reference);

// Arguments count from 0. A missing one is nil, but for its tag, -1.
int32_t tide_call_tag(const TideCall *call, int32_t index);
bool tide_call_boolean(const TideCall *call, int32_t index);
/// Gives the number of an argument that is one, or text that reads as one.
bool tide_call_read_number(const TideCall *call, int32_t index, double *number);
bool tide_call_read_integer(const TideCall *call, int32_t index,
                            int64_t *integer);
/// The bytes of an argument that is text, as long as the call lasts.
const char *_Nullable tide_call_read_text(const TideCall *call, int32_t index,
                                          size_t *count);
/// The header of an argument that is a data object that still exists.
TideSlot *_Nullable tide_call_read_object(const TideCall *call, int32_t index);
/// The Swift object of an argument that is a userdata made for one.
void *_Nullable tide_call_read_userdata(const TideCall *call, int32_t index);
/// Any argument; a table, function, thread or userdata becomes a reference, which can fail.
int32_t tide_call_read(TideCall *call, int32_t index, TideValue *value);
/// What the caller calls this function, or NULL.
const char *_Nullable tide_call_name(const TideCall *call);
/// Whether the caller wrote `object:name(…)`, and so counts the arguments from the second.
bool tide_call_is_method(const TideCall *call);
/// The calling Lua line: its chunk's name (with the mark) and line; NULL outside of any.
const char *_Nullable tide_call_location(const TideCall *call, int32_t level,
                                         int32_t *line);
const char *tide_call_type_name(const TideCall *call, int32_t index);
/// Whether the running coroutine can wait here.
bool tide_call_can_suspend(const TideCall *call);

/// Makes room for more results; NULL without memory.
TideValue *_Nullable tide_call_grow(TideCall *call);
/// The next result's place, set to nil; NULL without memory.
static inline TideValue *_Nullable tide_call_add_result(TideCall *call) {
  if (__builtin_expect(call->results == call->capacity, 0) && !tide_call_grow(call)) return NULL;
  TideValue *value = &call->values[call->results++];
  value->integer = 0;
  value->tag = TIDE_LUA_NIL;
  value->count = 0;
  return value;
}
/// Memory for a result's text, kept until Lua has copied it; NULL without memory.
char *_Nullable tide_call_add_text(TideCall *call, size_t count);
/// Gives the error that a callback or hook is about to fail with: takes over the retained object,
/// copies the message, which gets the calling line in front unless it has a place of its own.
void tide_set_error(TideState *state, void *error, const char *message, size_t messageCount,
                    bool hasPlace);

/// The location of whatever Lua code runs now, as `tide_call_location` gives it.
const char *_Nullable tide_state_location(TideState *state, int32_t *line);

// MARK: Data objects (objects.c, classes.c, properties.c, methods.c,
// listeners.c, texts.c)

/// Where a hook puts the text of a slot.
typedef struct TideText {
  TideState *state;
  const char *_Nullable bytes;
  size_t count;
  char local[232];
} TideText;

/// Room for a hook's text, which the hook then fills; NULL without memory.
char *_Nullable tide_text_reserve(TideText *text, size_t count);

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
  int32_t (*_Nullable write)(void *_Nullable context, TideSlot *slot,
                             TideCall *call);
  /// The value of a slot that holds a Swift object without a block; gives one result.
  int32_t (*_Nullable foreign)(void *_Nullable context, TideSlot *slot,
                               TideCall *call);
  /// A key that is neither property nor method; arguments: object, key.
  int32_t (*_Nullable index)(void *_Nullable context, TideSlot *header,
                             TideCall *call);
  /// An assignment to such a key; arguments: object, key, value.
  int32_t (*_Nullable newindex)(void *_Nullable context, TideSlot *header,
                                TideCall *call);
  int32_t (*_Nullable length)(void *_Nullable context, TideSlot *header,
                              TideCall *call);
  /// Gives the three results that a generic `for` wants.
  int32_t (*_Nullable pairs)(void *_Nullable context, TideSlot *header,
                             TideCall *call);
  int32_t (*_Nullable describe)(void *_Nullable context, TideSlot *header,
                                TideCall *call);
  /// The object called as a function; arguments: object, then the caller's.
  int32_t (*_Nullable call)(void *_Nullable context, TideSlot *header,
                            TideCall *call);
  /// How many bytes the engine holds for scripts. Called in the middle of an allocation of Lua's, so
  /// it may not call Lua and releases nothing.
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
/// Gives a class other properties: objects that Lua knows have them at once. A place without a
/// property is NULL.
int32_t tide_class_redefine(TideState *state, uint32_t number,
                            const char *_Nullable const *_Nullable properties, uint32_t count,
                            TideFrame *frame);
/// Forgets a class of which no object is left and none will be made, all of which were kept alive by
/// Lua; false where it has to stay. The number may then be another class's.
bool tide_class_retire(TideState *state, uint32_t number);
/// Lets the userdata of an object that moved to another block know it.
void tide_object_moved(TideState *state, TideSlot *from, TideSlot *to);
/// Gives one table the contents and the metatable of another, and lets the functions that a chunk
/// has put into that other one mean the first where they mean the other.
int32_t tide_table_adopt(TideState *state, uint32_t table, uint32_t other, const char *chunk,
                         TideFrame *frame);
/// Makes a method of a script's function: what it changes settles when it returns. Inside another
/// method the function itself is called, so that methods may recurse as deep as functions.
int32_t tide_method_make(TideState *state, uint32_t function, TideFrame *frame);
/// Makes what calls a function as long as a data object lives, which neither of them keeps alive.
int32_t tide_function_own(TideState *state, uint32_t function, TideSlot *owner, TideFrame *frame);
/// How many parameters a function names; INT32_MAX when it takes any number, -1 when it is none.
int32_t tide_function_parameters(TideState *state, uint32_t function);
/// The chunk and the line where a function of Lua begins; NULL for others.
const char *_Nullable tide_function_location(TideState *state, uint32_t function, int32_t *line);
/// Lets the shim call an observer itself that takes no more than the new and the old value: gives
/// the number for the observer's slot, or 0. The caller keeps the function's reference.
uint32_t tide_listener_add(TideState *state, uint32_t function, void *_Nullable context);
void tide_listener_remove(TideState *state, uint32_t listener);
/// Lets the graph's history know which lines write; false without memory or when the interpreter is
/// not the one that this was built for, and then no lines are known.
bool tide_places_keep(TideState *state);
/// The chunk and line that a number of the history stands for; NULL when it is unknown.
const char *_Nullable tide_place(const TideState *state, uint32_t number, int32_t *line);
/// The table of a class's methods, as a result.
int32_t tide_class_methods(TideState *state, uint32_t number,
                           TideFrame *frame);

#pragma clang assume_nonnull end
