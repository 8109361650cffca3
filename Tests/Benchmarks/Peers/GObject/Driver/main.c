// GObject: properties bound by g_object_bind_property.
#include "workloads.h"

gint64 updates, effects, sink;

BenchNode **make_nodes(long count, gint64 value) {
  BenchNode **nodes = g_new(BenchNode *, (gsize)count);
  for (long i = 0; i < count; i++) nodes[i] = bench_node_new(value);
  return nodes;
}

void write_source(void *node, long count) {
  for (long i = 0; i < count; i++) bench_node_set_value(node, ++updates);
}

void run_effect(BenchNode *node, GParamSpec *spec, void *unused) {
  (void)spec, (void)unused;
  effects++;
  sink += bench_node_get_value(node);
}

int main(int argc, const char *const *argv) {
  Request request = request_parse(argc, argv);
  if (request_is(request, "W1")) chain(request);
  else if (request_is(request, "W2")) fan_out(request);
  else if (request_is(request, "W3")) diamond(request);
  else if (request_is(request, "W4")) pairs(request);
  else if (request_is(request, "W5")) two_way(request);
  else if (request_is(request, "W6")) transformer(request);
  else if (request_is(request, "W7")) mapped_list(request);
  else if (request_is(request, "depth")) depth(request);
  else request_refuse(request);
  return 0;
}
