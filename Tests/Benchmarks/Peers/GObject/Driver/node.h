// An object with an observable number and an observable string, written as GObject asks for it:
// properties with explicit notification, setters that notify by their description.
#pragma once

#include <gio/gio.h>

G_DECLARE_FINAL_TYPE(BenchNode, bench_node, BENCH, NODE, GObject)

BenchNode *bench_node_new(gint64 value);
gint64 bench_node_get_value(BenchNode *node);
void bench_node_set_value(BenchNode *node, gint64 value);
const char *bench_node_get_text(BenchNode *node);
void bench_node_set_text(BenchNode *node, const char *text);
