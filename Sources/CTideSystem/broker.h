// How the process and its broker speak: one message asks, one answers, each a packet with at most
// three descriptors.
#pragma once

#include <sys/socket.h>

#include "CTideSystem.h"

enum broker_request {
  BROKER_OPEN,     // a path; gives a file or folder, open for reading
  BROKER_SCRATCH,  // gives an unnamed file
  BROKER_RUN,      // a direction and a command, with standard output and error; gives the control
                   // and, if there is a direction, the channel
  BROKER_EDIT,     // gives a new file, open for writing
  BROKER_EDITOR,   // gives the editor's control
  BROKER_EDITED,   // gives the file, open for reading
};

/// Longer than any path, and than any argument that a program may be given.
enum { BROKER_MOST_BYTES = 132 * 1024, BROKER_MOST_DESCRIPTORS = 3 };

struct broker_message {
  int32_t kind;     // of a request; an answer's error number
  int32_t argument;
  int32_t descriptors[BROKER_MOST_DESCRIPTORS];  // -1 at the end
};

/// Sends a message and what follows it; an error number.
int broker_send(int socket, const struct broker_message *message, const char *text, size_t count);
/// Receives one; `count` becomes the number of bytes that followed it, with a zero behind. An error
/// number; ENOTCONN at the end.
int broker_receive(int socket, struct broker_message *message, char *text, size_t *count);
/// Closes the descriptors that came with a message.
void broker_close(struct broker_message *message);

/// Serves until the other end is gone. In the forked process.
void broker_serve(int socket, const TideBrokerTasks *tasks) __attribute__((noreturn));
