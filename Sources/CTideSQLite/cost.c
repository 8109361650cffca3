#include <stdlib.h>
#include <string.h>

#include "account.h"

// SQLite asks whether to continue only at jumps of its virtual machine. Between two jumps it runs
// one step after the other, and each step may process a whole value: `SELECT x = x, x = x, …` has
// as many such steps as its text has room for. So for a statement with many such steps, values are
// limited to a short length, and the work between two jumps takes at most a few milliseconds.
//
// The duration of a step is estimated from its operation, which EXPLAIN lists. Steps that allocate
// memory for their results check the clock themselves (see account.c). An operation or function
// that is not listed counts as slow.

/// The picoseconds that a step takes for each byte of its values, measured and rounded up.
enum {
  FREE = 0,
  /// Copied without allocation, if the previous allocation is large enough.
  MOVED = 200,
  COMPARED = 200,
  COPIED = 700,
  /// Strings that are compared without regard to case, or to spaces at their end.
  COLLATED = 1200,
  /// A string that is parsed as a number, and then as another kind of number.
  READ = 1400,
  CALCULATED = 2000,
  /// A function with any number of arguments: as many as the machine has loaded.
  EACH = 1 << 24,
  /// A step that loads a value.
  LOAD = 1 << 25,
};

/// The maximum time of a statement between two jumps, in picoseconds.
static const int64_t MOST_TIME = 16000000000;
/// The number of steps up to which the engine's own statements may process longer values.
enum { FEW = 10000 };
/// SQLite allows no lower limit.
enum { SHORTEST = 30 };

typedef struct Cost {
  const char *name;
  int32_t picoseconds;
} Cost;

