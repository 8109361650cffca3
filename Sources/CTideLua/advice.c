#define _GNU_SOURCE

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "advice.h"

// Lua's messages name the token at which reading ended. Often the token before it is wrong: a
// misspelt keyword, or a sign of another language.

typedef struct Token {
  enum { TOKEN_NONE, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN, TOKEN_END } kind;
  const char *start;
  size_t count;
  int32_t line, column;
} Token;

typedef struct Reader {
  const char *next, *end, *lineStart;
  int32_t line;
} Reader;

static const char *const keywords[] = {
    "and",   "break", "do",  "else", "elseif", "end",    "false", "for",  "function", "goto",  "if",
    "in",    "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until",
    "while", NULL};

/// The words of other languages.
static const char *const foreign[][2] = {
    {"var", "local"},     {"let", "local"},   {"const", "local"}, {"def", "function"},
    {"func", "function"}, {"fn", "function"}, {"elif", "elseif"}, {"elsif", "elseif"},
    {"endif", "end"},     {"foreach", "for"}, {NULL, NULL}};

static bool is(const Token *token, const char *text) {
  return token->count == strlen(text) && !memcmp(token->start, text, token->count);
}

static bool is_in(const Token *token, const char *const *words) {
  for (; *words; words++) {
    if (is(token, *words)) return true;
  }
  return false;
}

static bool is_keyword(const Token *token) {
  return token->kind == TOKEN_WORD && is_in(token, keywords);
}

static bool is_name(const Token *token) {
  return token->kind == TOKEN_WORD && !is_in(token, keywords);
}

/// Whether a word is a keyword with two letters swapped, one repeated, left out or changed, or in
/// capitals. Any other letter that is added makes an ordinary word: `send`, `form`, `note`.
static bool is_slip(const Token *token, const char *word, bool onlySwaps) {
  const char *name = token->start;
  size_t nameCount = token->count, wordCount = strlen(word);
  if (nameCount == wordCount && !strncasecmp(name, word, wordCount)) return true;
  size_t start = 0;
  while (start < nameCount && start < wordCount && name[start] == word[start]) start++;
  if (nameCount == wordCount) {
    size_t rest = nameCount - start;
    if (rest > 1 && name[start] == word[start + 1] && name[start + 1] == word[start] &&
        !memcmp(name + start + 2, word + start + 2, rest - 2)) {
      return true;
    }
    return !onlySwaps && wordCount > 3 && !memcmp(name + start + 1, word + start + 1, rest - 1);
  }
  if (onlySwaps || wordCount < 3 || nameCount < 2) return false;
  if (nameCount == wordCount + 1) {
    return start > 0 && name[start] == name[start - 1] &&
           !memcmp(name + start + 1, word + start, wordCount - start);
  }
  return wordCount == nameCount + 1 && !memcmp(name + start, word + start + 1, nameCount - start);
}

// MARK: Tokens

/// The end of a long bracket that begins at `start`; NULL if none does.
static const char *end_of_long(const char *start, const char *end) {
  size_t level = 0;
  const char *next = start + 1;
  while (next < end && *next == '=') {
    next++;
    level++;
  }
  if (next == end || *next != '[') return NULL;
  for (; next < end; next++) {
    if (*next != ']' || (size_t)(end - next) < level + 2) continue;
    size_t i = 0;
    while (i < level && next[i + 1] == '=') i++;
    if (i == level && next[level + 1] == ']') return next + level + 2;
  }
  return end;
}

static void pass(Reader *reader, const char *to) {
  for (; reader->next < to; reader->next++) {
    if (*reader->next != '\n') continue;
    reader->line++;
    reader->lineStart = reader->next + 1;
  }
}

static void skip_blanks(Reader *reader) {
  while (reader->next < reader->end) {
    const char *next = reader->next;
    if ((unsigned char)*next <= ' ') {
      pass(reader, next + 1);
    } else if (*next == '-' && next + 1 < reader->end && next[1] == '-') {
      const char *stop = next + 2 < reader->end && next[2] == '['
                             ? end_of_long(next + 2, reader->end) : NULL;
      if (!stop) stop = memchr(next, '\n', (size_t)(reader->end - next));
      pass(reader, stop ? stop : reader->end);
    } else {
      return;
    }
  }
}

