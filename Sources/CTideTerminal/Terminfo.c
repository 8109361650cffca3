#include <stdlib.h>

#include "CTideTerminal.h"

// `<term.h>` defines macros with names such as `lines` and `columns`: keep it in this file.
#include <curses.h>
#include <term.h>

int tide_terminfo_colors(const char *name, bool *has_rgb) {
  *has_rgb = false;
  TERMINAL *before = cur_term;
  int status = 0;
  if (setupterm(name, 1, &status) != OK) return -1;
  int colors = tigetnum("colors");
  // RGB may be a flag, a number or a string, depending on the entry. Tc is tmux's equivalent.
  char *rgb = tigetstr("RGB");
  *has_rgb = tigetflag("RGB") > 0 || tigetflag("Tc") > 0 || tigetnum("RGB") > 0 ||
             (rgb != NULL && rgb != (char *)-1);
  TERMINAL *ours = set_curterm(before);
  if (ours != NULL) del_curterm(ours);
  return colors < 0 ? 0 : colors;
}