/// In the order of their names.
static const Cost OPERATIONS[] = {
    {"Add", 2 * CALCULATED}, {"AddImm", FREE}, {"Affinity", FREE}, {"AggFinal", LOAD},
    {"AggInverse", READ}, {"AggStep", READ}, {"AggStep1", READ}, {"AggValue", LOAD},
    {"And", 2 * COPIED}, {"AutoCommit", FREE}, {"BeginSubrtn", FREE}, {"BitAnd", 2 * CALCULATED},
    {"BitNot", CALCULATED}, {"BitOr", 2 * CALCULATED}, {"Blob", LOAD}, {"Cast", CALCULATED},
    {"Checkpoint", FREE},
    {"Clear", FREE}, {"Close", FREE}, {"ClrSubtype", FREE}, {"CollSeq", FREE}, {"Column", LOAD},
    {"ColumnsUsed", FREE}, {"Compare", COMPARED}, {"Concat", COPIED}, {"Copy", LOAD | MOVED},
    {"Count", FREE}, {"CreateBtree", FREE}, {"CursorHint", FREE}, {"CursorLock", FREE},
    {"CursorUnlock", FREE}, {"DecrJumpZero", FREE}, {"DeferredSeek", FREE}, {"Delete", FREE},
    {"Destroy", FREE}, {"Divide", 2 * CALCULATED}, {"DropIndex", FREE}, {"DropTable", FREE},
    {"DropTrigger", FREE}, {"ElseEq", FREE}, {"EndCoroutine", FREE}, {"Eq", COMPARED},
    {"Expire", FREE}, {"Explain", FREE}, {"Filter", FREE}, {"FilterAdd", FREE},
    {"FinishSeek", FREE}, {"FkCheck", FREE}, {"FkCounter", FREE}, {"FkIfZero", FREE},
    {"Found", FREE}, {"Function", READ}, {"Ge", COMPARED}, {"GetSubtype", FREE}, {"Gosub", FREE},
    {"Goto", FREE}, {"Gt", COMPARED}, {"Halt", FREE}, {"HaltIfNull", FREE}, {"IdxDelete", FREE},
    {"IdxGE", FREE}, {"IdxGT", FREE}, {"IdxInsert", MOVED}, {"IdxLE", FREE}, {"IdxLT", FREE},
    {"IdxRowid", FREE}, {"If", COPIED}, {"IfNoHope", FREE}, {"IfNot", COPIED},
    {"IfNotOpen", FREE}, {"IfNotZero", FREE}, {"IfNullRow", FREE}, {"IfPos", FREE},
    {"IfSmaller", FREE}, {"IncrVacuum", FREE}, {"Init", FREE}, {"InitCoroutine", FREE},
    {"Insert", MOVED}, {"Int64", FREE}, {"IntCopy", FREE}, {"Integer", FREE},
    {"IntegrityCk", FREE}, {"IsNull", FREE}, {"IsTrue", COPIED}, {"IsType", FREE},
    {"JournalMode", FREE}, {"Jump", FREE}, {"Last", FREE}, {"Le", COMPARED},
    {"LoadAnalysis", FREE}, {"Lt", COMPARED}, {"MakeRecord", FREE}, {"MaxPgcnt", FREE},
    {"MemMax", FREE}, {"Move", LOAD}, {"Multiply", 2 * CALCULATED}, {"MustBeInt", READ},
    {"Ne", COMPARED}, {"NewRowid", FREE}, {"Next", FREE}, {"NoConflict", FREE}, {"Noop", FREE},
    {"Not", COPIED}, {"NotExists", FREE}, {"NotFound", FREE}, {"NotNull", FREE}, {"Null", FREE},
    {"NullRow", FREE}, {"Offset", FREE}, {"OffsetLimit", FREE}, {"Once", FREE},
    {"OpenAutoindex", FREE}, {"OpenDup", FREE}, {"OpenEphemeral", FREE}, {"OpenPseudo", FREE},
    {"OpenRead", FREE}, {"OpenWrite", FREE}, {"Or", 2 * COPIED}, {"Pagecount", FREE},
    {"Param", FREE}, {"ParseSchema", FREE}, {"Permutation", FREE}, {"Prev", FREE},
    {"Program", FREE}, {"PureFunc", READ}, {"ReadCookie", FREE}, {"Real", FREE},
    {"RealAffinity", FREE}, {"ReleaseReg", FREE}, {"Remainder", 2 * CALCULATED},
    {"ReopenIdx", FREE},
    {"ResetCount", FREE}, {"ResetSorter", FREE}, {"ResultRow", FREE}, {"Return", FREE},
    {"Rewind", FREE}, {"RowCell", FREE}, {"RowData", LOAD | MOVED}, {"RowSetAdd", FREE},
    {"RowSetRead", FREE}, {"RowSetTest", FREE}, {"Rowid", FREE}, {"SCopy", LOAD},
    {"Savepoint", FREE}, {"SeekEnd", FREE}, {"SeekGE", READ}, {"SeekGT", READ},
    {"SeekHit", FREE}, {"SeekLE", READ}, {"SeekLT", READ}, {"SeekRowid", READ},
    {"SeekScan", FREE}, {"Sequence", FREE}, {"SequenceTest", FREE}, {"SetCookie", FREE},
    {"ShiftLeft", 2 * CALCULATED}, {"ShiftRight", 2 * CALCULATED}, {"SoftNull", FREE},
    {"Sort", FREE},
    {"SorterCompare", COMPARED}, {"SorterData", MOVED}, {"SorterInsert", MOVED},
    {"SorterNext", FREE}, {"SorterOpen", FREE}, {"SorterSort", FREE}, {"SqlExec", FREE},
    {"String", LOAD}, {"String8", LOAD}, {"Subtract", 2 * CALCULATED}, {"TableLock", FREE},
    {"Trace", FREE}, {"Transaction", FREE}, {"TypeCheck", FREE}, {"VColumn", LOAD | MOVED},
    {"VFilter", READ}, {"VInitIn", FREE}, {"VNext", FREE}, {"VOpen", FREE}, {"Vacuum", FREE},
    {"Variable", LOAD}, {"Yield", FREE}, {"ZeroOrNull", FREE},
};

/// Functions, in the order of their names. Those with EACH have any number of arguments. The
/// functions in functions.c check the clock themselves.
static const Cost FUNCTIONS[] = {
    {"abs", READ}, {"avg", 2 * READ}, {"changes", FREE}, {"char", EACH | READ}, {"count", FREE},
    {"cume_dist", FREE}, {"date", EACH | READ}, {"datetime", EACH | READ},
    {"dense_rank", FREE}, {"first_value", FREE}, {"format", READ}, {"glob", FREE},
    {"group_concat", 2 * COPIED}, {"hex", FREE}, {"instr", READ}, {"julianday", EACH | READ},
    {"lag", FREE}, {"last_insert_rowid", FREE}, {"last_value", FREE}, {"lead", FREE},
    {"length", FREE}, {"like", FREE}, {"likelihood", FREE}, {"likely", FREE}, {"lower", FREE},
    {"ltrim", FREE}, {"max", EACH | COMPARED}, {"min", EACH | COMPARED}, {"nth_value", FREE},
    {"ntile", FREE}, {"percent_rank", FREE}, {"pi", FREE}, {"printf", READ}, {"quote", FREE},
    {"random", FREE}, {"randomblob", READ}, {"rank", FREE}, {"replace", READ},
    {"row_number", FREE}, {"rtrim", FREE}, {"soundex", 12000}, {"sqlite_version", FREE},
    {"strftime", EACH | READ}, {"substr", READ}, {"substring", READ}, {"sum", 2 * READ},
    {"time", EACH | READ}, {"total", 2 * READ}, {"total_changes", FREE}, {"trim", FREE},
    {"typeof", FREE}, {"unicode", COMPARED}, {"unixepoch", EACH | READ}, {"unlikely", FREE},
    {"upper", FREE}, {"zeroblob", READ},
};

