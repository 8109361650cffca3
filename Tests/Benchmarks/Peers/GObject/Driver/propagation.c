// W1, W2, W3 and depth.
#include "workloads.h"

static gboolean increment(GBinding *binding, const GValue *from, GValue *to, void *unused) {
  (void)binding, (void)unused;
  g_value_set_int64(to, g_value_get_int64(from) + 1);
  return TRUE;
}

static gboolean add_index(GBinding *binding, const GValue *from, GValue *to, void *index) {
  (void)binding;
  g_value_set_int64(to, g_value_get_int64(from) + GPOINTER_TO_INT(index));
  return TRUE;
}

static void bind(BenchNode *source, BenchNode *target, GBindingTransformFunc transform,
                 void *data) {
  g_object_bind_property_full(source, "value", target, "value", G_BINDING_SYNC_CREATE, transform,
                              NULL, data, NULL);
}

// A hundred, because a thousand in a row takes longer for each edge, which would be unfair.
void chain(Request request) {
  enum { LENGTH = 100 };
  BenchNode **nodes = make_nodes(LENGTH + 1, -1);
  for (int i = 0; i < LENGTH; i++) bind(nodes[i], nodes[i + 1], increment, NULL);
  g_signal_connect(nodes[LENGTH], "notify::value", G_CALLBACK(run_effect), NULL);
  bench_node_set_value(nodes[0], 7);
  measure_check(bench_node_get_value(nodes[LENGTH]) == 7 + LENGTH && effects == 1, "chain's end");
  measure_run(request, "edge", LENGTH, write_source, nodes[0]);
  measure_check(bench_node_get_value(nodes[LENGTH]) == updates + LENGTH, "chain's end");
}

void fan_out(Request request) {
  enum { WIDTH = 1000 };
  BenchNode *source = bench_node_new(-1), **targets = make_nodes(WIDTH, -1);
  for (int i = 0; i < WIDTH; i++)
    g_object_bind_property(source, "value", targets[i], "value", G_BINDING_SYNC_CREATE);
  measure_run(request, "edge", WIDTH, write_source, source);
  for (int i = 0; i < WIDTH; i++)
    measure_check(bench_node_get_value(targets[i]) == updates, "a target");
}

enum { COMPUTED = 100 };
static BenchNode **computed, *sum;

// GObject has no computed values: each of the hundred tells the sum, as programs write it.
static void add_up(BenchNode *node, GParamSpec *spec, void *unused) {
  (void)node, (void)spec, (void)unused;
  gint64 total = 0;
  for (int i = 0; i < COMPUTED; i++) total += bench_node_get_value(computed[i]);
  bench_node_set_value(sum, total);
}

void diamond(Request request) {
  BenchNode *source = bench_node_new(0);
  computed = make_nodes(COMPUTED, -1);
  sum = bench_node_new(-1);
  for (int i = 0; i < COMPUTED; i++) {
    bind(source, computed[i], add_index, GINT_TO_POINTER(i));
    g_signal_connect(computed[i], "notify::value", G_CALLBACK(add_up), NULL);
  }
  g_signal_connect(sum, "notify::value", G_CALLBACK(run_effect), NULL);
  measure_run(request, "edge", 2 * COMPUTED + 1, write_source, source);
  measure_check(bench_node_get_value(sum) == COMPUTED * updates + 4950, "the sum");
  measure_report("runs", (double)effects / (double)updates);
}

void depth(Request request) {
  long length = request.size ? request.size : 1000;
  BenchNode **nodes = make_nodes(length + 1, -1);
  for (long i = length - 1; i >= 0; i--) bind(nodes[i], nodes[i + 1], increment, NULL);
  bench_node_set_value(nodes[0], 7);
  measure_check(bench_node_get_value(nodes[length]) == 7 + length, "chain's end");
  measure_report("depth", (double)length);
}
