#include "code.h"

#include "concat.h"
#include "interpreter.h"

// Some releases compile code that they should refuse, or crash while explaining an error in it. A
// function that would trigger such a bug is not run:
//
//   before 5.4.5   a number before a bitwise operator, after 255 constants, is loaded on one of the
//                  ways only that lead to the operator; on others it takes what was left there
//   before 5.4.7   an error message about the end of a chain, as in a.b.b.b, calls itself for each
//                  link until the machine's stack ends
//   before 5.4.8   a comparison as an index, as in names[a < b] where `names` is of an outer
//                  function, may skip the instruction that gets the table, and take what was left
//                  in its place
//   faulty `..`    where a function leaves no registers to spare, the stack moves under it
//                  (concat.c)

/// The relevant opcodes, by their numbers in 5.4.
enum {
  MOVE = 0,
  LOAD_INTEGER = 1,
  LOAD_CONSTANT = 3,
  FALSE_OR_TRUE = 6,  // the value of a comparison
  SET_UPVALUE = 10,
  GET_TABLE = 12,
  GET_FIELD = 14,
  SET_GLOBAL = 15,
  SET_FIELD = 18,
  SELF = 20,
  AND_CONSTANT = 29,
  AND = 41,
  XOR = 43,
  METAMETHOD = 46,
  METAMETHOD_CONSTANT = 48,
  CLOSE = 54,
  JUMP = 56,
  TEST = 66,
  CALL = 68,
  TAIL_CALL = 69,
  RETURN_ONE = 72,
  PREPARE_ITERATION = 75,
  CALL_ITERATION = 76,
  SET_LIST = 78,
  PREPARE_VARIADIC = 81,
  EXTRA_ARGUMENT = 82,
};

enum { LONGEST_CHAIN = 1000, SHORT_CONSTANTS = 255 };

typedef struct Closure {
  void *next;
  uint8_t kind, marks, upvalueCount;
  void *list;
  Prototype *prototype;
} Closure;

static unsigned operation(uint32_t code) { return code & OPERATION; }
static unsigned argument_a(uint32_t code) { return code >> 7 & 0xff; }
static bool argument_k(uint32_t code) { return code >> 15 & 1; }
static unsigned argument_b(uint32_t code) { return code >> 16 & 0xff; }
static unsigned argument_c(uint32_t code) { return code >> 24; }
static int jump_target(const Prototype *prototype, int index) {
  return index + 1 + (int)(prototype->code[index] >> 7) - 0xffffff;
}

bool code_has_concatenation(const Prototype *prototype) {
  for (int i = 0; i < prototype->codeCount; i++)
    if (operation(prototype->code[i]) == CONCATENATE) return true;
  return false;
}

/// Whether an instruction is between a comparison's jump and the value that it jumps to.
static bool splits_comparison(const Prototype *prototype) {
  for (int i = 1; i < prototype->codeCount; i++)
    if (operation(prototype->code[i]) == FALSE_OR_TRUE && operation(prototype->code[i - 1]) != JUMP)
      return true;
  return false;
}

// MARK: The layout

static pthread_once_t learnOnce = PTHREAD_ONCE_INIT;
static bool isKnown;

