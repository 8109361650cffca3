#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "TideWork.h"
#include "account.h"

// Each block begins with its length and its account:
//
//     Block │ length │ account ─▶ TideSQLiteAccount { claims, used, limit }
//           ├────────┴────────
//           │ what SQLite sees
//
// The account of a block is that of the connection in use at the time of its allocation. A block
// may be freed by another thread, and after its app has ended. So an account counts claims: its
// bytes, and one for its owner. Dropping the last claim frees the account.

struct TideSQLiteAccount {
  _Atomic(uint64_t) claims;
  _Atomic(uint64_t) used;
  _Atomic(uint64_t) limit;
};

typedef union Block {
  struct {
    uint64_t length;
    TideSQLiteAccount *account;
  };
  max_align_t alignment;
} Block;

static _Thread_local TideSQLiteUse *current_use;
static _Thread_local uint32_t requests;

enum { REQUESTS_BETWEEN_LOOKS = 32, LONG_BLOCK = 64 << 10 };

// MARK: Accounts

TideSQLiteAccount *tide_account_make(void) {
  TideSQLiteAccount *account = calloc(1, sizeof *account);
  if (!account) return NULL;
  atomic_init(&account->claims, 1);
  atomic_init(&account->limit, UINT64_MAX);
  return account;
}

static void drop_claims(TideSQLiteAccount *account, uint64_t count) {
  if (atomic_fetch_sub_explicit(&account->claims, count, memory_order_acq_rel) == count)
    free(account);
}

void tide_account_release(TideSQLiteAccount *account) { drop_claims(account, 1); }

const uint64_t *tide_account_bytes(const TideSQLiteAccount *account) {
  return (const uint64_t *)&account->used;
}

uint64_t tide_account_used(const TideSQLiteAccount *account) {
  return atomic_load_explicit(&account->used, memory_order_relaxed);
}

void tide_account_set_limit(TideSQLiteAccount *account, uint64_t bytes) {
  atomic_store_explicit(&account->limit, bytes, memory_order_relaxed);
}

bool tide_account_reserve(TideSQLiteAccount *account, uint64_t bytes) {
  uint64_t limit = atomic_load_explicit(&account->limit, memory_order_relaxed);
  uint64_t before = atomic_fetch_add_explicit(&account->used, bytes, memory_order_relaxed);
  if (before + bytes > limit) {
    atomic_fetch_sub_explicit(&account->used, bytes, memory_order_relaxed);
    return false;
  }
  atomic_fetch_add_explicit(&account->claims, bytes, memory_order_relaxed);
  return true;
}

void tide_account_give_back(TideSQLiteAccount *account, uint64_t bytes) {
  atomic_fetch_sub_explicit(&account->used, bytes, memory_order_relaxed);
  drop_claims(account, bytes);
}

// MARK: Uses

void tide_sqlite_begin_use(TideSQLiteUse *use) {
  use->outer = current_use;
  current_use = use;
}

void tide_sqlite_end_use(TideSQLiteUse *use) { current_use = use->outer; }

void tide_sqlite_end(int32_t *ending) { __atomic_store_n(ending, 1, __ATOMIC_RELAXED); }

uint64_t tide_sqlite_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// A clock that is a few milliseconds behind but fast to read.
static uint64_t coarse_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool is_over(TideSQLiteUse *use) {
  if (!use || !use->isTimed) return false;
  if (use->wasStopped) return true;
  use->wasStopped = (use->ending && __atomic_load_n(use->ending, __ATOMIC_RELAXED)) ||
                    (use->deadline && coarse_now() > use->deadline) || tide_work_is_over();
  return use->wasStopped;
}

bool tide_sqlite_is_over(void) { return is_over(current_use); }

bool tide_sqlite_turn_is_over(void) {
  TideSQLiteUse *use = current_use;
  while (use && !use->isTimed) use = use->outer;
  return use ? is_over(use) : tide_work_is_over();
}

// MARK: The allocator

/// Whether an allocation may proceed. SQLite prepares a statement without asking whether to
/// continue, but each step of that allocates memory.
static bool may_take(uint64_t length) {
  if (++requests % REQUESTS_BETWEEN_LOOKS && length < LONG_BLOCK) return true;
  return !tide_sqlite_is_over();
}

static void *take(int length) {
  if (length <= 0) return NULL;
  TideSQLiteAccount *account = current_use ? current_use->account : NULL;
  if (account && (!may_take((uint64_t)length) ||
                  !tide_account_reserve(account, (uint64_t)length + sizeof(Block))))
    return NULL;
  Block *block = malloc((size_t)length + sizeof *block);
  if (!block) {
    if (account) tide_account_give_back(account, (uint64_t)length + sizeof *block);
    return NULL;
  }
  block->length = (uint64_t)length;
  block->account = account;
  return block + 1;
}

static void give(void *memory) {
  if (!memory) return;
  Block *block = (Block *)memory - 1;
  TideSQLiteAccount *account = block->account;
  uint64_t length = block->length + sizeof *block;
  free(block);
  if (account) tide_account_give_back(account, length);
}

static void *resize(void *memory, int length) {
  if (!memory) return take(length);
  if (length <= 0) {
    give(memory);
    return NULL;
  }
  Block *block = (Block *)memory - 1;
  TideSQLiteAccount *account = block->account;
  uint64_t before = block->length, after = (uint64_t)length;
  if (account && after > before &&
      (!may_take(after) || !tide_account_reserve(account, after - before)))
    return NULL;
  Block *moved = realloc(block, (size_t)length + sizeof *block);
  if (!moved) {
    if (account && after > before) tide_account_give_back(account, after - before);
    return NULL;
  }
  moved->length = after;
  if (account && after < before) tide_account_give_back(account, before - after);
  return moved + 1;
}

static int length_of(void *memory) {
  return memory ? (int)((Block *)memory - 1)->length : 0;
}

static int round_up(int length) { return (length + 7) & ~7; }
static int begin(void *context) { return SQLITE_OK; }
static void end(void *context) {}

// MARK: The start

static bool counts_memory;

static void start(void) {
  static const sqlite3_mem_methods methods = {
      .xMalloc = take, .xFree = give, .xRealloc = resize, .xSize = length_of,
      .xRoundup = round_up, .xInit = begin, .xShutdown = end};
  counts_memory = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
  // The accounts count instead, without a lock that all threads share.
  if (counts_memory) sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_initialize();
  files_register();
  guard_list_others();
}

bool tide_sqlite_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return counts_memory;
}
