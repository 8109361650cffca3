#include "Guard.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sigaction before[NSIG];
static bool handled[NSIG];
static timer_t grace;
static bool has_grace;

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
/// Other signals that end a process by default. Those that the program handles or ignores stay as
/// they are.
static const int fatal[] = {SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,   SIGALRM,
                            SIGPROF, SIGVTALRM, SIGIO,  SIGSTKFLT, SIGPWR};

static void end_with(int number) {
  tide_terminal_leave();
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(number, &plain, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void on_ending(int number) {
  int kept = errno;
  int first = 0;
  if (!atomic_load(&guard.taken) || getpid() != guard.owner) {
    sigaction(number, &before[number], NULL);
    raise(number);  // blocked here, delivered on return
  } else if (!atomic_compare_exchange_strong(&guard.ending, &first, number)) {
    end_with(first);
  } else {
    guard_note(number);
    if (has_grace) {
      struct itimerspec seconds = {.it_value = {.tv_sec = 2}};
      timer_settime(grace, 0, &seconds, NULL);
    }
  }
  errno = kept;
}

static void on_fatal(int number) { end_with(number); }

static void on_crash(int number, siginfo_t *info, void *context) {
  tide_terminal_leave();
  // A handler that reports crashes runs first. If it returns, the process ends below: a fault
  // repeats by itself, a signal that was sent does not.
  struct sigaction *reporter = &before[number];
  if (reporter->sa_flags & SA_SIGINFO) {
    reporter->sa_sigaction(number, info, context);
  } else if (reporter->sa_handler != SIG_DFL && reporter->sa_handler != SIG_IGN) {
    reporter->sa_handler(number);
  }
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(number, &plain, NULL);
  bool repeats = info != NULL && info->si_code > 0 && number != SIGTRAP && number != SIGABRT;
  if (!repeats) raise(number);  // blocked here, delivered on return
}

static void stop_with(int number) {
  struct sigaction ours, plain = {.sa_handler = SIG_DFL};
  sigaction(number, &plain, &ours);
  raise(number);
  sigset_t set, masked;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigaddset(&set, SIGCONT);
  pthread_sigmask(SIG_UNBLOCK, &set, &masked);  // stopped here, until SIGCONT and its handler
  pthread_sigmask(SIG_SETMASK, &masked, NULL);
  sigaction(number, &ours, NULL);
}

/// Returns false also without job control, such as on a terminal that does not control this
/// process.
bool guard_is_background(void) {
  pid_t foreground = tcgetpgrp(guard.input);
  return foreground > 0 && foreground != getpgrp();
}

/// Whether a signal to end has been received or is pending.
static bool is_ending(void) {
  if (atomic_load(&guard.ending)) return true;
  sigset_t pending;
  if (sigpending(&pending) != 0) return false;
  for (size_t i = 0; i < COUNT(endings); i++) {
    if (sigismember(&pending, endings[i]) == 1) return true;
  }
  return false;
}

bool guard_await_foreground(void) {
  // Without a shell, the system does not stop the process, but denies it access to the terminal.
  for (int round = 0; round < 100 && guard_is_background(); round++) {
    if (is_ending()) return false;
    stop_with(SIGTTOU);
  }
  return true;
}

/// Restores the screen after a suspension. Without a shell, the job was never stopped, and no
/// SIGCONT reports that it continues.
static void resume(void) {
  if (!atomic_load(&guard.taken) || atomic_load(&guard.shown) || guard_is_background()) return;
  guard_show();
  guard_note(SIGCONT);
}

static void on_stop(int number) {
  int kept = errno;
  guard_hide();
  stop_with(number);
  resume();
  errno = kept;
}

static void on_continue(int number) {
  if (!atomic_load(&guard.taken)) return;
  int kept = errno;
  if (guard_is_background()) {
    // The terminal belongs to the shell. Wait for `fg`, which sends SIGCONT again. A process that
    // has to end does so without the terminal.
    if (!is_ending()) stop_with(SIGTTOU);
  } else {
    // SIGSTOP cannot be handled, so the terminal was not left before it, and the shell may have
    // changed the modes since. The terminal is left first, so that modes that terminals keep on a
    // stack are pushed only once.
    guard_hide();
    guard_show();
    guard_note(number);
  }
  errno = kept;
}

static void on_broken_pipe(int number) {
  (void)number;  // not ignored, because started programs would inherit that
}

static void on_resize(int number) {
  int kept = errno;
  guard_note(number);
  errno = kept;
}

void tide_terminal_suspend(void) {
  // If the parent process ignored the signal, it could not continue this job.
  if (!atomic_load(&guard.taken) || !handled[SIGTSTP]) return;
  guard_hide();
  // The whole process group is stopped, including a script that may have started the program. This
  // process must have stopped before the function returns, which only a signal to this thread
  // guarantees.
  struct sigaction ours, ignored = {.sa_handler = SIG_IGN};
  sigaction(SIGTSTP, &ignored, &ours);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &ours, NULL);
  stop_with(SIGTSTP);
  resume();
}

void tide_terminal_raise_interrupts(bool raises) {
  if (!atomic_load(&guard.taken)) return;
  if (raises) {
    guard.raw.c_lflag |= ISIG;
    guard.raw.c_cc[VQUIT] = guard.raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  } else {
    guard.raw.c_lflag &= ~(tcflag_t)ISIG;
  }
  if (atomic_load(&guard.shown)) tcsetattr(guard.input, TCSANOW, &guard.raw);
}

static void handle(int number, struct sigaction *action) {
  struct sigaction found;
  sigaction(number, NULL, &found);
  // Signals that the parent process ignored, as with `nohup`, stay ignored.
  bool ignored = !(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN;
  if (ignored && number != SIGWINCH && number != SIGCONT) return;
  before[number] = found;
  handled[number] = true;
  sigaction(number, action, NULL);
}

/// Restores the terminal before a signal ends the process, if the signal has its default action.
static void handle_fatal(int number, struct sigaction *action) {
  struct sigaction found;
  sigaction(number, NULL, &found);
  if (!(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_DFL) handle(number, action);
}

void guard_install(void) {
  struct sigaction action = {.sa_flags = SA_RESTART | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  // A fault inside a handler must still end the process.
  for (size_t i = 0; i < COUNT(guard_crashes); i++) sigdelset(&action.sa_mask, guard_crashes[i]);
  action.sa_handler = on_ending;
  for (size_t i = 0; i < COUNT(endings); i++) handle(endings[i], &action);
  action.sa_handler = on_resize;
  handle(SIGWINCH, &action);
  action.sa_handler = on_broken_pipe;
  handle(SIGPIPE, &action);
  action.sa_handler = on_stop;
  handle(SIGTSTP, &action);
  action.sa_handler = on_continue;
  handle(SIGCONT, &action);
  action.sa_handler = on_fatal;
  for (size_t i = 0; i < COUNT(fatal); i++) handle_fatal(fatal[i], &action);
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < COUNT(guard_crashes); i++) handle(guard_crashes[i], &action);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
  has_grace = timer_create(CLOCK_MONOTONIC, &event, &grace) == 0;
}

void guard_uninstall(void) {
  if (has_grace) timer_delete(grace);
  has_grace = false;
  for (size_t i = 0; i < COUNT(fatal); i++) {
    // Another handler may have been installed meanwhile.
    struct sigaction found;
    sigaction(fatal[i], NULL, &found);
    if (found.sa_handler != on_fatal) handled[fatal[i]] = false;
  }
  for (int number = 1; number < NSIG; number++) {
    if (handled[number]) sigaction(number, &before[number], NULL);
    handled[number] = false;
  }
}

void tide_terminal_guard_thread(void) {
  stack_t found;
  if (sigaltstack(NULL, &found) == 0 && !(found.ss_flags & SS_DISABLE)) return;
  size_t size = 64 * 1024;
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = size};
  sigaltstack(&stack, NULL);
}
