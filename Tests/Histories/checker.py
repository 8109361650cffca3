#!/usr/bin/env python3
"""Checks histories of runtimes that share a model.

usage: checker.py [--allow-loss] FILE…
       checker.py --self-test

Each file is what one life of a runtime has printed, from its start to its end or to when it was killed; its
last line is `final` where it has ended. What is read is JSON, one array a line; all but the first two items
of each are texts, and the second is a time, which is shown and never compared:

  start      runtime, life, seed
  write      path, value, the value that was shown before (null for a field of a new row)
  see        path, value: shown because of somebody else
  insert     list, id, index         in   list, id: a row of others has appeared
  remove     list, id                out  list, id: a row has gone because of others
  twice      list, id: a row stands in a list more than once
  conflict   property, row or null, mine, theirs
  sync       state, pending, conflicts, error
  confirmed  pending has become 0
  final      what is shown at the end

Every value is written once, so it tells its write. Nothing is known of how models are kept the same. These
promises are checked:

  convergence   at the end all show the same values and the same rows in the same order
  lost          each written value is the last one, or those who wrote over it knew it or were told of it by
                a conflict; each inserted row is there, or was removed by who knew it
  twice         a value that was replaced does not come back, a row is in its list once
  order         there is one order of values with which all that anybody has seen agrees
  resurrection  a removed row does not come back
  unknown       what is seen was written by somebody
  events        there are as many conflict events as `sync.conflicts` says

What a runtime wrote and had not confirmed when it was killed may be lost. --allow-loss is for runs in which
the server has lost what it had: losses and values that come back are counted, and are no violations.
"""

import argparse
import collections
import json
import sys

KINDS = ("convergence", "lost", "removed", "twice", "order", "resurrection", "unknown", "events")
MOST_SHOWN = 5


class Life:
    """What one process of a runtime has done and seen."""

    def __init__(self, file):
        self.file = file
        self.runtime, self.life = "?", 0
        # Of each path what was shown, one after the other, with the lines: (value, line).
        self.shown = collections.defaultdict(list)
        self.rows = {}  # (list, id) -> "in" or "out"
        self.is_killed = True
        self.final = None
        self.last_confirmed = -1
        self.conflicts = 0
        self.sync_conflicts = 0

    @property
    def name(self):
        return f"{self.runtime}.{self.life}"


class Write:
    __slots__ = ("value", "path", "life", "line")

    def __init__(self, value, path, life, line):
        self.value, self.path, self.life, self.line = value, path, life, line


