// The library `io`.
#pragma once

#include "processes.h"

enum { FILE_ROOM = 4096 };

/// A file or program in a script.
typedef struct TideFile {
  TideState *state;
  int descriptor;      // -1: closed
  uint32_t entry;      // the index in the state's list of open files
  ChildProcess child;  // the process at the other end, unless its id is 0
  bool isProgram, reads, writes;
  uint32_t start, end;  // the range of bytes read ahead
  char ahead[FILE_ROOM];
} TideFile;

/// Pushes the library's table.
void files_open(lua_State *L);
/// Closes every open file and ends every program of a state. It does not access Lua, and the
/// userdata of files must not be used any more.
void files_close_all(TideState *state);
/// Pushes the three results of a failure, with the path if it is not NULL. For number 0, pushes
/// true.
int file_result(lua_State *L, int failure, const char *path);
/// Waits until a program's channel is ready. Raises an error when the turn is over.
void file_wait(lua_State *L, TideFile *file, short events);

// reading.c
/// Reads according to the formats at the stack indexes from `first` to `last`, and returns the
/// number of pushed results.
int file_read_formats(lua_State *L, TideFile *file, int first, int last);