/// The cost of operations and functions that are not listed.
enum { UNKNOWN = 4 * READ, JSON = EACH | 2 * READ };

static int compare_names(const void *a, const void *b) {
  return strcmp(((const Cost *)a)->name, ((const Cost *)b)->name);
}

static int32_t find_cost(const Cost *costs, size_t count, const char *name, int32_t otherwise) {
  Cost wanted = {name, 0};
  const Cost *found = bsearch(&wanted, costs, count, sizeof *costs, compare_names);
  return found ? found->picoseconds : otherwise;
}

/// A step of a statement, from EXPLAIN.
typedef struct Step {
  const char *operation, *argument;
  int32_t first, second, third, flags;
} Step;

static int32_t function_cost(const char *call) {
  char name[32];
  size_t length = strcspn(call, "(");
  if (length >= sizeof name) return UNKNOWN;
  memcpy(name, call, length);
  name[length] = 0;
  if (strncmp(name, "json", 4) == 0 || strncmp(name, "->", 2) == 0) return JSON;
  int32_t cost = find_cost(FUNCTIONS, sizeof FUNCTIONS / sizeof *FUNCTIONS, name, UNKNOWN);
  // An aggregate function is called for each row.
  return strstr(call, "(1)") ? cost & ~EACH : cost;
}

static int32_t comparison_cost(const Step *step) {
  enum { AFFINITY = 0x47, NUMERIC = 0x43 };
  if ((step->flags & AFFINITY) >= NUMERIC) return 2 * READ;
  return strstr(step->argument, "NOCASE") || strstr(step->argument, "RTRIM") ? COLLATED : COMPARED;
}

/// Each letter stands for a value; letters after B are for numbers.
static int32_t count_numbers(const char *letters) {
  int32_t count = 0;
  for (; *letters; letters++) count += *letters > 'B';
  return count;
}

static int32_t step_cost(const Step *step) {
  int32_t cost = find_cost(OPERATIONS, sizeof OPERATIONS / sizeof *OPERATIONS, step->operation,
                           UNKNOWN);
  const char *name = step->operation;
  if (cost == COMPARED && strcmp(name, "Compare") == 0) {
    bool isPlain = !strstr(step->argument, "NOCASE") && !strstr(step->argument, "RTRIM");
    return (isPlain ? COMPARED : COLLATED) * (step->third > 1 ? step->third : 1);
  }
  if (cost == COMPARED) return comparison_cost(step);
  if (strcmp(name, "VFilter") == 0) return JSON;
  if (strcmp(name, "Function") == 0 || strcmp(name, "PureFunc") == 0 ||
      strncmp(name, "AggStep", 7) == 0 || strcmp(name, "AggInverse") == 0)
    return function_cost(step->argument);
  return cost;
}

enum { CURSORS = 16, COLUMNS = 64, PARAMETERS = 512 };

typedef struct Sum {
  int64_t picoseconds;
  /// The columns that were read. All columns of a row together are at most as long as one value, so
  /// only the first column counts, and each column that is read again.
  bool isRead[CURSORS][COLUMNS], isRowRead[CURSORS];
  /// The rate of the functions with any number of arguments, for each argument.
  int32_t each;
  /// The number of values loaded, which is the maximum number of arguments.
  int64_t loads;
  /// The longest blob in the statement's text, to which no limit applies.
  int64_t longest;
  /// The number of columns whose values are converted to numbers, and the number of steps that do
  /// so.
  int64_t columns, conversions;
  /// Whether a value does not come from a parameter, or a parameter is loaded twice.
  bool hasOthers, isLoaded[PARAMETERS];
  bool runsOthers;
} Sum;

