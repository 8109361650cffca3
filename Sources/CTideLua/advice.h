// What a syntax error was probably meant to be.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Advice {
  char text[128];   // follows the message; empty if there is none
  int32_t column;   // of the wrong word, from 1; 0 if it is in another line
} Advice;

/// Finds advice for a syntax error.
///
/// @param line the error's line in the text, from 1
/// @param message Lua's message, after its location
void advice_find(const char *text, size_t count, int32_t line, const char *message, size_t messageCount,
                 Advice *advice);
