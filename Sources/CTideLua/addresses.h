// What scripts see of addresses; the rest is in TideBorder.h.
#pragma once

#include "TideBorder.h"

enum { ADDRESS_TEXT = 20 };
/// Writes the number that stands for an address, and gives the text.
const char *address_write(const void *address, char text[ADDRESS_TEXT]);
