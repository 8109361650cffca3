// What a terminal program has to do inside signal handlers, and so in C: put the terminal back on
// every way out of the process, stop and resume with it, and note signals for a run loop to read.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What `tide_terminal_take` does beside raw mode.
enum {
  /// Handle signals; without it the caller must leave by itself on every way out.
  TIDE_TERMINAL_SIGNALS = 1,
  /// Standard output and error, where they are terminals, go to the log too.
  TIDE_TERMINAL_CAPTURE = 2,
  /// What was typed and is still unread when the terminal is given back is left to the next reader.
  TIDE_TERMINAL_KEEP_INPUT = 4,
};

/// Puts the terminal in raw mode, writes `enter` and remembers how to undo both with `leave`.
///
/// Returns 0 or an errno. One terminal a process: taken twice, it is `EBUSY`.
int tide_terminal_take(
    int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *leave,
    size_t leave_count, int options);

/// Puts everything back; harmless when nothing is taken, and safe in a signal handler.
///
/// What was logged since then follows on the terminal.
void tide_terminal_leave(void);

/// Lets Ctrl-C raise SIGINT, also while nobody reads what is typed; or makes it a key again, which it
/// is at first.
void tide_terminal_raise_interrupts(bool raises);

/// Leaves, and gives back the signal handlers and descriptors; not for signal handlers.
void tide_terminal_release(void);

/// Leaves the terminal, stops the whole job as the terminal's own Ctrl-Z would, and takes it again
/// when the job is continued. Nothing happens without `TIDE_TERMINAL_SIGNALS`.
void tide_terminal_suspend(void);

/// The descriptor that is readable when something was typed, a signal arrived or the timer fired;
/// -1 when nothing is taken.
int tide_terminal_descriptor(void);

/// Asks to be woken when nothing else was typed for so long; 0 stops the timer.
void tide_terminal_set_timer(int milliseconds);

/// Whether the timer fired since this was last asked.
bool tide_terminal_timer_fired(void);

/// What `tide_terminal_next_signal` gives after a `tide_terminal_wake`.
enum { TIDE_TERMINAL_WAKE = 255 };

/// Makes the descriptor readable.
void tide_terminal_wake(void);

/// A signal that arrived (`SIGWINCH`, `SIGCONT`, `SIGINT`, `SIGTERM`, `SIGHUP`, `SIGQUIT`), or 0.
///
/// After one of the last four the process has a second to leave by itself; then, or at a second
/// such signal, the handler restores the terminal and lets the signal end the process.
int tide_terminal_next_signal(void);

/// Whether frames may be written: taken and not suspended.
bool tide_terminal_is_shown(void);

/// Writes all bytes to the terminal, waiting where it must; returns 0 or an errno.
///
/// `EAGAIN` means that the terminal is not ours at the moment: draw it anew once it is.
int tide_terminal_write(const uint8_t *bytes, size_t count);

/// Reads what has been typed, without waiting: the count, 0 for nothing yet, -1 when it is gone.
ptrdiff_t tide_terminal_read(uint8_t *bytes, size_t count);

/// Sees what was typed and left unread, before `tide_terminal_read` gives it.
///
/// `is_first` says that nothing had been left unread before; without bytes, some still is.
typedef void tide_terminal_look(
    void *context, const uint8_t *bytes, size_t count, bool is_first);

/// Has a thread of its own look at what was typed when nobody has read it for so many milliseconds,
/// and again and again until somebody does; nobody reads meanwhile. It ends with the release.
bool tide_terminal_watch(int patience, tide_terminal_look *look, void *context);

/// The terminal's size; false when it can't tell.
bool tide_terminal_size(int *columns, int *rows);

/// Makes stack overflows on this thread restore the terminal too: handlers run on a stack of their
/// own. The thread that takes the terminal has one already.
void tide_terminal_guard_thread(void);

/// The log: a descriptor to append to, and to read with `pread`; -1 when nothing is taken.
int tide_terminal_log_descriptor(void);

/// Drops what the log holds before `offset`; the rest moves to the front, after a notice.
void tide_terminal_trim_log(int64_t offset, const uint8_t *notice, size_t count);

/// What the terminal's description says: `-1` for no such description.
int tide_terminfo_colors(const char *name, bool *has_rgb);
