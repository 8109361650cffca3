// The interface between the border and the library of scripts: the functions that CTideLuaLibrary
// calls on the state that runs its functions. The library includes only this header and depends on
// nothing else of a state. The state knows the library as a list of tables, which the host passes
// when it opens a state.
//
// Only C includes this header. It exposes Lua's raising API, which Swift must not see.
#pragma once

#include <signal.h>

#include "../../CLua54/shim.h"
#include "TideState.h"

// Not as certain as __builtin_expect: clang moves code with a probability below one percent out of
// line together with all that follows, and an early return is followed by the function's end.
#define likely(x) __builtin_expect_with_probability(!!(x), 1, 0.98)
#define unlikely(x) __builtin_expect_with_probability(!!(x), 0, 0.98)

#pragma clang assume_nonnull begin

/// A table of the scripts' library: Lua's own functions, with some replaced by ours.
struct TideLibrary {
  const char *_Nullable name;            // of the global; NULL ends the list
  lua_CFunction _Nullable stock;         // opens Lua's own library; NULL if all functions are ours
  void (*_Nullable open)(lua_State *L);  // adds our functions to the table on top of the stack
};

// MARK: Budgets

/// The beginning of a state's memory: whether its turn is over, and the limits of its scripts.
typedef struct TideBudget {
  volatile sig_atomic_t expired;  // 0, or the fault that stops the turn; set by a signal's handler
  volatile sig_atomic_t isLate;   // the watchdog considers the turn over; to be verified
  uint32_t steps;                 // steps since the last reading of the clock, if counted
  TideConfiguration limits;
} TideBudget;

static inline TideBudget *budget_of(lua_State *L) { return *(TideBudget **)lua_getextraspace(L); }

/// Ends the running code because the turn is over: abandons the coroutine, or raises an error.
int clock_raise(lua_State *L);
/// Reads the clock, and ends the running code if the turn is over.
void clock_read(lua_State *L);
/// Decides whether the turn is over if the watchdog believes so, and then ends the running code.
int clock_judge(lua_State *L);

/// For loops in C, in which no hook runs.
static inline void clock_check(lua_State *L, TideBudget *budget) {
  if (unlikely(budget->expired)) clock_raise(L);
  if (unlikely(budget->limits.countsSteps) && (++budget->steps & 1023) == 0) clock_read(L);
}
/// Call it before long work in C, which does not count as steps.
static inline void clock_look(lua_State *L, const TideBudget *budget) {
  if (unlikely(budget->expired)) clock_raise(L);
  if (budget->limits.countsSteps) clock_read(L);
}
/// Call it when the host's code returns to Lua.
static inline void clock_return(lua_State *L, const TideBudget *budget) {
  if (unlikely(budget->expired | budget->isLate)) clock_judge(L);
}

/// Collects garbage if a long buffer needs the memory.
void memory_make_room(lua_State *L, size_t bytes);
/// Collects all garbage of a small heap, so that a script's explicit collection takes full effect.
/// In a large heap, takes one step of the collection.
void memory_collect(lua_State *L);
/// Takes one step of a collection. Returns true at the end of the cycle.
bool memory_step(lua_State *L);

/// Pops a metatable or nil, and sets it on the table at the index. Every table that a script can
/// reach gets its metatable here.
void metatable_set(lua_State *L, int index);
/// Wraps a metatable's `__concat` so that it cannot move the stack below it, if the interpreter
/// needs that.
void concat_guard(lua_State *L, int index);

// MARK: Values

/// A number that represents an address without revealing it.
uint64_t address_disguise(const void *address);
/// Pushes the result of `tostring` for the value at the index, as `luaL_tolstring` does. May raise
/// an error.
const char *value_describe(lua_State *L, int index, size_t *_Nullable count);

// MARK: Functions

/// Replaces the light C functions of the table on top by closures. A light C function is a bare
/// address, so a script that could forge a value could call any address.
void functions_close(lua_State *L);
/// Pushes the location of a level of the call stack. Our functions that call scripts' methods do
/// not count as levels.
void location_push(lua_State *L, lua_Integer level);
/// Calls the function below its arguments under protection, and returns the results of `pcall`:
/// `true`, which the caller has pushed, or `false` and the error. The `extra` values above the
/// results are not part of them.
int protected_call(lua_State *L, int arguments, int handler, int extra);
/// Passes a script's output line to the host.
void host_print(lua_State *L, const char *text, size_t count);

/// Compiles text as `lua_load` does. Raises an error if the turn ends meanwhile.
int load_text(lua_State *L, const char *text, size_t count, const char *name, const char *mode);
/// Compiles text from the caller's reader, which checks the turn itself.
int load_pieces(lua_State *L, lua_Reader reader, void *pieces, const char *name,
                const char *mode);

/// Pushes the fields of a copy of a Swift value, which are a table without a metatable. Returns
/// false and pushes nothing for any other value.
bool copy_contents(lua_State *L, int index);
/// `next` for such a copy.
int copy_next(lua_State *L);

/// Whether scripts may not write to the table even with `rawset`.
bool sandbox_refuses_write(lua_State *L, int index);

// MARK: Coroutines

/// The coroutine at an index, or NULL. For the stand-in that scripts have for the main coroutine,
/// returns the main coroutine.
lua_State *_Nullable coroutine_at(lua_State *L, int index);
/// The status as in `coroutine.status`.
const char *coroutine_status(lua_State *L, lua_State *co);
/// Resumes a coroutine with the arguments on top of L. Leaves the results on L and returns their
/// number, or -1 with an error on top. `again` continues when the host has ended a suspension.
int coroutine_resume(lua_State *L, lua_State *co, int arguments, lua_KFunction again);
/// Returns the values that the yield was resumed with, or raises the error that the host throws
/// there.
int coroutine_yielded(lua_State *L, int status, lua_KContext context);
/// Closes the open variables of a failed coroutine, whose error is on top of L, and replaces the
/// error by the final one.
int coroutine_close_failed(lua_State *L, lua_State *co);
/// Closes the open variables of a coroutine. Returns false with an error on top of L.
bool coroutine_close(lua_State *L, lua_State *co);
/// Pushes the stand-in that scripts have for the main coroutine.
void coroutine_push_main(lua_State *L);

#pragma clang assume_nonnull end
