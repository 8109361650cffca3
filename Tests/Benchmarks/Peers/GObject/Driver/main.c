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
  Comparison workloads = {chain,   fan_out,     diamond,     pairs,
                          two_way, transformer, mapped_list, depth};
  request_compare(request_parse(argc, argv), workloads);
  return 0;
}