class Checker:
    def __init__(self, allow_loss=False):
        self.allow_loss = allow_loss
        self.lives = []
        self.writes = {}  # (path, value) -> Write
        self.inserts = {}  # (list, id) -> Write
        self.removals = collections.defaultdict(list)  # (list, id) -> [(life, line)]
        # (path, value) -> values of the same path that were written by who knew it.
        self.followers = collections.defaultdict(set)
        # Values and rows whose writer was told of a conflict.
        self.told = set()
        # (path, value) -> lives other than the writer's that have shown it.
        self.seen_by_others = set()
        # Values over which a row was removed by who showed them, or was told of them.
        self.removed_over = set()
        # (list, id) of rows that others than the remover have seen go.
        self.gone = {}
        self.violations = collections.defaultdict(list)
        self.counts = collections.Counter()

    # Reading

    def read(self, file, lines=None):
        life = Life(file)
        self.lives.append(life)
        source = lines if lines is not None else open(file, encoding="utf-8", errors="replace")
        for number, text in enumerate(source, 1):
            try:
                item = json.loads(text)
            except ValueError:
                # Whoever is killed may leave half a line, and nothing behind it.
                self.counts["unreadable lines"] += 1
                continue
            self.take(life, item, number)
        if lines is None:
            source.close()

    def violate(self, kind, text, *lines):
        if self.allow_loss and kind in ("lost", "removed", "twice", "order", "resurrection"):
            self.counts[f"{kind}, allowed"] += 1
            return
        self.violations[kind].append((text, lines))

    def take(self, life, item, number):
        what = item[0]
        self.counts[what] += 1
        if what == "see":
            self.show(life, sys.intern(item[2]), item[3], number)
        elif what == "write":
            path, value, before = sys.intern(item[2]), item[3], item[4]
            self.writes[path, value] = Write(value, path, life, number)
            if before is not None:
                self.followers[path, before].add(value)
            life.shown[path].append((value, number))
        elif what == "sync":
            life.sync_conflicts = max(life.sync_conflicts, int(item[4]))
        elif what == "confirmed":
            life.last_confirmed = number
        elif what == "insert":
            key = (item[2], item[3])
            self.inserts[key] = Write(item[3], item[2], life, number)
            self.enter(life, key, number)
        elif what == "in":
            key = (item[2], item[3])
            self.seen_by_others.add(key)
            self.enter(life, key, number)
        elif what == "remove":
            key = (item[2], item[3])
            self.removals[key].append((life, number))
            life.rows[key] = ("out", number)
            self.forget(life, key, removes=True)
        elif what == "out":
            key = (item[2], item[3])
            life.rows[key] = ("out", number)
            self.gone[key] = (life, number)
            self.forget(life, key, removes=False)
        elif what == "twice":
            self.violate("twice", f"row {item[3]} stands in {item[2]} more than once", (life, number))
        elif what == "conflict":
            self.take_conflict(life, item, number)
        elif what == "start":
            life.runtime, life.life = item[2], int(item[3])
        elif what == "final":
            life.final, life.final_line, life.is_killed = item[2], number, False

    def show(self, life, path, value, number):
        life.shown[path].append((value, number))
        write = self.writes.get((path, value))
        if write is None or write.life is not life:
            self.seen_by_others.add((path, value))

    def enter(self, life, key, number):
        state = life.rows.get(key)
        if state is not None:
            what = "resurrection" if state[0] == "out" else "twice"
            self.violate(
                what, f"row {key[1]} of {key[0]} comes again in {life.name}",
                (life, state[1]), (life, number))
        life.rows[key] = ("in", number)

    def forget(self, life, key, removes):
        """A row goes: what it showed is written over by who has removed it."""
        if key[0] != "rows" or not removes:
            return
        for path in paths(key[1]):
            for value, _ in life.shown.get(path, ())[-1:]:
                self.removed_over.add((path, value))

    def take_conflict(self, life, item, number):
        life.conflicts += 1
        name, row, mine, theirs = item[2:6]
        if name in ("rows", "tags"):
            # Where it stands, or that it is gone: what was written into it goes with it.
            if row is None and mine and mine.startswith("row "):
                row = mine[4:]
            self.told.add((name, row))
            if name == "rows" and row is not None:
                for path in paths(row):
                    self.told.update((path, value) for value, _ in life.shown.get(path, ()))
            return
        path = name if row is None else f"rows/{row}/{name}"
        if mine is not None:
            self.told.add((path, mine))
        if theirs is not None:
            self.seen_by_others.add((path, theirs))
            if mine is not None:
                # Mine comes after theirs.
                self.followers[path, theirs].add(mine)
            else:
                self.removed_over.add((path, theirs))

    # Checking

    def check(self):
        self.check_convergence()
        self.check_unknown()
        self.check_twice_and_order()
        self.check_rows()
        self.check_lost_writes()
        self.check_events()

    def finals(self):
        return [life for life in self.lives if life.final is not None]

    def check_convergence(self):
        finals = self.finals()
        if not finals:
            self.violations["convergence"].append(("no runtime has come to its end", ()))
            return
        first = finals[0]
        for other in finals[1:]:
            for part in sorted(set(first.final) | set(other.final)):
                mine, theirs = first.final.get(part), other.final.get(part)
                if mine == theirs:
                    continue
                self.violations["convergence"].append((
                    f"{part}: {difference(first.name, mine, other.name, theirs)}",
                    ((first, first.final_line), (other, other.final_line))))

    def check_unknown(self):
        for life in self.lives:
            for path, shown in life.shown.items():
                for value, number in shown:
                    if (path, value) not in self.writes and not is_initial(value):
                        self.violations["unknown"].append(
                            (f"{path} shows {value}, which nobody wrote", ((life, number),)))
            for key, (_, number) in life.rows.items():
                if key not in self.inserts:
                    self.violations["unknown"].append(
                        (f"row {key[1]} of {key[0]} was inserted by nobody", ((life, number),)))

    def is_confirmed(self, write):
        """Whether it may not be lost with its writer."""
        life = write.life
        return not life.is_killed or write.line <= life.last_confirmed

    def check_twice_and_order(self):
        # Values one after the other, of each path: value -> {next value: where the two are shown}.
        edges = collections.defaultdict(lambda: collections.defaultdict(dict))
        previous = {}
        for life in sorted(self.lives, key=lambda life: (life.runtime, life.life)):
            for path, shown in life.shown.items():
                runs = {}
                last = None
                for value, number in shown:
                    if is_initial(value):
                        # A life begins with what is declared, until it hears of the others.
                        if last is not None:
                            self.violate(
                                "twice", f"{path} shows its declared value again in {life.name}",
                                (life, last[1]), (life, number))
                        continue
                    if last is not None and value != last[0]:
                        if value in runs:
                            self.violate(
                                "twice",
                                f"{path} shows {value} again in {life.name}, after {last[0]}",
                                (life, runs[value]), (life, last[1]), (life, number))
                        else:
                            edges[path][last[0]].setdefault(
                                value, ((life, last[1]), (life, number)))
                    runs.setdefault(value, number)
                    last = (value, number)
                # The runtime's next life begins no earlier than where this one has ended for others.
                before = previous.get((life.runtime, path))
                first = next((one for one in shown if not is_initial(one[0])), None)
                if before is not None and first is not None and first[0] != before[0]:
                    edges[path][before[0]].setdefault(first[0], (before[1], (life, first[1])))
                for value, number in reversed(shown):
                    write = self.writes.get((path, value))
                    if write is None or write.life is not life or self.is_confirmed(write):
                        if not is_initial(value):
                            previous[life.runtime, path] = (value, (life, number))
                        break
        for path, graph in edges.items():
            for cycle in cycles(graph):
                lines = []
                for one, other in zip(cycle, cycle[1:] + cycle[:1]):
                    lines += graph[one][other]
                self.violate(
                    "order", f"{path}: {' before '.join(shortened(cycle + cycle[:1]))}", *lines)

    def check_rows(self):
        finals = self.finals()
        if not finals:
            return
        final = finals[0]
        present = {("rows", row[0]) for row in final.final["rows"]}
        present |= {("tags", value) for value in final.final["tags"]}
        for key, insert in self.inserts.items():
            if key in present:
                removal = next(
                    (removal for removal in self.removals.get(key, ()) if self.is_confirmed(
                        Write(key[1], key[0], *removal))), None) or self.gone.get(key)
                if removal is not None:
                    self.violate(
                        "resurrection", f"row {key[1]} of {key[0]} was removed and is there at the end",
                        removal, (final, final.final_line))
                continue
            if key in self.removals or key in self.told:
                continue
            if key in self.seen_by_others or self.is_confirmed(insert):
                lines = [(insert.life, insert.line)]
                if key in self.gone:
                    lines.append(self.gone[key])
                self.violate(
                    "lost", f"row {key[1]} of {key[0]} is gone, and nobody has removed it", *lines)

    def check_lost_writes(self):
        finals = self.finals()
        if not finals:
            return
        final = finals[0].final
        last = {name: value for name, value in final.items() if isinstance(value, str)}
        for row in final["rows"]:
            for path, value in zip(paths(row[0]), row[1:]):
                last[path] = value
        # From the ends back to what led there.
        accounted = set(last.items()) | self.removed_over | self.told
        predecessors = collections.defaultdict(list)
        for (path, before), following in self.followers.items():
            for value in following:
                predecessors[path, value].append((path, before))
        waiting = list(accounted)
        while waiting:
            for before in predecessors.get(waiting.pop(), ()):
                if before not in accounted:
                    accounted.add(before)
                    waiting.append(before)
        for key, write in self.writes.items():
            if key in accounted:
                continue
            path, value = key
            if path.startswith("rows/"):
                row = ("rows", path.split("/")[1])
                # Lost with a row that was never confirmed, or that is reported as lost itself.
                if row not in self.removals and path not in last:
                    continue
            if key not in self.seen_by_others and not self.is_confirmed(write):
                self.counts["writes lost with their writer"] += 1
                continue
            lines = [(write.life, write.line)]
            shown = write.life.shown[path]
            for index, (other, number) in enumerate(shown):
                if other == value and index + 1 < len(shown):
                    lines.append((write.life, shown[index + 1][1]))
            if path.startswith("rows/") and path not in last:
                kind, reason = "removed", "its row was removed by who did not know it"
                lines += self.removals[row][:1]
            else:
                kind = "lost"
                reason = "it was replaced by who did not know it"
                if path in last:
                    reason += f"; at the end there is {last[path]}"
            self.violate(kind, f"{path} = {value} of {write.life.name}: {reason}", *lines)

    def check_events(self):
        for life in self.finals():
            if life.conflicts != life.sync_conflicts:
                self.violations["events"].append((
                    f"{life.name} had {life.conflicts} conflict events, and sync.conflicts is "
                    f"{life.sync_conflicts}", ()))

    # Reporting

    def report(self, out=sys.stdout):
        counts = self.counts
        print(
            f"{len(self.lives)} histories of {len({life.runtime for life in self.lives})} runtimes, "
            f"{sum(life.is_killed for life in self.lives)} of them killed: "
            f"{len(self.writes):,} writes, {counts['insert']:,} insertions, {counts['remove']:,} "
            f"removals, {counts['move']:,} moves, {counts['see'] + counts['in'] + counts['out']:,} "
            f"changes seen, {counts['conflict']:,} conflicts", file=out)
        for name in sorted(counts):
            if name.endswith(", allowed") or " " in name:
                print(f"{name}: {counts[name]:,}", file=out)
        for kind in KINDS:
            found = self.violations.get(kind, ())
            if not found:
                continue
            print(f"VIOLATION {kind}: {len(found):,}", file=out)
            for text, lines in sorted(found, key=lambda one: len(one[1]))[:MOST_SHOWN]:
                print(f"  {text}", file=out)
                for life, number in lines[:8]:
                    print(f"    {life.file}:{number}: {line(life.file, number)}", file=out)
        is_fine = not any(self.violations.values())
        verdict = "keep all" if is_fine else "break"
        print(f"The histories {verdict} promises.", file=out)
        return is_fine


