// What an event loop needs of the kernel and Swift's Glibc does not import: waiting for many
// descriptors with nanoseconds, and waking who waits.
#pragma once

#include <stdint.h>

/// A set of descriptors to wait for, itself a descriptor; or -1 with `errno`.
int tide_poller_make(void);

/// Adds a descriptor; the tag tells it apart in what `tide_poller_wait` gives. Returns 0 or an errno.
int tide_poller_add(int poller, int descriptor, uint64_t tag);

/// Takes a descriptor out; harmless when it is not in.
void tide_poller_remove(int poller, int descriptor);

/// Waits until descriptors are readable, closed or broken, and writes their tags.
///
/// Returns how many, 0 after so many nanoseconds (negative: never) or at a signal.
int tide_poller_wait(int poller, uint64_t *tags, int capacity, int64_t nanoseconds);

/// A descriptor that becomes readable by `tide_waker_wake` and stops by `tide_waker_clear`; or -1.
int tide_waker_make(void);
void tide_waker_wake(int waker);
void tide_waker_clear(int waker);
