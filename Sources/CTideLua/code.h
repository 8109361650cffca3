// What functions are compiled to, as interpreters with faults in it need to be known (code.c).
#pragma once

#include "state.h"

/// How a function's code begins, as `lua_topointer` of its closure leads to it.
typedef struct Prototype {
  void *next;
  uint8_t kind, marks, parameters, isVariadic, registers;
  int upvalueCount, constantCount, codeCount, lineCount, innerCount, localCount, markedLineCount;
  int firstLine, lastLine;
  const void *constants;
  uint32_t *code;
  struct Prototype **inner;
  const void *upvalues, *lines, *markedLines;
  const struct Local *locals;
} Prototype;

/// A local variable, and the instructions during which it lives.
typedef struct Local {
  const void *name;
  int start, end;
} Local;

enum {
  OPERATION = 0x7f,  // the part of an instruction that says what it does
  CONCATENATE = 53,
  MOST_REGISTERS = 255,
};

/// The prototype of the function on top of the stack; NULL for a host's, and where code is not laid
/// out as above, which is tried once.
Prototype *code_of(lua_State *L);
bool code_has_concatenation(const Prototype *prototype);
/// Whether the interpreter's faults keep the function on top from being run. The message takes its
/// place then, with the location.
bool code_is_refused(lua_State *L);
