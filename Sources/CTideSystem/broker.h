// The protocol between a process and its broker. A request and its answer are one packet each, with
// at most three descriptors.
#pragma once

#include <sys/socket.h>

#include "CTideSystem.h"

enum broker_request {
  BROKER_OPEN,     // a path; returns a file or folder, open for reading
  BROKER_SCRATCH,  // returns an unnamed file
  BROKER_RUN,      // a direction and a command, with standard output and error; gives the control
                   // and, if there is a direction, the channel
  BROKER_START,    // an encoded request, with standard input, output and error; gives the control
  BROKER_EDIT,     // returns a new file, open for writing
  BROKER_EDITOR,   // returns the editor's control
  BROKER_EDITED,   // returns the file, open for reading
  BROKER_WORKER,   // a worker's channel and its output; returns the control
};

/// Exceeds the length of any path, and of the longest argument that the kernel accepts.
enum { BROKER_MOST_BYTES = 132 * 1024, BROKER_MOST_DESCRIPTORS = 3 };

struct broker_message {
  int32_t kind;     // a request's kind; an answer's error number, 0 for success
  int32_t argument;
  int32_t descriptors[BROKER_MOST_DESCRIPTORS];  // -1 at the end
};

/// Sends a message and its text. Returns 0 or an error number.
int broker_send(int socket, const struct broker_message *message, const char *text, size_t count);
/// Receives a message and its text: `count` bytes and a terminating zero. The caller closes the
/// message's descriptors. Returns 0 or an error number; ENOTCONN if the other end is closed.
int broker_receive(int socket, struct broker_message *message, char *text, size_t *count);
/// Closes the descriptors of a received message.
void broker_close(struct broker_message *message);

/// Serves requests in the forked process until the other end is closed.
void broker_serve(int socket, const TideBrokerTasks *tasks) __attribute__((noreturn));

/// Opens a file or folder that the tasks list. Returns 0 or an error number.
int broker_reopen(const TideBrokerTasks *tasks, const char *path, int32_t *file);
/// Creates an unnamed file. Returns 0 or an error number.
int broker_make_scratch(const TideBrokerTasks *tasks, int32_t *file);