static void *allocate(void *context, void *block, size_t old, size_t size) {
  (void)context, (void)old;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

/// Whether the code of a known chunk has the expected layout.
static bool knows_chunk(lua_State *L) {
  static const char text[] =
      "\n\nlocal function join(x, y)\n"
      "return x .. y, x & 1234567, x.b.b, x < y end return join";
  if (luaL_loadbufferx(L, text, sizeof text - 1, "=look", "t") != LUA_OK) return false;
  const Closure *closure = lua_topointer(L, -1);
  const Prototype *chunk = closure->prototype;
  if (chunk->parameters || !chunk->isVariadic || chunk->innerCount != 1 ||
      chunk->upvalueCount != 1 || chunk->codeCount < 3 || chunk->codeCount > 12 ||
      code_has_concatenation(chunk))
    return false;
  const Prototype *join = chunk->inner[0];
  if (join->parameters != 2 || join->isVariadic || join->registers < 4 || join->registers > 10 ||
      join->firstLine != 3 || join->lastLine != 4 || join->codeCount < 6 || join->codeCount > 20 ||
      join->innerCount || join->constantCount != 2 || join->localCount != 2 ||
      join->locals[1].start || join->locals[1].end < join->codeCount ||
      !code_has_concatenation(join))
    return false;
  bool hasConstant = false;
  int chain = 0, comparisons = 0;
  for (int i = 0; i < join->codeCount; i++) {
    uint32_t code = join->code[i];
    if (operation(code) == AND_CONSTANT) hasConstant = true;
    if (operation(code) == GET_FIELD) chain++;
    if (operation(code) == FALSE_OR_TRUE && jump_target(join, i - 1) == i + 1) comparisons++;
  }
  return hasConstant && chain == 2 && comparisons == 1 && !splits_comparison(join);
}

static void learn(void) {
  lua_State *L = lua_newstate(allocate, NULL);
  if (!L) return;
  isKnown = knows_chunk(L);
  lua_close(L);
}

Prototype *code_of(lua_State *L) {
  if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1)) return NULL;
  pthread_once(&learnOnce, learn);
  return isKnown ? ((const Closure *)lua_topointer(L, -1))->prototype : NULL;
}

// MARK: Functions that are refused

static bool is_local(const Prototype *prototype, unsigned register_, int index) {
  unsigned living = 0;
  for (int i = 0; i < prototype->localCount && prototype->locals[i].start <= index; i++)
    living += index < prototype->locals[i].end;
  return register_ < living;
}

/// The jumps of a function by their targets: the last jump to each target, and for each jump the
/// previous one with the same target.
typedef struct Jumps {
  int *last, *previous;
} Jumps;

static bool find_jumps(const Prototype *prototype, Jumps *jumps) {
  size_t count = (size_t)prototype->codeCount;
  jumps->last = calloc(count * 2 + 2, sizeof(int));
  if (!jumps->last) return false;
  jumps->previous = jumps->last + count + 1;
  for (int i = 1; i < prototype->codeCount; i++) {
    if (operation(prototype->code[i]) != JUMP) continue;
    int target = jump_target(prototype, i);
    if (target <= i || target > prototype->codeCount) continue;
    jumps->previous[i] = jumps->last[target];
    jumps->last[target] = i;
  }
  return true;
}

/// Whether a jump skips the instruction that loads a number into a register, and the instruction
/// before the jump has not set that register.
static bool is_passed_by(const Prototype *prototype, const Jumps *jumps, int load, int user) {
  unsigned register_ = argument_a(prototype->code[load]);
  for (int target = load + 1; target <= user; target++)
    for (int i = jumps->last[target]; i; i = jumps->previous[i])
      if (i < load && argument_a(prototype->code[i - 1]) != register_) return true;
  return false;
}

/// Whether a number is loaded only on some paths to an operator. The load is directly before the
/// operator, except for the end of the other operand.
static bool may_miss_number(const Prototype *prototype, const Jumps *jumps, int user,
                            unsigned operand) {
  enum { NEAR = 8 };
  for (int i = user - 1; i >= 0 && i >= user - NEAR; i--) {
    uint32_t code = prototype->code[i];
    unsigned what = operation(code);
    if (argument_a(code) != operand || what == JUMP) continue;
    return what >= LOAD_INTEGER && what <= LOAD_CONSTANT && is_passed_by(prototype, jumps, i, user);
  }
  return false;
}

/// A variable may be set on some paths only, which is slow to check for many variables.
enum { MOST_VARIABLES_SEEN = 1000 };

