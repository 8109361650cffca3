#define _GNU_SOURCE
#include "Measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNAVAILABLE = 69, BATCHES = 7 };

Request request_parse(int argc, const char *const *argv) {
  Request request = {.workload = argc > 1 ? argv[1] : "", .milliseconds = 100};
  for (int i = 2; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--milliseconds")) request.milliseconds = atof(argv[i + 1]);
    if (!strcmp(argv[i], "--iterations")) request.iterations = atol(argv[i + 1]);
    if (!strcmp(argv[i], "--size")) request.size = atol(argv[i + 1]);
  }
  return request;
}

bool request_is(Request request, const char *workload) {
  return strcmp(request.workload, workload) == 0;
}

void request_refuse(Request request) {
  fprintf(stderr, "no workload '%s' here\n", request.workload);
  exit(UNAVAILABLE);
}

void request_compare(Request request, Comparison workloads) {
  struct {
    const char *name;
    void (*run)(Request request);
  } named[] = {
      {"W1", workloads.chain},       {"W2", workloads.fan_out}, {"W3", workloads.diamond},
      {"W4", workloads.pairs},       {"W5", workloads.two_way}, {"W6", workloads.transformer},
      {"W7", workloads.mapped_list}, {"depth", workloads.depth},
  };
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    if (!named[i].run || !request_is(request, named[i].name)) continue;
    named[i].run(request);
    return;
  }
  request_refuse(request);
}

double measure_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The counters of /proc/self/statm lag behind by some hundred kilobytes; this walks the pages.
static double read_resident(void) {
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  if (!file) return 0;
  char line[256];
  long kilobytes = 0;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "Rss: %ld kB", &kilobytes) == 1) break;
  fclose(file);
  return (double)kilobytes * 1024;
}

double measure_resident(void) {
  // Reading and looking at the clock make some pages of libraries resident: not the workload's.
  static bool has_read = false;
  if (!has_read) {
    read_resident();
    measure_now();
  }
  has_read = true;
  return read_resident();
}

void measure_report(const char *measure, double value) {
  printf("{\"measure\": \"%s\", \"value\": %.3f}\n", measure, value);
  fflush(stdout);
}

void measure_check(bool holds, const char *what) {
  if (!holds) measure_fail(what);
}

void measure_fail(const char *what) {
  fprintf(stderr, "wrong result: %s\n", what);
  exit(1);
}

void measure_run(Request request, const char *measure, double units, Workload run, void *context) {
  if (request.iterations) {
    run(context, request.iterations);
    measure_report("units", units);
    return;
  }
  double batch = request.milliseconds * 1e6 / (BATCHES + 1), taken;
  long count = 1;
  while (true) {
    double start = measure_now();
    run(context, count);
    taken = measure_now() - start;
    if (taken >= batch / 2) break;
    count *= taken < batch / 16 ? 8 : 2;
  }
  double best = 1e300;
  for (int i = 0; i < BATCHES; i++) {
    double start = measure_now();
    run(context, count);
    double each = (measure_now() - start) / (double)count / units;
    if (each < best) best = each;
  }
  measure_report(measure, best);
}
