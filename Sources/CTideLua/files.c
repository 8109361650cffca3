#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access.h"
#include "files.h"
#include "guards.h"
#include "sandbox.h"

// The library `io`: files below the allowed folders, and programs if running them is allowed. Only
// regular files are opened, so only a program can block a script, and waiting for a program ends
// with the turn. Writes are unbuffered.

enum { BLOCK = 1 << 16, MOST_FILES = 64 };

static const char *const kind = LUA_FILEHANDLE;

// Open files are also listed outside of Lua's memory, so that a state that is dropped as a whole
// can close them without access to its userdata.
struct TideFiles {
  struct OpenFile {
    int descriptor;  // -1: the entry is free
    ChildProcess child;
    bool isProgram;
  } entries[MOST_FILES];
};

static void open_file_close(struct OpenFile *open) {
  if (open->descriptor < 0) return;
  if (open->isProgram)
    process_kill(&open->child);
  else
    close(open->descriptor);
  open->descriptor = -1;
}

void files_close_all(TideState *state) {
  if (!state->outside.files) return;
  for (uint32_t i = 0; i < MOST_FILES; i++) open_file_close(&state->outside.files->entries[i]);
  free(state->outside.files);
  state->outside.files = NULL;
  state->outside.fileCount = 0;
}

static TideFile *file_at(lua_State *L, int index) { return luaL_checkudata(L, index, kind); }

static TideFile *open_file(lua_State *L, int index) {
  TideFile *file = file_at(L, index);
  if (file->descriptor < 0) luaL_error(L, "attempt to use a closed file");
  return file;
}

/// Creates a closed file, which is pushed before the descriptor is opened, so that the descriptor
/// has an owner.
static TideFile *new_file(lua_State *L) {
  TideState *state = state_of(L);
  if (state->outside.fileCount >= MOST_FILES) {
    // A collection finalizes unreferenced files, which closes them.
    if (guards_admit_collection(state)) lua_gc(L, LUA_GCCOLLECT, 0);
    if (state->outside.fileCount >= MOST_FILES)
      luaL_error(L, "more than %d files are open; close some", MOST_FILES);
  }
  TideFile *file = lua_newuserdatauv(L, sizeof *file, 0);
  file->state = state;
  file->descriptor = -1;
  file->child = (ChildProcess){.channel = -1};
  file->isProgram = file->reads = file->writes = false;
  file->start = file->end = 0;
  luaL_setmetatable(L, kind);
  return file;
}

/// The list of open files, which is allocated for the first file with room for the maximum. Returns
/// NULL if memory runs out.
static struct TideFiles *list_of(TideState *state) {
  if (state->outside.files) return state->outside.files;
  struct TideFiles *made = malloc(sizeof *made);
  for (uint32_t i = 0; made && i < MOST_FILES; i++) made->entries[i].descriptor = -1;
  return state->outside.files = made;
}

static void begin(lua_State *L, TideFile *file, int descriptor, bool reads, bool writes) {
  struct OpenFile opened = {
      .descriptor = descriptor, .child = file->child, .isProgram = file->isProgram};
  struct TideFiles *list = list_of(file->state);
  if (!list) {
    open_file_close(&opened);
    luaL_error(L, "not enough memory");
    return;
  }
  for (file->entry = 0; list->entries[file->entry].descriptor >= 0;) file->entry++;
  list->entries[file->entry] = opened;
  file->descriptor = descriptor;
  file->reads = reads;
  file->writes = writes;
  file->state->outside.fileCount++;
}

/// Removes a file from the list, and frees the list with its last entry.
static void forget(TideFile *file) {
  TideState *state = file->state;
  state->outside.files->entries[file->entry].descriptor = -1;
  file->descriptor = -1;
  if (--state->outside.fileCount) return;
  free(state->outside.files);
  state->outside.files = NULL;
}

