#include <string.h>
#include <sys/stat.h>

#include "account.h"

// A database is opened by a path that begins with the descriptor of its folder,
// /proc/self/fd/7/ledger.db, which no link can redirect. SQLite's own file system would replace
// that by the path of the folder; this one leaves it unchanged. The last component is opened
// without following a link.
//
// Temporary files are in memory and count towards the app's limit. SQLite writes sorted data to
// them in parts, so no part of a sort takes long.
//
// Reads check the clock, because some steps of SQLite's machine read a whole file.
//
// A journal beside a database may name another file: the journal of a transaction over several
// databases, which SQLite reads and then deletes, wherever it is. Scripts cannot attach databases,
// so no such file is opened.

static const char NAME[] = "tidelock";

const char *tide_sqlite_file_system(void) { return NAME; }

static sqlite3_vfs *system_files;

// MARK: Files of the system

typedef struct File {
  sqlite3_file base;
  sqlite3_file *real;
} File;

static sqlite3_file *real(sqlite3_file *file) { return ((File *)file)->real; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int file_read(sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
  if (tide_sqlite_is_over()) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), to, count, offset);
}
static int file_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xWrite(real(file), from, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
  return real(file)->pMethods->xSync(real(file), flags);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int file_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
static int file_is_locked(sqlite3_file *file, int *isLocked) {
  return real(file)->pMethods->xCheckReservedLock(real(file), isLocked);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int file_traits(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int file_share(sqlite3_file *file, int page, int size, int extends, void volatile **at) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, at);
}
static int file_lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_unshare(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

/// The second version, without memory mapping, because another program may truncate a mapped file.
static const sqlite3_io_methods file_methods = {
    2,          file_close,     file_read,     file_write,   file_truncate, file_sync,
    file_size,  file_lock,      file_unlock,   file_is_locked, file_control, file_sector,
    file_traits, file_share,    file_lock_shared, file_barrier, file_unshare, NULL, NULL};

// MARK: Temporary files

enum { PIECE = 64 << 10, FEWEST_PIECES = 16 };

typedef struct Scratch {
  sqlite3_file base;
  char **pieces;
  sqlite3_int64 count, room, size;
} Scratch;

static int scratch_close(sqlite3_file *file) {
  Scratch *scratch = (Scratch *)file;
  for (sqlite3_int64 index = 0; index < scratch->count; index++)
    sqlite3_free(scratch->pieces[index]);
  sqlite3_free(scratch->pieces);
  scratch->pieces = NULL;
  scratch->count = scratch->room = 0;
  return SQLITE_OK;
}

static int scratch_read(sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
  Scratch *scratch = (Scratch *)file;
  sqlite3_int64 left = scratch->size > offset ? scratch->size - offset : 0;
  int there = left < count ? (int)left : count;
  for (int done = 0; done < there;) {
    int start = (int)((offset + done) % PIECE);
    int part = PIECE - start < there - done ? PIECE - start : there - done;
    memcpy((char *)to + done, scratch->pieces[(offset + done) / PIECE] + start, (size_t)part);
    done += part;
  }
  if (there == count) return SQLITE_OK;
  memset((char *)to + there, 0, (size_t)(count - there));
  return SQLITE_IOERR_SHORT_READ;
}

static bool scratch_grow(Scratch *scratch, sqlite3_int64 size) {
  sqlite3_int64 wanted = (size + PIECE - 1) / PIECE;
  if (wanted > scratch->room) {
    sqlite3_int64 room = scratch->room ? scratch->room : FEWEST_PIECES;
    while (room < wanted) room *= 2;
    char **pieces = sqlite3_realloc64(scratch->pieces, (sqlite3_uint64)room * sizeof *pieces);
    if (!pieces) return false;
    scratch->pieces = pieces;
    scratch->room = room;
  }
  while (scratch->count < wanted) {
    char *piece = sqlite3_malloc(PIECE);
    if (!piece) return false;
    memset(piece, 0, PIECE);
    scratch->pieces[scratch->count++] = piece;
  }
  return true;
}

static int scratch_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
  Scratch *scratch = (Scratch *)file;
  if (!scratch_grow(scratch, offset + count)) return SQLITE_IOERR_NOMEM;
  for (int done = 0; done < count;) {
    int start = (int)((offset + done) % PIECE);
    int part = PIECE - start < count - done ? PIECE - start : count - done;
    memcpy(scratch->pieces[(offset + done) / PIECE] + start, (const char *)from + done,
           (size_t)part);
    done += part;
  }
  if (offset + count > scratch->size) scratch->size = offset + count;
  return SQLITE_OK;
}

static int scratch_truncate(sqlite3_file *file, sqlite3_int64 size) {
  Scratch *scratch = (Scratch *)file;
  if (size >= scratch->size) return SQLITE_OK;
  sqlite3_int64 kept = (size + PIECE - 1) / PIECE;
  while (scratch->count > kept) sqlite3_free(scratch->pieces[--scratch->count]);
  // A later write beyond the new end must leave zeros in between.
  if (size % PIECE) memset(scratch->pieces[kept - 1] + size % PIECE, 0, PIECE - size % PIECE);
  scratch->size = size;
  return SQLITE_OK;
}

static int scratch_size(sqlite3_file *file, sqlite3_int64 *size) {
  *size = ((Scratch *)file)->size;
  return SQLITE_OK;
}
static int scratch_sync(sqlite3_file *file, int flags) { return SQLITE_OK; }
static int scratch_lock(sqlite3_file *file, int level) { return SQLITE_OK; }
static int scratch_is_locked(sqlite3_file *file, int *isLocked) {
  *isLocked = 0;
  return SQLITE_OK;
}
static int scratch_control(sqlite3_file *file, int operation, void *argument) {
  return SQLITE_NOTFOUND;
}
static int scratch_sector(sqlite3_file *file) { return 4096; }
static int scratch_traits(sqlite3_file *file) { return 0; }

static const sqlite3_io_methods scratch_methods = {
    1,            scratch_close, scratch_read,  scratch_write,     scratch_truncate, scratch_sync,
    scratch_size, scratch_lock,  scratch_lock,  scratch_is_locked, scratch_control,
    scratch_sector, scratch_traits, NULL, NULL, NULL, NULL, NULL, NULL};

// MARK: The file system

/// Whether a path names a link, a pipe, a device or a folder. Opening a pipe may block forever.
static bool is_no_file(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

static int open_file(sqlite3_vfs *files, sqlite3_filename path, sqlite3_file *file, int flags,
                     int *opened) {
  memset(file, 0, (size_t)files->szOsFile);
  if (!path) {
    file->pMethods = &scratch_methods;
    if (opened) *opened = flags;
    return SQLITE_OK;
  }
  if (flags & SQLITE_OPEN_SUPER_JOURNAL || is_no_file(path)) return SQLITE_CANTOPEN;
  File *made = (File *)file;
  made->real = (sqlite3_file *)(made + 1);
  int code = system_files->xOpen(system_files, path, made->real, flags, opened);
  if (code == SQLITE_OK) made->base.pMethods = &file_methods;
  return code;
}

static int delete_file(sqlite3_vfs *files, const char *path, int syncsFolder) {
  return system_files->xDelete(system_files, path, syncsFolder);
}

static int look_for_file(sqlite3_vfs *files, const char *path, int flags, int *answer) {
  return system_files->xAccess(system_files, path, flags, answer);
}

static int full_path(sqlite3_vfs *files, const char *path, int room, char *full) {
  size_t count = strlen(path);
  if (count >= (size_t)room) return SQLITE_CANTOPEN;
  memcpy(full, path, count + 1);
  return SQLITE_OK;
}

static int random_bytes(sqlite3_vfs *files, int count, char *bytes) {
  return system_files->xRandomness(system_files, count, bytes);
}
static int sleep_some(sqlite3_vfs *files, int microseconds) {
  return system_files->xSleep(system_files, microseconds);
}
static int now(sqlite3_vfs *files, double *day) {
  return system_files->xCurrentTime(system_files, day);
}
static int now_in_milliseconds(sqlite3_vfs *files, sqlite3_int64 *time) {
  return system_files->xCurrentTimeInt64(system_files, time);
}
static int last_error(sqlite3_vfs *files, int room, char *text) {
  return system_files->xGetLastError(system_files, room, text);
}

int32_t tide_sqlite_read_start(const char *path, void *bytes, int32_t count) {
  tide_sqlite_start();
  if (!system_files || is_no_file(path)) return -1;
  sqlite3_filename name = sqlite3_create_filename(path, "", "", 0, NULL);
  sqlite3_file *file = sqlite3_malloc(system_files->szOsFile);
  int32_t found = -1;
  if (name && file) {
    memset(file, 0, (size_t)system_files->szOsFile);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    sqlite3_int64 size = 0;
    if (system_files->xOpen(system_files, name, file, flags, &flags) == SQLITE_OK) {
      int code = file->pMethods->xFileSize(file, &size);
      if (size < count) count = (int32_t)size;
      if (code == SQLITE_OK && file->pMethods->xRead(file, bytes, count, 0) == SQLITE_OK)
        found = count;
    }
    if (file->pMethods) file->pMethods->xClose(file);
  }
  sqlite3_free(file);
  sqlite3_free_filename(name);
  return found;
}

void files_register(void) {
  static sqlite3_vfs files = {
      .iVersion = 2, .mxPathname = 512, .zName = NAME, .xOpen = open_file, .xDelete = delete_file,
      .xAccess = look_for_file, .xFullPathname = full_path, .xRandomness = random_bytes,
      .xSleep = sleep_some, .xCurrentTime = now, .xGetLastError = last_error,
      .xCurrentTimeInt64 = now_in_milliseconds};
  system_files = sqlite3_vfs_find("unix");
  if (!system_files) return;
  size_t own = sizeof(File) + (size_t)system_files->szOsFile;
  files.szOsFile = (int)(own > sizeof(Scratch) ? own : sizeof(Scratch));
  sqlite3_vfs_register(&files, 0);
}