static void add_column(Sum *sum, const Step *step) {
  uint32_t cursor = (uint32_t)step->first, column = (uint32_t)step->second;
  sum->loads++;
  sum->hasOthers = true;
  bool isKnown = cursor < CURSORS && column < COLUMNS;
  if (!isKnown || sum->isRead[cursor][column] || !sum->isRowRead[cursor])
    sum->picoseconds += MOVED;
  if (isKnown) sum->isRead[cursor][column] = sum->isRowRead[cursor] = true;
}

static void add_step(Sum *sum, const Step *step) {
  const char *name = step->operation;
  if (strcmp(name, "Column") == 0) return add_column(sum, step);
  // Both may convert their values before they are stored in a record.
  if (strcmp(name, "Affinity") == 0 || strcmp(name, "MakeRecord") == 0) {
    int32_t count = count_numbers(step->argument);
    sum->columns += count;
    sum->conversions += count > 0;
    if (*name == 'M') sum->picoseconds += MOVED;
    return;
  }
  int32_t cost = step_cost(step), rate = cost & ~(EACH | LOAD);
  int32_t count = strcmp(name, "Copy") == 0 ? step->third + 1 : 1;
  if (strcmp(name, "Variable") == 0) {
    // In a list of values, each parameter occurs once.
    uint32_t parameter = (uint32_t)step->first;
    if (parameter >= PARAMETERS || sum->isLoaded[parameter]) sum->hasOthers = true;
    if (parameter < PARAMETERS) sum->isLoaded[parameter] = true;
  } else if (cost & LOAD && strncmp(name, "String", 6) && strcmp(name, "SCopy")) {
    sum->hasOthers = true;
  } else if (rate > MOVED && strcmp(name, "MustBeInt")) {
    sum->hasOthers = true;
  }
  if (cost & EACH && rate > sum->each) sum->each = rate;
  sum->picoseconds += (int64_t)rate * count;
  // A step that creates a value loads it, too.
  if (cost) sum->loads += count;
  if (strcmp(name, "Blob") == 0 && step->first > sum->longest) sum->longest = step->first;
  if (strcmp(name, "Vacuum") == 0 || strcmp(name, "SqlExec") == 0 ||
      strcmp(name, "ParseSchema") == 0 || strcmp(name, "LoadAnalysis") == 0)
    sum->runsOthers = true;
}

static const char *column(sqlite3_stmt *list, int index) {
  const char *text = (const char *)sqlite3_column_text(list, index);
  return text ? text : "";
}

enum { LISTED_BETWEEN_LOOKS = 256 };

static int add_all(Sum *sum, sqlite3_stmt *list) {
  for (uint32_t count = 1;; count++) {
    int code = sqlite3_step(list);
    if (code != SQLITE_ROW) return code == SQLITE_DONE ? SQLITE_OK : code;
    if (count % LISTED_BETWEEN_LOOKS == 0 && tide_sqlite_is_over()) return SQLITE_INTERRUPT;
    Step step = {column(list, 1), column(list, 5), sqlite3_column_int(list, 2),
                 sqlite3_column_int(list, 3), sqlite3_column_int(list, 4),
                 sqlite3_column_int(list, 6)};
    add_step(sum, &step);
  }
}

int32_t tide_sqlite_measure(sqlite3 *database, const char *sql, int32_t length, int32_t most,
                            bool isOwn, TideSQLiteCost *cost) {
  *cost = (TideSQLiteCost){.longest = most};
  char *text = sqlite3_mprintf("EXPLAIN %.*s", length, sql);
  if (!text) return SQLITE_NOMEM;
  sqlite3_stmt *list = NULL;
  // The text is slightly longer than the statement, which may have the maximum length.
  int longest = sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, -1);
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, longest + 16);
  int code = sqlite3_prepare_v2(database, text, -1, &list, NULL);
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, longest);
  sqlite3_free(text);
  Sum sum = {0};
  if (code == SQLITE_OK) code = add_all(&sum, list);
  sqlite3_finalize(list);
  if (code != SQLITE_OK) return code;
  cost->runsOthers = sum.runsOthers;
  int64_t all = sum.picoseconds + sum.each * sum.loads;
  // The time for parameters that are loaded once depends on their total length.
  bool isSum = !sum.hasOthers && sum.columns > 0;
  all += READ * (isSum ? sum.conversions : sum.columns);
  if (all == 0 || (isOwn && all <= FEW)) return SQLITE_OK;
  int64_t fits = MOST_TIME / all;
  if (fits < SHORTEST || fits < sum.longest) return SQLITE_TOOBIG;
  if (fits >= most) return SQLITE_OK;
  cost->longest = (int32_t)fits;
  cost->isSum = isSum;
  return SQLITE_OK;
}