static bool misplaces_number(const Prototype *prototype) {
  if (prototype->constantCount <= SHORT_CONSTANTS) return false;
  Jumps jumps;
  if (!find_jumps(prototype, &jumps)) return true;
  bool isFound = false;
  int seen = 0;
  for (int i = 1; i < prototype->codeCount && !isFound; i++) {
    uint32_t code = prototype->code[i];
    if (operation(code) < AND || operation(code) > XOR) continue;
    unsigned operands[] = {argument_b(code), argument_c(code)};
    for (int k = 0; k < 2 && !isFound; k++)
      if (may_miss_number(prototype, &jumps, i, operands[k]))
        isFound = ++seen > MOST_VARIABLES_SEEN || !is_local(prototype, operands[k], i);
  }
  free(jumps.last);
  return isFound;
}

/// Whether an instruction does not change the register in its first argument.
static bool keeps_register(unsigned operation) {
  return operation == SET_UPVALUE || (operation >= SET_GLOBAL && operation <= SET_FIELD) ||
         (operation >= METAMETHOD && operation <= METAMETHOD_CONSTANT) ||
         (operation >= CLOSE && operation <= TEST) ||
         (operation > TAIL_CALL && operation <= RETURN_ONE) || operation == PREPARE_ITERATION ||
         operation == CALL_ITERATION || operation == SET_LIST || operation == PREPARE_VARIADIC ||
         operation == EXTRA_ARGUMENT;
}

/// Whether a value is reached by more links than an error message can follow. Counts at least as
/// many links as the interpreter would.
static bool has_long_chain(const Prototype *prototype) {
  uint16_t links[MOST_REGISTERS + 1] = {0};
  for (int i = 0; i < prototype->codeCount; i++) {
    uint32_t code = prototype->code[i];
    unsigned what = operation(code), a = argument_a(code), length = 0;
    if (keeps_register(what)) continue;
    bool readsKey = what == GET_TABLE || (what == SELF && !argument_k(code));
    if (what == MOVE || what == GET_TABLE || what == GET_FIELD || what == SELF)
      length = links[argument_b(code)] + 1;
    if (readsKey && links[argument_c(code)] >= length) length = links[argument_c(code)] + 1;
    if (length > LONGEST_CHAIN) return true;
    links[a] = (uint16_t)length;
    if (what == CALL || what == TAIL_CALL)
      for (; a <= MOST_REGISTERS; a++) links[a] = 0;
  }
  return false;
}

static const char *problem_of(const Prototype *prototype) {
  int release = interpreter_release();
  if (release < 5 && misplaces_number(prototype))
    return "this release of Lua compiles a bitwise operator wrongly here, after 255 constants; "
           "give its operand a name";
  if (release < 7 && has_long_chain(prototype))
    return "a chain of more than 1000 fields, about which this release of Lua cannot tell errors; "
           "give a part of it a name";
  if (release < 8 && splits_comparison(prototype))
    return "this release of Lua compiles a comparison as an index wrongly here; give it a name";
  if (!concat_can_make_room(prototype))
    return "too many registers for '..' with this build of Lua, which loses its stack; "
           "move some local variables into another function";
  return NULL;
}

/// Finds the innermost function that is refused, and the reason.
static const Prototype *find_refused(const Prototype *prototype, const char **problem) {
  for (int i = 0; i < prototype->innerCount; i++) {
    const Prototype *found = find_refused(prototype->inner[i], problem);
    if (found) return found;
  }
  *problem = problem_of(prototype);
  return *problem ? prototype : NULL;
}

bool code_is_refused(lua_State *L) {
  if (interpreter_release() >= 8) return false;
  const Prototype *prototype = code_of(L);
  const char *problem = NULL;
  const Prototype *refused = prototype ? find_refused(prototype, &problem) : NULL;
  if (!refused) return false;
  lua_Debug record;
  lua_getinfo(L, ">S", &record);
  int line = refused->firstLine ? refused->firstLine : 1;
  lua_pushfstring(L, "%s:%d: %s", record.short_src, line, problem);
  return true;
}
