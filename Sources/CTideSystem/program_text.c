#include "programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Encodes a program request as text for the broker.
//
// Each string is encoded as its length, a colon and its bytes; a list begins with its length.

static int append(char **text, size_t *count, size_t *room, const char *bytes, size_t length) {
  char head[24];
  int width = snprintf(head, sizeof head, "%zu:", length);
  if (*count + (size_t)width + length + 1 > *room) {
    size_t larger = 2 * *room + (size_t)width + length + 64;
    char *moved = realloc(*text, larger);
    if (!moved) return ENOMEM;
    *text = moved;
    *room = larger;
  }
  memcpy(*text + *count, head, (size_t)width);
  if (bytes) memcpy(*text + *count + width, bytes, length);
  *count += (size_t)width + (bytes ? length : 0);
  (*text)[*count] = 0;
  return 0;
}

char *program_encode(const TideProgramRequest *request) {
  char *text = NULL;
  size_t count = 0, room = 0;
  const char *const *lists[] = {request->arguments, request->environment};
  const char *folder = request->folder ? request->folder : "";
  int failure = append(&text, &count, &room, folder, strlen(folder));
  for (int i = 0; i < 2 && !failure; i++) {
    failure = append(&text, &count, &room, NULL, program_count(lists[i]));
    for (const char *const *one = lists[i]; one && *one && !failure; one++)
      failure = append(&text, &count, &room, *one, strlen(*one));
  }
  if (!failure) return text;
  free(text);
  errno = failure;
  return NULL;
}

/// Parses a number and the colon after it. Returns false if there is none.
static bool take_number(char **text, size_t *number) {
  char *end;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  *number = strtoul(*text, &end, 10);
  if (errno || *end != ':') return false;
  *text = end + 1;
  return true;
}

/// Parses a string and stores its end in `end`; a terminating zero is written there after
/// everything has been parsed.
static bool take_part(char **text, size_t left, char **part, char **end) {
  size_t count;
  char *start = *text;
  if (!take_number(text, &count)) return false;
  if (count > left - (size_t)(*text - start)) return false;
  *part = *text;
  *text += count;
  *end = *text;
  return true;
}

static bool take_list(char **text, char *limit, char ***list, char ***ends) {
  size_t count;
  if (!take_number(text, &count) || count > (size_t)(limit - *text)) return false;
  *list = calloc(count + 1, sizeof **list);
  *ends = calloc(count + 1, sizeof **ends);
  if (!*list || !*ends) return false;
  for (size_t i = 0; i < count; i++)
    if (!take_part(text, (size_t)(limit - *text), &(*list)[i], &(*ends)[i])) return false;
  return true;
}

bool program_decode(char *text, TideProgramRequest *request) {
  char *limit = text + strlen(text), *folder, *folder_end;
  char **arguments = NULL, **environment = NULL, **argument_ends = NULL, **variable_ends = NULL;
  bool is_good = take_part(&text, (size_t)(limit - text), &folder, &folder_end) &&
                 take_list(&text, limit, &arguments, &argument_ends) &&
                 take_list(&text, limit, &environment, &variable_ends) && text == limit &&
                 arguments[0];
  if (is_good) {
    *folder_end = 0;
    for (char **end = argument_ends; *end; end++) **end = 0;
    for (char **end = variable_ends; *end; end++) **end = 0;
    for (char **one = environment; *one && is_good; one++) is_good = strchr(*one, '=') > *one;
  }
  free(argument_ends);
  free(variable_ends);
  request->arguments = (const char *const *)arguments;
  request->environment = (const char *const *)environment;
  request->folder = is_good && *folder ? folder : NULL;
  return is_good;
}

void program_forget(TideProgramRequest *request) {
  free((void *)request->arguments);
  free((void *)request->environment);
}
