// Lua leaves frames by functions of which the thread sanitizer does not know: it would take the frames
// that were left for open ones, until there is no room for more.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <setjmp.h>

void _longjmp(jmp_buf environment, int value) { longjmp(environment, value); }

/// The same in a library that was built with checks, as Debian's is.
void __longjmp_chk(jmp_buf environment, int value) { longjmp(environment, value); }

#endif
#endif
