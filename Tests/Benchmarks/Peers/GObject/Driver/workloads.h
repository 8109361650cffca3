#pragma once

#include <Measure.h>

#include "node.h"

/// How many updates were written, how often the effect ran, and what it saw.
extern gint64 updates, effects, sink;

BenchNode **make_nodes(long count, gint64 value);
/// A workload's iteration: writes the next number to a node.
void write_source(void *node, long count);
/// A `notify` handler that counts.
void run_effect(BenchNode *node, GParamSpec *spec, void *unused);

void chain(Request request);
void fan_out(Request request);
void diamond(Request request);
void pairs(Request request);
void two_way(Request request);
void transformer(Request request);
void mapped_list(Request request);
void depth(Request request);