static const char *end_of_quoted(const char *start, const char *end) {
  const char *next = start + 1;
  while (next < end && *next != *start && *next != '\n') next += *next == '\\' ? 2 : 1;
  return next < end ? next + 1 : end;
}

static bool is_part(char byte) { return isalnum((unsigned char)byte) || byte == '_'; }

static Token next_token(Reader *reader) {
  skip_blanks(reader);
  const char *start = reader->next, *stop = start;
  Token token = {.start = start,
                 .line = reader->line,
                 .column = (int32_t)(start - reader->lineStart) + 1,
                 .kind = TOKEN_SIGN};
  if (start == reader->end) {
    token.kind = TOKEN_END;
    return token;
  }
  if (is_part(*start)) {
    bool isNumber = isdigit((unsigned char)*start);
    token.kind = isNumber ? TOKEN_NUMBER : TOKEN_WORD;
    while (stop < reader->end && (is_part(*stop) || (isNumber && *stop == '.'))) stop++;
  } else if (*start == '"' || *start == '\'') {
    token.kind = TOKEN_STRING;
    stop = end_of_quoted(start, reader->end);
  } else if (*start == '[' && (stop = end_of_long(start, reader->end))) {
    token.kind = TOKEN_STRING;
  } else {
    static const char *const pairs[] = {"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};
    stop = start + 1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
      size_t count = strlen(pairs[i]);
      if ((size_t)(reader->end - start) < count || memcmp(start, pairs[i], count)) continue;
      stop = start + count;
      break;
    }
  }
  token.count = (size_t)(stop - start);
  pass(reader, stop);
  return token;
}

// MARK: Advice

typedef struct SyntaxPosition {
  Token before2, before, token;
  char after;  // the byte after the token, where it ended
  bool isAdjacent;  // whether there is no space before the token
} SyntaxPosition;

static void suggest(Advice *advice, const Token *wrong, const char *word, bool isNear, int32_t line) {
  int count = wrong->count < 32 ? (int)wrong->count : 32;
  advice->column = wrong->line == line ? wrong->column : 0;
  if (isNear) {
    snprintf(advice->text, sizeof advice->text, "; did you mean \"%s\"?", word);
  } else if (advice->column) {
    snprintf(advice->text, sizeof advice->text, ", after \"%.*s\"; did you mean \"%s\"?", count,
             wrong->start, word);
  } else {
    snprintf(advice->text, sizeof advice->text, ", and line %d has \"%.*s\"; did you mean \"%s\"?",
             (int)wrong->line, count, wrong->start, word);
  }
}

static void set_advice(Advice *advice, const char *text) {
  snprintf(advice->text, sizeof advice->text, "; %s", text);
}

/// Whether a statement may begin after a token.
static bool ends_statement(const Token *token) {
  static const char *const words[] = {"break", "do",     "else", "end",  "false", "nil",
                                      "local", "repeat", "then", "true", NULL};
  static const char *const signs[] = {")", "}", "]", ";", "...", "::", NULL};
  switch (token->kind) {
    case TOKEN_WORD: return is_name(token) || is_in(token, words);
    case TOKEN_SIGN: return is_in(token, signs);
    default: return true;
  }
}

/// A keyword in place of the token, where Lua expects a certain one.
static bool suggest_expected(const SyntaxPosition *position, const char *message, Advice *advice) {
  static const char *const ends[] = {"end", "else", "elseif", "until", NULL};
  static const char *const joints[] = {"and", "or", NULL};
  const Token *token = &position->token;
  if (!is_name(token)) return false;
  for (const char *const *word = keywords; *word; word++) {
    char expected[16];
    snprintf(expected, sizeof expected, "'%s' expected", *word);
    if (!strstr(message, expected)) continue;
    if (is_slip(token, *word, false) || (token->count == 1 && **word == *token->start)) {
      suggest(advice, token, *word, true, token->line);
      return true;
    }
  }
  bool endsBlock = strstr(message, "'end' expected") || strstr(message, "<eof> expected");
  for (const char *const *others = endsBlock ? ends : joints; *others; others++) {
    if (!is_slip(token, *others, !endsBlock)) continue;
    suggest(advice, token, *others, true, token->line);
    return true;
  }
  return false;
}