static void let_go(TideFile *file) {
  if (file->descriptor < 0) return;
  open_file_close(&file->state->outside.files->entries[file->entry]);
  forget(file);
}

int file_result(lua_State *L, int failure, const char *path) {
  if (!failure) {
    lua_pushboolean(L, 1);
    return 1;
  }
  luaL_pushfail(L);
  if (path)
    lua_pushfstring(L, "%s: %s", path, strerror(failure));
  else
    lua_pushstring(L, strerror(failure));
  lua_pushinteger(L, failure);
  return 3;
}

// MARK: Writing

void file_wait(lua_State *L, TideFile *file, short events) {
  enum { LONGEST_WAIT = 20 };
  struct pollfd entry = {.fd = file->descriptor, .events = events};
  do
    clock_look(L, &file->state->budget);
  while (poll(&entry, 1, LONGEST_WAIT) <= 0);
}

static int write_all(lua_State *L, TideFile *file, const char *text, size_t count) {
  // The script has not consumed the bytes that were read ahead.
  if (file->start < file->end && !file->isProgram)
    lseek(file->descriptor, -(off_t)(file->end - file->start), SEEK_CUR);
  file->start = file->end = 0;
  while (count) {
    clock_look(L, &file->state->budget);
    size_t part = count < BLOCK ? count : BLOCK;
    ssize_t done = file->isProgram ? send(file->descriptor, text, part, MSG_NOSIGNAL)
                                   : write(file->descriptor, text, part);
    if (done >= 0) {
      text += done;
      count -= (size_t)done;
    } else if (errno == EAGAIN && file->isProgram) {
      file_wait(L, file, POLLOUT);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// MARK: Methods

static int file_read(lua_State *L) {
  return file_read_formats(L, open_file(L, 1), 2, lua_gettop(L));
}

static int file_write(lua_State *L) {
  TideFile *file = open_file(L, 1);
  int failure = file->writes ? 0 : EBADF, last = lua_gettop(L);
  for (int index = 2; index <= last && !failure; index++) {
    size_t count;
    luaL_checklstring(L, index, &count);
    failure = write_all(L, file, lua_tolstring(L, index, &count), count);
  }
  if (failure) return file_result(L, failure, NULL);
  lua_settop(L, 1);
  return 1;
}

static int file_seek(lua_State *L) {
  static const int modes[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  static const char *const names[] = {"set", "cur", "end", NULL};
  TideFile *file = open_file(L, 1);
  int mode = modes[luaL_checkoption(L, 2, "cur", names)];
  off_t offset = (off_t)luaL_optinteger(L, 3, 0);
  if (mode == SEEK_CUR) offset -= (off_t)(file->end - file->start);
  off_t reached = lseek(file->descriptor, offset, mode);
  if (reached < 0) return file_result(L, errno, NULL);
  file->start = file->end = 0;
  lua_pushinteger(L, (lua_Integer)reached);
  return 1;
}

static int file_close(lua_State *L) {
  TideFile *file = open_file(L, 1);
  if (!file->isProgram) {
    let_go(file);
    lua_pushboolean(L, 1);
    return 1;
  }
  forget(file);
  return process_finish(L, &file->child);
}

static int file_collect(lua_State *L) {
  let_go(file_at(L, 1));
  return 0;
}

/// Does nothing, because writes are unbuffered.
static int file_flush(lua_State *L) {
  open_file(L, 1);
  lua_settop(L, 1);
  return 1;
}

static int file_setvbuf(lua_State *L) {
  open_file(L, 1);
  lua_pushboolean(L, 1);
  return 1;
}

static int file_tostring(lua_State *L) {
  TideFile *file = file_at(L, 1);
  if (file->descriptor < 0)
    lua_pushliteral(L, "file (closed)");
  else
    // Identified by the descriptor, which reveals no address.
    lua_pushfstring(L, "file (%d)", file->descriptor);
  return 1;
}

/// Upvalues: the file, whether to close it at the end, the number of formats, and the formats.
static int next_line(lua_State *L) {
  TideFile *file = file_at(L, lua_upvalueindex(1));
  if (file->descriptor < 0) return luaL_error(L, "file is already closed");
  lua_settop(L, 1);
  int formats = (int)lua_tointeger(L, lua_upvalueindex(3));
  luaL_checkstack(L, formats + LUA_MINSTACK, "too many arguments");
  for (int i = 1; i <= formats; i++) lua_pushvalue(L, lua_upvalueindex(3 + i));
  int count = file_read_formats(L, file, 2, formats + 1);
  if (lua_toboolean(L, -count)) return count;
  if (count > 1) return luaL_error(L, "%s", lua_tostring(L, -count + 1));
  if (lua_toboolean(L, lua_upvalueindex(2))) let_go(file);
  return 0;
}

enum { MOST_FORMATS = 200 };

/// Creates an iterator over the file at index 1 with the formats after it.
static void push_lines(lua_State *L, bool closes) {
  int formats = lua_gettop(L) - 1;
  luaL_argcheck(L, formats <= MOST_FORMATS, MOST_FORMATS + 2, "too many arguments");
  lua_pushvalue(L, 1);
  lua_pushboolean(L, closes);
  lua_pushinteger(L, formats);
  lua_rotate(L, 2, 3);
  lua_pushcclosure(L, next_line, 3 + formats);
}

static int file_lines(lua_State *L) {
  open_file(L, 1);
  push_lines(L, false);
  return 1;
}

// MARK: The library

/// The access required for a mode, and the flags to open with; 0 for an invalid mode.
static uint32_t parse_mode(const char *mode, int *flags) {
  bool both = mode[1] == '+';
  const char *rest = mode + 1 + both;
  if (*rest == 'b') rest++;
  if (*rest) return 0;
  *flags = both ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  if (*mode == 'a') *flags |= O_APPEND;
  if (*mode == 'w' || *mode == 'a') *flags |= O_CREAT;
  uint32_t wanted = *mode == 'r' ? TIDE_ALLOW_READ : TIDE_ALLOW_WRITE;
  if (both) wanted = TIDE_ALLOW_READ | TIDE_ALLOW_WRITE;
  return strchr("rwa", *mode) ? wanted : 0;
}

/// Opens a file. Returns 0, an error number, or -1 for anything but a regular file.
static int open_target(const AccessTarget *target, int flags, bool empties, int *opened) {
  int descriptor = access_open(target, flags);
  if (descriptor < 0) return errno == ENXIO ? -1 : errno;
  struct stat status;
  int failure = fstat(descriptor, &status) == 0 ? 0 : errno;
  if (!failure && S_ISDIR(status.st_mode)) failure = EISDIR;
  if (!failure && !S_ISREG(status.st_mode)) failure = -1;
  if (!failure && empties && ftruncate(descriptor, 0) != 0) failure = errno;
  if (failure)
    close(descriptor);
  else
    *opened = descriptor;
  return failure;
}

/// Opens the file whose path is at index 1, and pushes it. Returns 0 or an error number.
static int open_path(lua_State *L, const char *mode) {
  const char *path = access_path(L, 1);
  int flags;
  uint32_t wanted = parse_mode(mode, &flags);
  luaL_argcheck(L, wanted, 2, "invalid mode");
  TideFile *file = new_file(L);
  AccessTarget target;
  int failure = access_find(file->state, path, wanted, true, &target);
  if (target.refused) return access_refuse(L, path, &target);
  if (failure) return failure;
  int descriptor;
  failure = open_target(&target, flags, *mode == 'w', &descriptor);
  close(target.folder);
  if (failure < 0)
    return luaL_error(L, "\"%s\" is not a regular file; only those can be opened", path);
  if (!failure) begin(L, file, descriptor, wanted & TIDE_ALLOW_READ, wanted & TIDE_ALLOW_WRITE);
  return failure;
}

static int io_open(lua_State *L) {
  int failure = open_path(L, luaL_optstring(L, 2, "r"));
  return failure ? file_result(L, failure, lua_tostring(L, 1)) : 1;
}

static int io_lines(lua_State *L) {
  if (lua_isnoneornil(L, 1))
    return luaL_error(L, "there is no standard input to read; give io.lines a path");
  int formats = lua_gettop(L) - 1;
  int failure = open_path(L, "r");
  if (failure) return luaL_error(L, "%s: %s", lua_tostring(L, 1), strerror(failure));
  // path, formats…, file become file, formats…
  lua_replace(L, 1);
  lua_settop(L, formats + 1);
  push_lines(L, true);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushvalue(L, 1);
  return 4;
}

static void note_blocking(lua_State *L, const char *function) {
  TideState *state = state_of(L);
  state->callbacks++;
  state->host.block(state->host.owner, function);
  state->callbacks--;
}

static int io_popen(lua_State *L) {
  const char *command = luaL_checkstring(L, 1), *mode = luaL_optstring(L, 2, "r");
  luaL_argcheck(L, (*mode == 'r' || *mode == 'w') && !mode[1], 2, "invalid mode");
  if (!access_has(state_of(L), TIDE_ALLOW_RUN, NULL))
    return luaL_error(L, "running \"%s\" is not allowed; %s run", command,
                      access_remedy(state_of(L)));
  if (state_of(L)->coroutines.canSuspend && lua_isyieldable(L)) note_blocking(L, "io.popen");
  TideFile *file = new_file(L);
  int failure = process_start(state_of(L), command, *mode, &file->child);
  if (failure) return file_result(L, failure, command);
  file->isProgram = true;
  begin(L, file, file->child.channel, *mode == 'r', *mode == 'w');
  return 1;
}

static int io_tmpfile(lua_State *L) {
  const TideAllowance *folder = access_scratch(L, "io.tmpfile");
  TideFile *file = new_file(L);
  int descriptor = access_open_scratch(folder->folder, NULL);
  if (descriptor < 0) return file_result(L, errno, NULL);
  begin(L, file, descriptor, true, true);
  return 1;
}

static int io_close(lua_State *L) {
  luaL_checkany(L, 1);
  return file_close(L);
}

static int io_type(lua_State *L) {
  luaL_checkany(L, 1);
  TideFile *file = luaL_testudata(L, 1, kind);
  if (file)
    lua_pushstring(L, file->descriptor < 0 ? "closed file" : "file");
  else
    luaL_pushfail(L);
  return 1;
}

static int no_input(lua_State *L) {
  return luaL_error(L, "standard input is the app's; open a file with io.open");
}

static int no_output(lua_State *L) {
  return luaL_error(L, "standard output is the app's; use print, or open a file with io.open");
}

static void make_metatable(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"read", file_read},   {"write", file_write}, {"lines", file_lines},
      {"seek", file_seek},   {"close", file_close}, {"flush", file_flush},
      {"setvbuf", file_setvbuf}, {NULL, NULL},
  };
  static const luaL_Reg metamethods[] = {
      {"__gc", file_collect}, {"__close", file_collect}, {"__tostring", file_tostring},
      {NULL, NULL},
  };
  luaL_newmetatable(L, kind);
  luaL_setfuncs(L, metamethods, 0);
  lua_createtable(L, 0, 8);
  luaL_setfuncs(L, methods, 0);
  functions_close(L);
  sandbox_seal(L, "file");
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void files_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"open", io_open},       {"lines", io_lines},   {"popen", io_popen},
      {"tmpfile", io_tmpfile}, {"close", io_close},   {"type", io_type},
      {"read", no_input},      {"input", no_input},   {"write", no_output},
      {"output", no_output},   {NULL, NULL},
  };
  make_metatable(L);
  lua_createtable(L, 0, 10);
  luaL_setfuncs(L, functions, 0);
}
