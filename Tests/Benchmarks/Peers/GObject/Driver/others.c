// W4 to W7.
#include "workloads.h"

void pairs(Request request) {
  long count = request.size ? request.size : 100000;
  BenchNode **sources = make_nodes(count, -1), **targets = make_nodes(count, -1);
  GBinding **bindings = g_new0(GBinding *, (gsize)count);
  double memory = measure_resident(), start = measure_now();
  for (long i = 0; i < count; i++)
    bindings[i] = g_object_bind_property(sources[i], "value", targets[i], "value",
                                         G_BINDING_SYNC_CREATE);
  double end = measure_now();
  measure_report("bytes", (measure_resident() - memory) / (double)count);
  measure_report("make", (end - start) / (double)count);
  for (int round = 0; round < 2; round++) {
    start = measure_now();
    for (long i = 0; i < count; i++) bench_node_set_value(sources[i], i + round);
    end = measure_now();
  }
  measure_report("update", (end - start) / (double)count);
  for (long i = 0; i < count; i++)
    measure_check(bench_node_get_value(targets[i]) == i + 1, "a target");
  start = measure_now();
  for (long i = 0; i < count; i++) g_binding_unbind(bindings[i]);
  measure_report("unbind", (measure_now() - start) / (double)count);
  bench_node_set_value(sources[0], -5);
  measure_check(bench_node_get_value(targets[0]) == 1, "an unbound target");
}

enum { TWO_WAY = 1000 };
static BenchNode **left, **right;

static void write_ends(void *context, long count) {
  (void)context;
  for (long round = 0; round < count; round++) {
    BenchNode **side = ++updates & 1 ? right : left;
    for (int i = 0; i < TWO_WAY; i++) bench_node_set_value(side[i], updates);
  }
}

void two_way(Request request) {
  left = make_nodes(TWO_WAY, -1);
  right = make_nodes(TWO_WAY, -1);
  for (int i = 0; i < TWO_WAY; i++)
    g_object_bind_property(left[i], "value", right[i], "value",
                           G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  measure_run(request, "update", TWO_WAY, write_ends, NULL);
  for (int i = 0; i < TWO_WAY; i++)
    measure_check(bench_node_get_value(left[i]) == updates &&
                      bench_node_get_value(right[i]) == updates, "an end");
}

static const char *const words[] = {"hello binding world alpha", "hello binding world gamma"};

static gboolean upper_case(GBinding *binding, const GValue *from, GValue *to, void *unused) {
  (void)binding, (void)unused;
  const char *text = g_value_get_string(from);
  g_value_take_string(to, text ? g_utf8_strup(text, -1) : NULL);
  return TRUE;
}

static void write_text(void *node, long count) {
  for (long i = 0; i < count; i++) bench_node_set_text(node, words[++updates & 1]);
}

void transformer(Request request) {
  BenchNode *source = bench_node_new(0), *target = bench_node_new(0);
  g_object_bind_property_full(source, "text", target, "text", G_BINDING_SYNC_CREATE, upper_case,
                              NULL, NULL, NULL);
  measure_run(request, "update", 1, write_text, source);
  char *upper = g_utf8_strup(words[updates & 1], -1);
  measure_check(g_str_equal(bench_node_get_text(target), upper), "the upper-cased string");
  g_free(upper);
}

enum { ROWS = 10000 };
static GListStore *rows, *mapped;

static BenchNode *row_at(GListStore *list, guint position) {
  return g_list_model_get_item(G_LIST_MODEL(list), position);
}

static void map_change(GListModel *list, guint position, guint removed, guint added, void *unused) {
  (void)list, (void)unused;
  void **additions = g_newa(void *, added + 1);
  for (guint i = 0; i < added; i++) {
    BenchNode *row = row_at(rows, position + i);
    additions[i] = bench_node_new(bench_node_get_value(row) * 2);
    g_object_unref(row);
  }
  g_list_store_splice(mapped, position, removed, additions, added);
  for (guint i = 0; i < added; i++) g_object_unref(additions[i]);
}

static guint random_row(void) {
  static guint32 state = 12345;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % ROWS;
}

static void edit_list(void *context, long count) {
  (void)context;
  for (long i = 0; i < count; i++) {
    BenchNode *row = bench_node_new(i);
    g_list_store_insert(rows, random_row(), row);
    g_object_unref(row);
    g_list_store_remove(rows, random_row());
  }
}

void mapped_list(Request request) {
  rows = g_list_store_new(bench_node_get_type());
  mapped = g_list_store_new(bench_node_get_type());
  g_signal_connect(rows, "items-changed", G_CALLBACK(map_change), NULL);
  for (int i = 0; i < ROWS; i++) {
    BenchNode *row = bench_node_new(i);
    g_list_store_append(rows, row);
    g_object_unref(row);
  }
  measure_run(request, "edit", 2, edit_list, NULL);
  for (guint i = 0; i < ROWS; i++) {
    BenchNode *row = row_at(rows, i), *image = row_at(mapped, i);
    measure_check(bench_node_get_value(image) == bench_node_get_value(row) * 2, "the mapped list");
    g_object_unref(row);
    g_object_unref(image);
  }
}
