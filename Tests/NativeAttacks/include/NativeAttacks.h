// What native code would try from within the wall: each attack calls the kernel directly. They are
// harmless without a wall, because dangerous calls are made with arguments that cannot work.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The paths that the attacks use; made before the wall goes up.
typedef struct AttackScene {
  const char *readable;  // a folder that may be read; holds `file`, and `way-out`, a link to outside
  const char *writable;  // one in which files may be made
  const char *outside;   // one that may not; holds `file`
  const char *socket;    // the path of a socket outside on which somebody listens
} AttackScene;

/// `fork`, which Swift does not import.
int32_t tide_fork(void);
/// Opens what an attacker might find open. Called before the wall goes up.
void attacks_prepare(const AttackScene *scene);
/// Tries everything, and reports each attack's name and error number, 0 where it succeeded.
void attacks_run(void (*tell)(const char *name, int32_t failure));
/// Tries what must succeed within the wall, and reports likewise.
void needs_run(void (*tell)(const char *name, int32_t failure));
/// Sends the broker requests that it must refuse, and reports its answers likewise.
void broker_attacks_run(void (*tell)(const char *name, int32_t failure));

/// Tries what a wall must refuse that leaves the network open for connections to a port, and what
/// it must not (names that begin with `need`); on `other` somebody listens, too.
void network_attacks_run(uint16_t port, uint16_t other,
                         void (*tell)(const char *name, int32_t failure));

/// What a simulated kernel lacks.
enum { LACKS_LANDLOCK = 1, LACKS_SECCOMP = 2, HAS_OLD_LANDLOCK = 4, LANDLOCK_IS_OFF = 8 };
/// Runs a program as if on such a kernel; gives its exit code.
int32_t attacks_simulate_kernel(int32_t lacks, char *const *arguments);
