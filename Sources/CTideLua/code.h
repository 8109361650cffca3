// The bytecode of functions, which must be inspected for interpreters with bugs (code.c).
#pragma once

#include "state.h"

/// The beginning of a function's prototype, to which `lua_topointer` of its closure leads.
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

/// A local variable and its range of instructions.
typedef struct Local {
  const void *name;
  int start, end;
} Local;

enum {
  OPERATION = 0x7f,  // the part of an instruction that says what it does
  CONCATENATE = 53,
  MOST_REGISTERS = 255,
};

/// The prototype of the function on top of the stack. NULL for a host function, and if the layout
/// differs from the above, which is tested once.
Prototype *code_of(lua_State *L);
bool code_has_concatenation(const Prototype *prototype);
/// Whether the function on top of the stack must not run because of the interpreter's bugs. It is
/// then replaced by the message, with the location.
bool code_is_refused(lua_State *L);