/// Whether a word occurs in the text before it, outside of strings and comments.
static bool occurs_before(const char *text, const Token *word) {
  Reader reader = {.next = text, .end = word->start, .lineStart = text, .line = 1};
  for (;;) {
    Token token = next_token(&reader);
    if (token.kind == TOKEN_END) return false;
    if (token.count == word->count && !memcmp(token.start, word->start, word->count)) return true;
  }
}

/// A keyword in place of the name before the token.
static bool suggest_before(const SyntaxPosition *position, const char *text, int32_t line,
                           Advice *advice) {
  // The keywords that may follow a statement or a value.
  static const char *const followers[] = {"and",    "break",  "else", "elseif",   "end",  "for",
                                          "function", "goto", "if",   "local",    "or",   "repeat",
                                          "return", "until",  "while", NULL};
  const Token *wrong = &position->before;
  if (!is_name(wrong) || is(&position->before2, ".") || is(&position->before2, ":")) return false;
  if (position->token.kind == TOKEN_SIGN) return false;
  if (!ends_statement(&position->before2)) {
    if (!is_slip(wrong, "not", true)) return false;
    suggest(advice, wrong, "not", false, line);
    return true;
  }
  for (size_t i = 0; foreign[i][0]; i++) {
    if (!is(wrong, foreign[i][0])) continue;
    suggest(advice, wrong, foreign[i][1], false, line);
    return true;
  }
  // Of two keywords, the one with swapped letters is likelier.
  for (int onlySwaps = 1; onlySwaps >= 0; onlySwaps--) {
    // Another word that is used before is a name.
    if (!onlySwaps && occurs_before(text, wrong)) return false;
    for (const char *const *word = followers; *word; word++) {
      if (!is_slip(wrong, *word, onlySwaps)) continue;
      suggest(advice, wrong, *word, false, line);
      return true;
    }
  }
  return false;
}

static bool explain_sign(const SyntaxPosition *position, const char *message, Advice *advice) {
  const Token *token = &position->token, *before = &position->before;
  bool isDoubled = position->isAdjacent && before->count == 1 && token->count == 1 &&
                   *before->start == *token->start;
  if (is(token, "!")) {
    set_advice(advice, position->after == '=' ? "write ~= in place of !=" : "write not in place of !");
  } else if (isDoubled && is(token, "&")) {
    set_advice(advice, "write and in place of &&");
  } else if (isDoubled && is(token, "|")) {
    set_advice(advice, "write or in place of ||");
  } else if (is(token, "+") && position->after == '+' && is_name(before)) {
    set_advice(advice, "Lua has no ++; write x = x + 1");
  } else if (token->kind == TOKEN_SIGN && position->after == '=' && token->count == 1 &&
             strchr("+-*/%^", *token->start)) {
    snprintf(advice->text, sizeof advice->text, "; Lua has no %c=; write x = x %c …", *token->start,
             *token->start);
  } else if (is(token, "..") && position->after == '=') {
    set_advice(advice, "Lua has no ..=; write x = x .. …");
  } else if (is(token, "?")) {
    set_advice(advice, "write a and b or c in place of a ? b : c");
  } else if (is(token, "//") || (is(token, "/") && position->after == '*')) {
    set_advice(advice, "a comment begins with --");
  } else if (is(token, "=") &&
             (strstr(message, "'then' expected") || strstr(message, "'do' expected"))) {
    set_advice(advice, "write == to compare");
  } else if (is(token, "{") && is(before, ")") && strstr(message, "unexpected symbol")) {
    set_advice(advice, "a function's body has no braces, and ends with end");
  } else {
    return false;
  }
  return true;
}

