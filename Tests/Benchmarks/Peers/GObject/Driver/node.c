#include "node.h"

struct _BenchNode {
  GObject parent;
  gint64 value;
  char *text;
};

G_DEFINE_FINAL_TYPE(BenchNode, bench_node, G_TYPE_OBJECT)

enum { PROP_VALUE = 1, PROP_TEXT, PROP_COUNT };
static GParamSpec *properties[PROP_COUNT];

gint64 bench_node_get_value(BenchNode *node) { return node->value; }

void bench_node_set_value(BenchNode *node, gint64 value) {
  if (node->value == value) return;
  node->value = value;
  g_object_notify_by_pspec(G_OBJECT(node), properties[PROP_VALUE]);
}

const char *bench_node_get_text(BenchNode *node) { return node->text; }

void bench_node_set_text(BenchNode *node, const char *text) {
  if (g_strcmp0(node->text, text) == 0) return;
  g_free(node->text);
  node->text = g_strdup(text);
  g_object_notify_by_pspec(G_OBJECT(node), properties[PROP_TEXT]);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  BenchNode *node = BENCH_NODE(object);
  if (id == PROP_VALUE) g_value_set_int64(value, node->value);
  else if (id == PROP_TEXT) g_value_set_string(value, node->text);
  else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  BenchNode *node = BENCH_NODE(object);
  if (id == PROP_VALUE) bench_node_set_value(node, g_value_get_int64(value));
  else if (id == PROP_TEXT) bench_node_set_text(node, g_value_get_string(value));
  else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void finalize(GObject *object) {
  g_free(BENCH_NODE(object)->text);
  G_OBJECT_CLASS(bench_node_parent_class)->finalize(object);
}

static void bench_node_class_init(BenchNodeClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->get_property = get_property;
  object->set_property = set_property;
  object->finalize = finalize;
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  properties[PROP_VALUE] =
      g_param_spec_int64("value", NULL, NULL, G_MININT64, G_MAXINT64, 0, flags);
  properties[PROP_TEXT] = g_param_spec_string("text", NULL, NULL, NULL, flags);
  g_object_class_install_properties(object, PROP_COUNT, properties);
}

static void bench_node_init(BenchNode *node) { (void)node; }

BenchNode *bench_node_new(gint64 value) {
  BenchNode *node = g_object_new(bench_node_get_type(), NULL);
  node->value = value;
  return node;
}
