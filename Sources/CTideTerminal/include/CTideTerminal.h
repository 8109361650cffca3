// The parts of a terminal program that run in signal handlers, and are therefore written in C:
// restoring the terminal however the process ends, stopping and resuming, and recording signals for
// a run loop.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The options of `tide_terminal_take` in addition to raw mode.
enum {
  /// Handles signals. Without it, the caller must restore the terminal itself in every case.
  TIDE_TERMINAL_SIGNALS = 1,
  /// Standard output and error also go to the log, if they are terminals.
  TIDE_TERMINAL_CAPTURE = 2,
  /// Input that is still unread when the terminal is released is left to the next reader.
  TIDE_TERMINAL_KEEP_INPUT = 4,
};

/// Puts the terminal in raw mode and writes `enter`. Leaving writes `leave` and restores the mode.
///
/// Returns 0 or an error number; `EBUSY` if the process has already taken a terminal.
int tide_terminal_take(
    int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *leave,
    size_t leave_count, int options);

/// Restores the terminal. Does nothing if none is taken. Signal handlers may call it.
///
/// The lines logged since the terminal was taken are then printed to it.
void tide_terminal_leave(void);

/// Makes Ctrl-C raise SIGINT, even while no thread reads input, or makes it a key again, as it is
/// initially.
void tide_terminal_raise_interrupts(bool raises);

/// Leaves the terminal, and restores the signal handlers and descriptors. Signal handlers may not
/// call it.
void tide_terminal_release(void);

/// Leaves the terminal, and stops the whole job as Ctrl-Z in a shell does. Takes the terminal again
/// when the job continues. Does nothing without `TIDE_TERMINAL_SIGNALS`.
void tide_terminal_suspend(void);

/// A descriptor that is readable after input, a signal or the timer; -1 if no terminal is taken.
int tide_terminal_descriptor(void);

/// Starts a timer in milliseconds, which tells that no further input has followed; 0 stops it.
void tide_terminal_set_timer(int milliseconds);

/// Whether the timer has fired since the last call.
bool tide_terminal_timer_fired(void);

/// The result of `tide_terminal_next_signal` after a call of `tide_terminal_wake`.
enum { TIDE_TERMINAL_WAKE = 255 };

/// Makes the descriptor readable.
void tide_terminal_wake(void);

/// The next received signal (`SIGWINCH`, `SIGCONT`, `SIGINT`, `SIGTERM`, `SIGHUP`, `SIGQUIT`), or
/// 0.
///
/// After one of the last four, the process has a second to end by itself. Then, or at a second such
/// signal, the handler restores the terminal and lets the signal end the process.
int tide_terminal_next_signal(void);

/// Whether frames may be written: the terminal is taken and the job is not suspended.
bool tide_terminal_is_shown(void);

/// Writes all bytes to the terminal, and waits if necessary. Returns 0 or an error number.
///
/// `EAGAIN` means that the terminal is not available at the moment. Draw everything again once it
/// is.
int tide_terminal_write(const uint8_t *bytes, size_t count);

/// Reads the available input without waiting. Returns the number of bytes, 0 for none yet, or -1 if
/// the terminal is gone.
ptrdiff_t tide_terminal_read(uint8_t *bytes, size_t count);

/// Whether there is input to read. False for a terminal that is gone.
bool tide_terminal_has_input(void);

/// Receives input that was left unread, before `tide_terminal_read` returns it.
///
/// `is_first` is true if no earlier input is unread. A call with 0 bytes reports that earlier input
/// still is.
typedef void tide_terminal_look(
    void *context, const uint8_t *bytes, size_t count, bool is_first);

/// Starts a thread that calls `look` for input that nothing has read for this number of
/// milliseconds, and again until it is read. No input is read during a call. The thread ends with
/// the release.
bool tide_terminal_watch(int patience, tide_terminal_look *look, void *context);

/// The terminal's size. Returns false if it is unknown.
bool tide_terminal_size(int *columns, int *rows);

/// Makes a stack overflow on this thread restore the terminal as well, by giving signal handlers a
/// stack of their own. The thread that takes the terminal has one already.
void tide_terminal_guard_thread(void);

/// The descriptor of the log, for appending, and for reading with `pread`; -1 if no terminal is
/// taken.
int tide_terminal_log_descriptor(void);

/// Removes the contents of the log before `offset`, and puts a notice before the rest.
void tide_terminal_trim_log(int64_t offset, const uint8_t *notice, size_t count);

/// The number of colours in the terminal's description; -1 if there is no description.
int tide_terminfo_colors(const char *name, bool *has_rgb);