def paths(row):
    return f"rows/{row}/name", f"rows/{row}/text"


def is_initial(value):
    return value == "0"


def line(file, number):
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            for index, text in enumerate(lines, 1):
                if index == number:
                    return text.rstrip()[:160]
    except OSError:
        pass
    return ""


def difference(one, mine, other, theirs):
    if isinstance(mine, list) and isinstance(theirs, list):
        for index in range(max(len(mine), len(theirs))):
            left = mine[index] if index < len(mine) else None
            right = theirs[index] if index < len(theirs) else None
            if left != right:
                return (
                    f"{one} has {len(mine)} rows and {other} {len(theirs)}; the first that differs is "
                    f"{index + 1}: {left} and {right}")
    return f"{one} shows {mine}, {other} shows {theirs}"


def cycles(graph):
    """A shortest cycle of each strongly connected part of a graph: value -> {next value}."""
    index, low, stack, on_stack = {}, {}, [], set()
    parts = []
    for root in graph:
        if root in index:
            continue
        # Tarjan's algorithm, without recursion.
        work = [(root, iter(graph.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, nexts = work[-1]
            for following in nexts:
                if following not in index:
                    index[following] = low[following] = len(index)
                    stack.append(following)
                    on_stack.add(following)
                    work.append((following, iter(graph.get(following, ()))))
                    break
                if following in on_stack:
                    low[node] = min(low[node], index[following])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set()
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        part.add(member)
                        if member == node:
                            break
                    if len(part) > 1:
                        parts.append(part)
    for part in parts:
        best = None
        for start in list(part)[:50]:
            found = shortest_cycle(graph, part, start)
            if found and (best is None or len(found) < len(best)):
                best = found
        if best:
            yield best


def shortened(values):
    return values if len(values) < 12 else values[:5] + [f"… {len(values) - 10} more …"] + values[-5:]


def shortest_cycle(graph, part, start):
    before = {start: None}
    queue = collections.deque([start])
    while queue:
        node = queue.popleft()
        for following in graph.get(node, ()):
            if following == start:
                cycle = []
                while node is not None:
                    cycle.append(node)
                    node = before[node]
                return cycle[::-1]
            if following in part and following not in before:
                before[following] = node
                queue.append(following)
    return None


# Self test


def history(runtime, *items, life=1):
    return [json.dumps(["start", 0, str(runtime), str(life), "1"])] + [
        json.dumps([item[0], index] + list(item[1:])) for index, item in enumerate(items, 1)]


def final(title, rows=(), tags=()):
    return "final", {"title": title, "rows": [list(row) for row in rows], "tags": list(tags)}


CONFIRMED = ("confirmed", "1")
ROW = (
    ("insert", "rows", "r", "1"), ("write", "rows/r/name", "n", None),
    ("write", "rows/r/text", "t", None))
SEEN_ROW = ("in", "rows", "r"), ("see", "rows/r/name", "n"), ("see", "rows/r/text", "t")
WRITTEN = ("write", "title", "a", "0")

# A name, the kind of violation that is to be found or None, and the histories.
CASES = [
    ("one writes over what the other has written", None, [
        history(1, WRITTEN, CONFIRMED, ("see", "title", "b"), final("b")),
        history(2, ("see", "title", "a"), ("write", "title", "b", "a"), CONFIRMED, final("b"))]),
    ("a conflict that is told", None, [
        history(1, WRITTEN, CONFIRMED, ("see", "title", "b"), final("b")),
        history(2, ("write", "title", "b", "0"), ("conflict", "title", None, "b", "a"),
                ("sync", "live", "0", "1", ""), CONFIRMED, final("b"))]),
    ("a row that is edited, moved and removed", None, [
        history(1, *ROW, CONFIRMED, ("out", "rows", "r"), final("0")),
        history(2, *SEEN_ROW, ("remove", "rows", "r"), CONFIRMED, final("0"))]),
    ("an edit of a row that is removed, which its writer is told of", None, [
        history(1, *ROW, CONFIRMED, ("write", "rows/r/name", "m", "n"), ("out", "rows", "r"),
                ("conflict", "rows", None, "row r", None), ("sync", "live", "0", "1", ""),
                CONFIRMED, final("0")),
        history(2, *SEEN_ROW, ("remove", "rows", "r"), CONFIRMED, final("0"))]),
    ("a write that is lost with its writer", None, [
        history(1, WRITTEN),
        history(1, final("0"), life=2),
        history(2, final("0"))]),
    ("a write that is applied although its writer was killed", None, [
        history(1, WRITTEN),
        history(1, ("see", "title", "a"), final("a"), life=2),
        history(2, ("see", "title", "a"), final("a"))]),
    ("a removal that is lost with its writer", None, [
        history(1, *ROW, CONFIRMED, final("0", [("r", "n", "t")])),
        history(2, *SEEN_ROW, ("remove", "rows", "r")),
        history(2, *SEEN_ROW, final("0", [("r", "n", "t")]), life=2)]),
    ("different values at the end", "convergence", [
        history(1, WRITTEN, CONFIRMED, final("a")), history(2, final("0"))]),
    ("another order of rows at the end", "convergence", [
        history(1, ("insert", "tags", "x", "1"), ("insert", "tags", "y", "2"), CONFIRMED,
                final("0", tags="xy")),
        history(2, ("in", "tags", "x"), ("in", "tags", "y"), final("0", tags="yx"))]),
    ("nobody comes to an end", "convergence", [history(1, WRITTEN)]),
    ("a confirmed write that is replaced by who did not know it", "lost", [
        history(1, WRITTEN, CONFIRMED, ("see", "title", "b"), final("b")),
        history(2, ("write", "title", "b", "0"), CONFIRMED, final("b"))]),
    ("a confirmed write of a killed runtime that is gone", "lost", [
        history(1, WRITTEN, CONFIRMED),
        history(2, final("0"))]),
    ("a write that others have seen and that is gone with its writer", "lost", [
        history(1, WRITTEN),
        history(2, ("see", "title", "a"), ("see", "title", "b"), final("b")),
        history(3, ("write", "title", "b", "0"), final("b"))]),
    ("a write that only reached who was killed, and is gone", "lost", [
        history(1, WRITTEN, CONFIRMED, final("0")),
        history(2, ("see", "title", "a"), ("write", "title", "b", "a")),
        history(3, final("0"))]),
    ("a row that is gone", "lost", [
        history(1, *ROW, CONFIRMED, ("out", "rows", "r"), final("0")), history(2, final("0"))]),
    ("a confirmed edit of a row that is removed by who did not know it", "removed", [
        history(1, *ROW, CONFIRMED, ("write", "rows/r/name", "m", "n"), CONFIRMED, ("out", "rows", "r"),
                final("0")),
        history(2, *SEEN_ROW, ("remove", "rows", "r"), CONFIRMED, final("0"))]),
    ("a value that comes back", "twice", [
        history(1, WRITTEN, CONFIRMED, ("see", "title", "b"), ("see", "title", "a"), final("a")),
        history(2, ("see", "title", "a"), ("write", "title", "b", "a"), ("see", "title", "a"),
                CONFIRMED, final("a"))]),
    ("a row that is there twice", "twice", [
        history(1, ("insert", "tags", "x", "1"), CONFIRMED, ("twice", "tags", "x"),
                final("0", tags="xx")),
        history(2, ("in", "tags", "x"), final("0", tags="xx"))]),
    ("a row that is inserted twice", "twice", [
        history(1, *ROW, CONFIRMED, ("in", "rows", "r"), final("0", [("r", "n", "t")]))]),
    ("two who see values in different order", "order", [
        history(1, WRITTEN, CONFIRMED, final("c")),
        history(2, ("see", "title", "a"), ("write", "title", "b", "a"), CONFIRMED,
                ("see", "title", "c"), final("c")),
        history(3, ("see", "title", "b"), ("write", "title", "c", "b"), CONFIRMED, final("c")),
        history(4, ("see", "title", "a"), ("see", "title", "b"), ("see", "title", "c"), final("c")),
        history(5, ("see", "title", "b"), ("see", "title", "a"), ("see", "title", "c"), final("c"))]),
    ("an older value in the next life of a runtime", "order", [
        history(1, WRITTEN, CONFIRMED, final("b")),
        history(2, ("see", "title", "a"), ("see", "title", "b")),
        history(2, ("see", "title", "a"), ("see", "title", "b"), final("b"), life=2),
        history(3, ("see", "title", "a"), ("write", "title", "b", "a"), CONFIRMED, final("b"))]),
    ("a removed row that comes back", "resurrection", [
        history(1, *ROW, CONFIRMED, ("out", "rows", "r"), ("in", "rows", "r"),
                final("0", [("r", "n", "t")])),
        history(2, *SEEN_ROW, ("remove", "rows", "r"), CONFIRMED, ("in", "rows", "r"),
                final("0", [("r", "n", "t")]))]),
    ("a removed row that is there at the end", "resurrection", [
        history(1, *ROW, CONFIRMED, final("0", [("r", "n", "t")])),
        history(2, *SEEN_ROW, ("remove", "rows", "r"), CONFIRMED),
        history(2, *SEEN_ROW, final("0", [("r", "n", "t")]), life=2)]),
    ("the declared value comes back", "twice", [
        history(1, ("see", "title", "0"), WRITTEN, CONFIRMED, ("see", "title", "0"), final("0")),
        history(2, final("0"))]),
    ("a life begins with the declared value", None, [
        history(1, WRITTEN, CONFIRMED, final("a")),
        history(2, ("see", "title", "0"), ("see", "title", "a")),
        history(2, ("see", "title", "0"), ("see", "title", "a"), final("a"), life=2)]),
    ("a value that nobody wrote", "unknown", [
        history(1, ("see", "title", "z"), final("z")), history(2, ("see", "title", "z"), final("z"))]),
    ("a conflict without an event", "events", [
        history(1, WRITTEN, ("sync", "live", "0", "1", ""), CONFIRMED, final("a"))]),
]


def self_test():
    failed = 0
    for name, kind, histories in CASES:
        checker = Checker()
        for index, lines in enumerate(histories, 1):
            checker.read(f"{index}", lines)
        checker.check()
        found = {kind for kind, all in checker.violations.items() if all}
        is_right = kind in found if kind else not found
        if not is_right:
            failed += 1
            print(f"{name}: expected {kind or 'nothing'}, found {sorted(found) or 'nothing'}")
            for all in checker.violations.values():
                for text, _ in all:
                    print(f"  {text}")
    print(f"{len(CASES) - failed} of {len(CASES)} cases are judged as they should be")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(
        usage=__doc__.split("usage: ")[1].split("\n\n")[0],
        description="Checks histories of runtimes that share a model; see the head of this file.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--allow-loss", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return 0 if self_test() else 1
    checker = Checker(options.allow_loss)
    for file in options.files:
        checker.read(file)
    checker.check()
    return 0 if checker.report() else 1


if __name__ == "__main__":
    sys.exit(main())
