// The addresses that scripts see; the rest is in TideBorder.h.
#pragma once

#include "TideBorder.h"

enum { ADDRESS_TEXT = 20 };
/// Writes the number that represents an address, and returns the text.
const char *address_write(const void *address, char text[ADDRESS_TEXT]);
