#include "LuaWorkloads.h"

#include <stddef.h>
#include <string.h>

// A chunk runs `prepare` once, then n rounds of the body.
#define TWICE(code) code " " code " "
#define TEN_TIMES(code) TWICE(code) TWICE(code) TWICE(code) TWICE(code) TWICE(code)
#define ROUNDS(prepare, body) \
  "local n = ... " prepare " local a, b for i = 1, n do " body " end return a, b"
#define TEN_ROUNDS(prepare, body) ROUNDS(prepare, TEN_TIMES(body))

#define LINE "local s = 'the quick brown fox jumps over the lazy dog' "
#define PAGE "local s = ('the quick brown fox jumps over it; '):rep(300) .. 'the lazy dog' "
#define ARRAY(count, value) \
  "local list = {} math.randomseed(7) for i = 1, " count " do list[i] = " value " end "
#define COPY(count) "local t = move(list, 1, " count ", 1, {}) "
#define SORT(count, value, prepare, call)                                                  \
  ROUNDS("local sort, move = table.sort, table.move " ARRAY(count, value) prepare, \
         COPY(count) call " a = t[1]")
#define BEFORE "local function before(x, y) return x > y end "

static const struct {
  const char *name;
  int operations;  // in a round
  const char *chunk;
} workloads[] = {
    {"find text", 10,
     TEN_ROUNDS(LINE "local find = string.find", "a, b = find(s, 'fox', 1, true)")},
    {"find text far", 10,
     TEN_ROUNDS(PAGE "local find = string.find", "a, b = find(s, 'lazy', 1, true)")},
    {"find pattern", 10, TEN_ROUNDS(LINE "local find = string.find", "a, b = find(s, 'j%a+s')")},
    {"find anchored", 10,
     TEN_ROUNDS("local s, find = '  some text', string.find", "a, b = find(s, '^%s*')")},
    {"find far", 10, TEN_ROUNDS(PAGE "local find = string.find", "a, b = find(s, 'l%a+ d')")},
    {"match whole", 10,
     TEN_ROUNDS("local s, match = 'some_name42', string.match", "a = match(s, '^[%a_][%w_]*$')")},
    {"match captures", 10,
     TEN_ROUNDS("local s, match = 'size = 1024', string.match",
                "a, b = match(s, '^(%w+)%s*=%s*(%d+)$')")},
    {"match date", 10,
     TEN_ROUNDS("local s, match = 'on 2024-11-21 at noon', string.match",
                "a, b = match(s, '(%d+)-(%d+)-%d+')")},
    {"match lazily", 10,
     TEN_ROUNDS(LINE "local match = string.match", "a = match(s, '^(.-)over')")},
    {"gmatch words", 9,
     ROUNDS(LINE "local gmatch = string.gmatch", "for word in gmatch(s, '%a+') do a = word end")},
    {"gmatch pairs", 4,
     ROUNDS("local s, gmatch = 'a=1, bc=22, def=333, ghij=4444', string.gmatch",
            "for k, v in gmatch(s, '(%w+)=(%w+)') do a, b = k, v end")},
    {"gsub string", 1, ROUNDS(LINE "local gsub = string.gsub", "a = gsub(s, 'o', '0')")},
    {"gsub template", 1, ROUNDS(LINE "local gsub = string.gsub", "a = gsub(s, '(%a+)', '<%1>')")},
    {"gsub function", 1,
     ROUNDS(LINE "local gsub = string.gsub local function f(word) return word end",
            "a = gsub(s, '%a+', f)")},
    {"gsub table", 1,
     ROUNDS(LINE "local gsub, words = string.gsub, { quick = 'slow', lazy = 'busy' }",
            "a = gsub(s, '%a+', words)")},
    {"gsub trim", 10,
     TEN_ROUNDS("local s, gsub = '  some text  ', string.gsub",
                "a = gsub(s, '^%s*(.-)%s*$', '%1')")},
    {"gsub none", 1, ROUNDS(PAGE "local gsub = string.gsub", "a = gsub(s, '[<>&]', '')")},
    {"rep", 10, TEN_ROUNDS("local rep = string.rep", "a = rep('ab', 20)")},
    {"rep between", 10, TEN_ROUNDS("local rep = string.rep", "a = rep('ab', 20, ', ')")},
    {"upper", 10, TEN_ROUNDS(LINE "local upper = string.upper", "a = upper(s)")},
    {"reverse", 10, TEN_ROUNDS(LINE "local reverse = string.reverse", "a = reverse(s)")},
    {"format text", 10,
     TEN_ROUNDS("local format = string.format", "a = format('%s: %s', 'name', 'value')")},
    {"format integer", 10,
     TEN_ROUNDS("local format = string.format", "a = format('%d of %d', i, 9)")},
    {"format number", 10,
     TEN_ROUNDS("local format = string.format", "a = format('%.2f', 3.14159)")},
    {"format mixed", 10,
     TEN_ROUNDS("local format = string.format", "a = format('%-8s %5d %q', 'name', i, 'text')")},
    {"pack", 10, TEN_ROUNDS("local pack = string.pack", "a = pack('<i4', i)")},
    {"concat 100", 1,
     ROUNDS("local concat = table.concat " ARRAY("100", "'item' .. i"), "a = concat(list, ', ')")},
    {"concat 10000", 1,
     ROUNDS("local concat = table.concat " ARRAY("10000", "'item' .. i"),
            "a = concat(list, ', ')")},
    {"concat numbers", 1,
     ROUNDS("local concat = table.concat " ARRAY("100", "i * 37"), "a = concat(list, ',')")},
    {"insert end", 100,
     ROUNDS("local insert = table.insert",
            "local t = {} for k = 1, 100 do insert(t, k) end a = #t")},
    {"insert front", 100,
     ROUNDS("local insert = table.insert",
            "local t = {} for k = 1, 100 do insert(t, 1, k) end a = #t")},
    {"remove end", 100,
     ROUNDS("local remove, move = table.remove, table.move " ARRAY("100", "i"),
            COPY("100") "for k = 1, 100 do a = remove(t) end")},
    {"remove front", 100,
     ROUNDS("local remove, move = table.remove, table.move " ARRAY("100", "i"),
            COPY("100") "for k = 1, 100 do a = remove(t, 1) end")},
    {"move 100", 1, ROUNDS("local move = table.move " ARRAY("100", "i"), COPY("100") "a = #t")},
    {"sort numbers", 1, SORT("200", "math.random(1000)", "", "sort(t)")},
    {"sort strings", 1, SORT("200", "'n' .. math.random(1000)", "", "sort(t)")},
    {"sort numbers by function", 1,
     SORT("200", "math.random(1000)", BEFORE, "sort(t, before)")},
    {"sort strings by function", 1,
     SORT("200", "'n' .. math.random(1000)", BEFORE, "sort(t, before)")},
    {"sort sorted", 1, SORT("200", "i", "", "sort(t)")},
    {"unpack", 10,
     TEN_ROUNDS("local unpack, list = table.unpack, { 1, 2, 3 }", "a, b = unpack(list)")},
    {"unpack 100", 1,
     ROUNDS("local unpack, select = table.unpack, select " ARRAY("100", "i"),
            "a = select('#', unpack(list))")},
    {"table.pack", 10, TEN_ROUNDS("local pack = table.pack", "a = pack(i, i, i)")},
    {"utf8.len", 10, TEN_ROUNDS("local len = utf8.len", "a = len('größere Straße')")},
    {"utf8.codes", 14,
     ROUNDS("local codes = utf8.codes", "for p, c in codes('größere Straße') do a = c end")},
    {"utf8.char", 10, TEN_ROUNDS("local char = utf8.char", "a = char(228, 8364, 65)")},
    {"utf8.codepoint", 10,
     TEN_ROUNDS("local codepoint = utf8.codepoint", "a, b = codepoint('größe', 1, 4)")},
    {"utf8.offset", 10,
     TEN_ROUNDS("local offset = utf8.offset", "a = offset('größere Straße', 9)")},
};

const char *library_workload(const char *name, int *operations) {
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(workloads[i].name, name)) continue;
    *operations = workloads[i].operations;
    return workloads[i].chunk;
  }
  return NULL;
}
