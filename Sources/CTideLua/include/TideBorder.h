// Where the border and the library of scripts meet: what the functions of CTideLuaLibrary ask of
// the state that runs them. They include this header alone and know nothing else of a state; the
// state knows them as a list of tables, which the host hands over when it opens one.
//
// Only C includes this header. It shows Lua's raising API, which Swift must not see.
#pragma once

#include <signal.h>

#include "../../CLua54/shim.h"
#include "TideState.h"

// Not as sure as __builtin_expect: what is less likely than one in a hundred clang moves out of the
// way together with whatever follows, and an early return is followed by the function's end.
#define likely(x) __builtin_expect_with_probability(!!(x), 1, 0.98)
#define unlikely(x) __builtin_expect_with_probability(!!(x), 0, 0.98)

#pragma clang assume_nonnull begin

/// A table of scripts' library: Lua's own functions, and ours in the place of some.
struct TideLibrary {
  const char *_Nullable name;            // of the global; NULL ends the list
  lua_CFunction _Nullable stock;         // opens Lua's own; NULL where all functions are ours
  void (*_Nullable open)(lua_State *L);  // puts ours into the table on top of the stack
};

// MARK: Budgets

/// What a state's memory begins with: whether its turn is over, and what its scripts may use.
typedef struct TideBudget {
  volatile sig_atomic_t expired;  // 0, or the fault that stops the turn; set by a signal's handler
  volatile sig_atomic_t isLate;   // the watchdog believes that the turn is over; to be judged
  uint32_t steps;                 // since the clock was last read, where steps are counted
  TideConfiguration limits;
} TideBudget;

static inline TideBudget *budget_of(lua_State *L) { return *(TideBudget **)lua_getextraspace(L); }

/// Ends what runs because the turn is over: leaves the coroutine for good, or raises.
int clock_raise(lua_State *L);
/// Reads the clock, and ends what runs if the turn is over.
void clock_read(lua_State *L);
/// Finds out whether the turn is over, where the watchdog believes so, and then ends what runs.
int clock_judge(lua_State *L);

/// For loops in C, where no hook runs.
static inline void clock_check(lua_State *L, TideBudget *budget) {
  if (unlikely(budget->expired)) clock_raise(L);
  if (unlikely(budget->limits.countsSteps) && (++budget->steps & 1023) == 0) clock_read(L);
}
/// Before long work in C, which counting steps does not see.
static inline void clock_look(lua_State *L, const TideBudget *budget) {
  if (unlikely(budget->expired)) clock_raise(L);
  if (budget->limits.countsSteps) clock_read(L);
}
/// To be called when the host's code returns to Lua.
static inline void clock_return(lua_State *L, const TideBudget *budget) {
  if (unlikely(budget->expired | budget->isLate)) clock_judge(L);
}

/// Collects garbage where it is in the way of a long buffer.
void memory_make_room(lua_State *L, size_t bytes);
/// Collects all of a small heap, so that what a script drops is gone when it says so, and takes a
/// step of the work in a large one.
void memory_collect(lua_State *L);
/// Takes a step of that work; true when it has come to its end.
bool memory_step(lua_State *L);

/// Pops a metatable or nil, and makes it the metatable of the table at the index. Every table that a script
/// can reach gets its metatable here.
void metatable_set(lua_State *L, int index);
/// Has a metatable's `__concat` be called so that it cannot move the stack below it, where the interpreter
/// needs that.
void concat_guard(lua_State *L, int index);

// MARK: Values

/// A number that stands for an address and reveals nothing about it.
uint64_t address_disguise(const void *address);
/// Pushes what `tostring` gives for the value at the index, as `luaL_tolstring` does; may raise.
const char *value_describe(lua_State *L, int index, size_t *_Nullable count);

// MARK: Functions

/// Replaces the light C functions of the table on top by closures. A light one is a bare address,
/// so a script that could forge a value could call any address.
void functions_close(lua_State *L);
/// Pushes where the error of a level is: scripts know nothing of the functions of ours that call
/// their methods.
void location_push(lua_State *L, lua_Integer level);
/// Calls the function below its arguments under protection, and gives the results of `pcall`:
/// `true`, which the caller has pushed, or `false` and the error. Above what it returns lie `extra`
/// values that are not results.
int protected_call(lua_State *L, int arguments, int handler, int extra);
/// Gives a script's line to the host.
void host_print(lua_State *L, const char *text, size_t count);

/// Compiles text as `lua_load` does, unless the turn ends meanwhile, which raises.
int load_text(lua_State *L, const char *text, size_t count, const char *name, const char *mode);
/// The same with a reader of the caller's, which checks the turn itself.
int load_pieces(lua_State *L, lua_Reader reader, void *pieces, const char *name,
                const char *mode);

/// Pushes the fields of a table that is a copy of a Swift value, which an object holds: a table
/// without a metatable. False, and nothing is pushed, for any other value.
bool copy_contents(lua_State *L, int index);
/// `next` of such a copy.
int copy_next(lua_State *L);

/// Whether scripts may not write to the table even with `rawset`.
bool sandbox_refuses_write(lua_State *L, int index);

// MARK: Coroutines

/// The coroutine at an index, or NULL; the main one where scripts hold what stands in for it.
lua_State *_Nullable coroutine_at(lua_State *L, int index);
/// As `coroutine.status` tells it.
const char *coroutine_status(lua_State *L, lua_State *co);
/// Resumes with the arguments on top of L. Leaves the results on L and gives their number, or -1
/// with an error on top. `again` goes on when the host has ended a wait.
int coroutine_resume(lua_State *L, lua_State *co, int arguments, lua_KFunction again);
/// Gives what the yield that ends here was resumed with, or raises what the host throws there.
int coroutine_yielded(lua_State *L, int status, lua_KContext context);
/// Closes what a failed coroutine left open, whose error is on top of L, and leaves the error that
/// holds then there.
int coroutine_close_failed(lua_State *L, lua_State *co);
/// Closes what a coroutine left open; false with an error on top of L.
bool coroutine_close(lua_State *L, lua_State *co);
/// Pushes what scripts get for the main coroutine.
void coroutine_push_main(lua_State *L);

#pragma clang assume_nonnull end