static bool explain(const SyntaxPosition *position, const char *message, Advice *advice) {
  const Token *token = &position->token;
  bool isValue = token->kind == TOKEN_STRING || token->kind == TOKEN_NUMBER || is_name(token) ||
                 is(token, "{") || is(token, "[") || is(token, "function");
  if (strstr(message, "'}' expected") && isValue) {
    set_advice(advice, "is a comma missing before it?");
  } else if (strstr(message, "')' expected") && isValue) {
    set_advice(advice, "is a comma or a parenthesis missing before it?");
  } else if (strstr(message, "function arguments expected")) {
    set_advice(advice, "write () after a method's name to call it");
  } else if (strstr(message, "<name> expected") && is(&position->before, ":")) {
    set_advice(advice, "a table's key is followed by =, not by :");
  } else if (strstr(message, "<name> expected") && is_keyword(token)) {
    snprintf(advice->text, sizeof advice->text, "; \"%.*s\" is a keyword and cannot be a name",
             (int)token->count, token->start);
  } else {
    return false;
  }
  return true;
}

/// `function`, misspelt somewhere above. Its `end` then closes another block.
static bool suggest_function(const char *text, const char *stop, int32_t line, Advice *advice) {
  Reader reader = {.next = text, .end = stop, .lineStart = text, .line = 1};
  Token before = {0}, wrong = {0};
  for (;;) {
    Token token = next_token(&reader);
    if (token.kind == TOKEN_END) break;
    if (token.count > 6 && is_name(&token) && !is(&before, ".") && !is(&before, ":") &&
        is_slip(&token, "function", false)) {
      // What occurs twice may be meant.
      if (wrong.kind != TOKEN_NONE) return false;
      wrong = token;
    }
    before = token;
  }
  if (wrong.kind == TOKEN_NONE) return false;
  suggest(advice, &wrong, "function", false, line);
  return true;
}

void advice_find(const char *text, size_t count, int32_t line, const char *message,
                 size_t messageCount, Advice *advice) {
  enum { MOST = 1 << 16, MOST_OF_MESSAGE = 256, MOST_ATTEMPTS = 20 };
  *advice = (Advice){.column = 0};
  const char *near = memmem(message, messageCount, " near ", 6);
  if (!near || count > MOST || messageCount > MOST_OF_MESSAGE || line < 1) return;
  char copy[MOST_OF_MESSAGE + 1];
  memcpy(copy, message, messageCount);
  copy[messageCount] = 0;
  const char *named = near + 6;
  size_t namedCount = (size_t)(message + messageCount - named);
  bool isAtEnd = namedCount == 5 && !memcmp(named, "<eof>", 5);
  if (!isAtEnd) {
    if (namedCount < 3 || *named != '\'') return;
    named++;
    namedCount -= 2;
  }
  if (count && *text == '#') {
    const char *end = memchr(text, '\n', count);
    count -= (size_t)((end ? end : text + count) - text);
    text = end ? end : text + count;
  }
  Reader reader = {.next = text, .end = text + count, .lineStart = text, .line = 1};
  SyntaxPosition position = {0};
  // A line may have any number of tokens with the named text. Nothing interrupts this search.
  int32_t attempts = 0;
  for (;;) {
    position.before2 = position.before;
    position.before = position.token;
    position.token = next_token(&reader);
    const Token *token = &position.token;
    if (token->line > line && token->kind != TOKEN_END) break;
    position.after = reader.next < reader.end ? *reader.next : 0;
    position.isAdjacent = position.before.start && position.before.start + position.before.count == token->start;
    bool isNamed = isAtEnd ? token->kind == TOKEN_END
                           : token->line == line && token->count == namedCount &&
                                 !memcmp(token->start, named, namedCount);
    if (isNamed) {
      if (suggest_expected(&position, copy, advice) || suggest_before(&position, text, line, advice) ||
          explain_sign(&position, copy, advice) ||
          (!attempts && suggest_function(text, token->start, line, advice)) ||
          explain(&position, copy, advice) || ++attempts == MOST_ATTEMPTS) {
        return;
      }
    }
    if (token->kind == TOKEN_END) break;
  }
}
