// The state of the terminal's guard. Everything that a handler reads is written before the handlers
// are installed, and does not change afterwards.
//
//   take ──> shown <──── resume ──── suspended
//              │ └──────── stop ────────^
//              └── leave, exit, crash, second signal ──> left
#pragma once

#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <termios.h>
#include <time.h>

#include "CTideTerminal.h"

enum { GUARD_BYTES = 512 };

struct guard {
  atomic_int taken;   // 1 between take and leave
  atomic_int shown;   // 1 while the program shows its screen
  atomic_int ending;  // the first of INT, TERM, HUP, QUIT
  pid_t owner;        // a forked child must not restore its parent's terminal
  int input, output;  // private copies
  struct termios original, raw;
  uint8_t enter[GUARD_BYTES], leave[GUARD_BYTES];
  size_t enter_count, leave_count;
  bool keeps_input;   // unread input is left to the next reader
  int log, saved[3];  // saved[1], saved[2]: standard output and error, or -1
  int wake[2];        // the pipe on which handlers note signals
  int timer;          // fires when an incomplete key counts as complete
  int poll;           // an epoll of input, wake and timer
};

extern struct guard guard;

/// The signals of crashes.
static const int guard_crashes[] = {SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Functions that signal handlers may call.
int guard_write(int descriptor, const uint8_t *bytes, size_t count, int patience);
void guard_note(int number);
void guard_show(void);
void guard_hide(void);
void guard_print_log(void);
bool guard_is_background(void);
/// Stops the process until it is in the foreground. Returns false if it has to end instead.
bool guard_await_foreground(void);

// Functions that signal handlers may not call.
int guard_copy(int descriptor);
bool guard_watch(void);
ptrdiff_t guard_read(uint8_t *bytes, size_t count);
bool guard_has_input(void);
void guard_end_watch(void);
void guard_open_log(bool captures);
void guard_install(void);
void guard_uninstall(void);
