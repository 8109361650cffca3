// The same cells drawn by hand with ncurses, in a terminal that nobody looks at.
#define _GNU_SOURCE
#include <Measure.h>
#include <curses.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { columns = 200, rows = 50 };

static long turn;
static char cells[rows][columns];

static void *drop(void *descriptor) {
  static char bytes[1 << 16];
  while (read((int)(long)descriptor, bytes, sizeof bytes) > 0) {
  }
  return NULL;
}

static void change(int count) {
  turn++;
  for (int index = 0; index < count; index++) {
    char letter = (char)('a' + (turn + index) % 26);
    cells[index / columns][index % columns] = letter;
    mvaddch(index / columns, index % columns, (chtype)letter);
  }
  refresh();
}

static void draw_screen(void *context, long count) {
  (void)context;
  for (long i = 0; i < count; i++) change(columns * rows);
}

static void draw_cell(void *context, long count) {
  (void)context;
  for (long i = 0; i < count; i++) change(1);
}

int main(int argc, const char *const *argv) {
  Request request = request_parse(argc, argv);
  Workload run = request_is(request, "screen")  ? draw_screen
                 : request_is(request, "cell") ? draw_cell
                                               : NULL;
  if (!run) request_refuse(request);
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  int reader = -1, terminal = -1;
  measure_check(openpty(&reader, &terminal, NULL, NULL, &size) == 0, "a terminal");
  pthread_t thread;
  measure_check(pthread_create(&thread, NULL, drop, (void *)(long)reader) == 0, "a thread");
  setenv("LINES", "50", 1);
  setenv("COLUMNS", "200", 1);
  FILE *output = fdopen(terminal, "w"), *input = fdopen(dup(terminal), "r");
  SCREEN *screen = newterm("xterm-256color", output, input);
  measure_check(screen != NULL, "a screen");
  set_term(screen);
  measure_run(request, "frame", 1000000, run, NULL);
  measure_check((char)mvinch(0, 0) == cells[0][0], "the letters show");
  endwin();
  return 0;
}
