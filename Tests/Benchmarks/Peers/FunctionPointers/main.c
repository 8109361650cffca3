// The fastest thing that can be called binding: values with a list of C functions to tell.
#include <Measure.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Listener {
  void (*call)(void *target, int64_t value);
  void *target;
} Listener;

typedef struct Node {
  int64_t value;
  Listener *listeners;
  uint32_t count, capacity;
} Node;

static void node_set(Node *node, int64_t value) {
  if (node->value == value) return;
  node->value = value;
  for (uint32_t i = 0; i < node->count; i++)
    node->listeners[i].call(node->listeners[i].target, value);
}

static void node_bind(Node *source, void (*call)(void *, int64_t), void *target) {
  if (source->count == source->capacity) {
    source->capacity = source->capacity ? source->capacity * 2 : 2;
    source->listeners = realloc(source->listeners, source->capacity * sizeof(Listener));
    measure_check(source->listeners != NULL, "memory");
  }
  source->listeners[source->count++] = (Listener){call, target};
  call(target, source->value);
}

static void node_unbind(Node *source, const void *target) {
  for (uint32_t i = 0; i < source->count; i++) {
    if (source->listeners[i].target != target) continue;
    source->listeners[i] = source->listeners[--source->count];
    return;
  }
}

static int64_t effects, sink, updates;

static void copy(void *target, int64_t value) { node_set(target, value); }
static void increment(void *target, int64_t value) { node_set(target, value + 1); }
static void effect(void *target, int64_t value) {
  (void)target;
  effects++;
  sink += value;
}

static Node *make_nodes(long count) {
  Node *nodes = calloc((size_t)count, sizeof(Node));
  measure_check(nodes != NULL, "memory");
  return nodes;
}

static void write_source(void *context, long count) {
  for (long i = 0; i < count; i++) node_set(context, ++updates);
}

static void chain(Request request) {
  enum { LENGTH = 1000 };
  Node *nodes = make_nodes(LENGTH + 1);
  for (int i = 0; i < LENGTH; i++) node_bind(&nodes[i], increment, &nodes[i + 1]);
  node_bind(&nodes[LENGTH], effect, NULL);
  effects = 0;
  node_set(&nodes[0], 7);
  measure_check(nodes[LENGTH].value == 7 + LENGTH && effects == 1, "end of the chain");
  measure_run(request, "edge", LENGTH, write_source, &nodes[0]);
  measure_check(nodes[LENGTH].value == updates + LENGTH, "end of the chain");
}

static void fan_out(Request request) {
  enum { WIDTH = 1000 };
  Node *nodes = make_nodes(WIDTH + 1);
  for (int i = 1; i <= WIDTH; i++) node_bind(&nodes[0], copy, &nodes[i]);
  measure_run(request, "edge", WIDTH, write_source, &nodes[0]);
  for (int i = 1; i <= WIDTH; i++) measure_check(nodes[i].value == updates, "a target");
}

static void pairs(Request request) {
  long count = request.size ? request.size : 100000;
  Node *sources = make_nodes(count), *targets = make_nodes(count);
  for (long i = 0; i < count; i++) sources[i].value = targets[i].value = -1;
  double memory = measure_resident(), start = measure_now();
  for (long i = 0; i < count; i++) node_bind(&sources[i], copy, &targets[i]);
  double made = measure_now();
  measure_report("bytes", (measure_resident() - memory) / (double)count);
  measure_report("make", (made - start) / (double)count);
  for (int round = 0; round < 2; round++) {
    start = measure_now();
    for (long i = 0; i < count; i++) node_set(&sources[i], i + round);
    made = measure_now();
  }
  measure_report("update", (made - start) / (double)count);
  for (long i = 0; i < count; i++) measure_check(targets[i].value == i + 1, "a target");
  start = measure_now();
  for (long i = 0; i < count; i++) node_unbind(&sources[i], &targets[i]);
  measure_report("unbind", (measure_now() - start) / (double)count);
  node_set(&sources[0], -5);
  measure_check(targets[0].value == 1, "an unbound target");
}

enum { TWO_WAY = 1000 };
typedef struct Ends {
  Node *left, *right;
} Ends;

static void write_ends(void *context, long count) {
  Ends *ends = context;
  for (long round = 0; round < count; round++) {
    Node *side = ++updates & 1 ? ends->right : ends->left;
    for (int i = 0; i < TWO_WAY; i++) node_set(&side[i], updates);
  }
}

static void two_way(Request request) {
  Ends ends = {make_nodes(TWO_WAY), make_nodes(TWO_WAY)};
  for (int i = 0; i < TWO_WAY; i++) {
    node_bind(&ends.left[i], copy, &ends.right[i]);
    node_bind(&ends.right[i], copy, &ends.left[i]);
  }
  measure_run(request, "update", TWO_WAY, write_ends, &ends);
  for (int i = 0; i < TWO_WAY; i++)
    measure_check(ends.left[i].value == updates && ends.right[i].value == updates, "an end");
}

static void depth(Request request) {
  long length = request.size ? request.size : 10000;
  Node *nodes = make_nodes(length + 1);
  for (long i = 0; i < length; i++) {
    nodes[i + 1].value = i + 1;
    node_bind(&nodes[i], increment, &nodes[i + 1]);
  }
  node_set(&nodes[0], 7);
  measure_check(nodes[length].value == 7 + length, "end of the chain");
  measure_report("depth", (double)length);
}

int main(int argc, const char *const *argv) {
  Comparison workloads = {
      .chain = chain, .fan_out = fan_out, .pairs = pairs, .two_way = two_way, .depth = depth};
  request_compare(request_parse(argc, argv), workloads);
  return 0;
}
