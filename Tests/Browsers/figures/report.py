"""What was measured and what should have been, printed as `scripts/bench` prints it.

    section = Section("client", "the client", {"gzip": "bytes"})
    section.add("Tidelock", gzip=11500)
    section.goals.append(Goal("Tidelock", "gzip", 12288))
    print_table(section)
"""

import json
import math
import statistics
from dataclasses import dataclass, field


@dataclass
class Goal:
    subject: str
    measure: str
    limit: float
    # The limit is how much more than this one's figure it may be.
    other: str | None = None
    is_minimum: bool = False

    def describe(self, section):
        figure = f"{self.subject}, {section.figures[self.measure]}"
        limit = brief(self.limit)
        if self.other:
            return f"{figure}: at most {limit} more than {self.other}"
        return f"{figure}: at {'least' if self.is_minimum else 'most'} {limit}"

    def measured(self, section):
        """The figure, or how much more than the other's it is; None where it was not measured."""
        figure = section.median(self.subject, self.measure)
        if self.other is None or figure is None:
            return figure
        base = section.median(self.other, self.measure)
        return None if base is None else figure - base

    def is_met(self, section):
        measured = self.measured(section)
        if measured is None:
            return None
        return measured >= self.limit if self.is_minimum else measured <= self.limit


@dataclass
class Section:
    id: str
    title: str
    figures: dict[str, str]  # by their names, the titles of the columns
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out, and why
    samples: dict[str, dict[str, list[float]]] = field(default_factory=dict)  # by subject and figure

    def add(self, subject, **figures):
        """Adds a sample of some figures of a subject."""
        row = self.samples.setdefault(subject, {})
        for name, value in figures.items():
            row.setdefault(name, []).append(value)

    def median(self, subject, measure):
        values = self.samples.get(subject, {}).get(measure)
        return statistics.median(values) if values else None


def percentile(values, part):
    """The least value that so large a part of all are not above."""
    return sorted(values)[max(0, math.ceil(len(values) * part) - 1)]


def brief(number):
    """Enough digits to tell a value from its limit."""
    digits = 3 if abs(number) < 10 else 1 if abs(number) < 1000 else 0
    return f"{round(number, digits):g}" if digits else f"{number:.0f}"


def fixed(number):
    return f"{number:.0f}" if number >= 1000 else f"{number:.1f}" if number >= 100 else f"{number:.2f}"


def print_table(section):
    """Prints results for people: a row for each subject, its ratios to the first one, the goals."""
    print(f"\n{section.id}  {section.title}")
    subjects = list(section.samples)
    if subjects:
        width = max(map(len, subjects)) + 2
        print(" " * width + "".join(f" {title:>14}   ratio" for title in section.figures.values()))
        for subject in subjects:
            print(f"{subject:<{width}}" + "".join(cell(section, subject, each) for each in section.figures))
    for note in section.notes:
        print(f"  {note}")
    for goal in section.goals:
        measured = goal.measured(section)
        mark = {True: "met", False: "MISSED", None: "not measured"}[goal.is_met(section)]
        suffix = "" if measured is None else f": {brief(measured)}"
        print(f"  {goal.describe(section)} - {mark}{suffix}")
    print(end="", flush=True)


def cell(section, subject, measure):
    value = section.median(subject, measure)
    if value is None:
        return f" {'-':>14}" + " " * 8
    ours = section.median(next(iter(section.samples)), measure)
    return f" {fixed(value):>14} {fixed(value / ours) if ours else '':>7}"


def print_lines(section):
    """Prints results for programs: one JSON object a line."""
    for subject, row in section.samples.items():
        for measure, values in row.items():
            ours = section.median(next(iter(section.samples)), measure)
            median = statistics.median(values)
            print_line(
                workload=section.id, subject=subject, measure=measure, unit=section.figures[measure],
                median=median, low=min(values), high=max(values),
                ratioToOurs=median / ours if ours else None)
    for goal in section.goals:
        print_line(
            workload=section.id, subject=goal.subject, measure=goal.measure,
            goal=goal.describe(section), limit=goal.limit, measured=goal.measured(section),
            met=goal.is_met(section))
    for note in section.notes:
        print_line(workload=section.id, note=note)


def print_line(**members):
    print(json.dumps(members, sort_keys=True, ensure_ascii=False), flush=True)
