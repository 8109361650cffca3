// What every driver shares: its command line, its clock, and how it reports.
//
//   driver WORKLOAD [--milliseconds M]   measures for about M milliseconds
//   driver WORKLOAD --iterations N       runs N iterations and no more, for counting instructions
//   driver WORKLOAD --size N             for workloads whose size varies: pairs, depth
//
// A driver prints one JSON object a figure: {"measure": "edge", "value": 4.6}. It ends with 69 for
// a workload that it has not, and with 1 when a result was wrong.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Request {
  const char *workload;
  double milliseconds;
  long iterations;  // 0: measure the time
  long size;        // 0: the workload's own
} Request;

/// Does `count` iterations of a workload.
typedef void (*Workload)(void *context, long count);

Request request_parse(int argc, const char *const *argv);
bool request_is(Request request, const char *workload);
/// Ends the driver: it has no such workload.
__attribute__((noreturn)) void request_refuse(Request request);

/// The workloads on which peers are compared; NULL for one that a peer has not.
typedef struct Comparison {
  void (*chain)(Request request);
  void (*fan_out)(Request request);
  void (*diamond)(Request request);
  void (*pairs)(Request request);
  void (*two_way)(Request request);
  void (*transformer)(Request request);
  void (*mapped_list)(Request request);
  void (*depth)(Request request);
} Comparison;

/// Runs the workload asked for.
void request_compare(Request request, Comparison workloads);

/// Nanoseconds of processor time, which other programs on the machine add nothing to.
double measure_now(void);
/// What of this process lies in memory, in bytes.
double measure_resident(void);
/// Prints one figure.
void measure_report(const char *measure, double value);
/// Reports the time of one of the iteration's `units`, in the least disturbed of several batches.
void measure_run(Request request, const char *measure, double units, Workload run, void *context);
/// Ends the driver with a message when a result is wrong.
void measure_check(bool holds, const char *what);
__attribute__((noreturn)) void measure_fail(const char *what);

#ifdef __cplusplus
}
#endif
