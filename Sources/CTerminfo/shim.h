#include <curses.h>
#include <term.h>
