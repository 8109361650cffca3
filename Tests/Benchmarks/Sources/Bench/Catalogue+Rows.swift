extension Catalogue {
  /// Lists, and how everything grows.
  static var rows: [Section] { [insertion, smallestSet, opening, scrolling, growth] }

  private static var insertion: Section {
    let subjects: KeyValuePairs<String, Subject> = [
      "sorted": .sorted, "filtered": .filtered, "compared": .compared,
    ]
    return Section(
      id: "R1", title: "insert a row into a list of 100,000 that is arranged",
      figures: [Figure(measure: "insert", title: "ns an insertion")],
      rows: subjects.map { Row(subject: $0.value, program: ours, argument: "insert \($0.key)") },
      goals: Goal.limits(subjects.map(\.value), "insert", 20_000)
        + [.atMost(.compared, "insert", 5, of: .sorted)])
  }

  private static var smallestSet: Section {
    Section(
      id: "R2", title: "set a list of 10,000 of which 10 differ",
      figures: Figure.list(["set": "ns", "told": "rows reported"]),
      rows: [Row(subject: .tidelock, program: ours, argument: "set")],
      goals: [Goal(subject: .tidelock, measure: "told", limit: 10)])
  }

  private static var opening: Section {
    let figure = Figure(measure: "open", title: "ns to the first frame")
    return Section(
      id: "R3", title: "open a list view of many rows, 80x24",
      figures: [figure],
      rows: [
        Row(subject: .feed, program: ours, argument: "open feed", sizes: [1000]),
        Row(subject: .largeFeed, program: ours, argument: "open feed", sizes: [1_000_000]),
        Row(subject: .list, program: ours, argument: "open list", sizes: [1000]),
        Row(subject: .largeList, program: ours, argument: "open list", sizes: [1_000_000]),
      ],
      goals: [
        .atMost(.largeFeed, "open", 1.5, of: .feed), .atMost(.largeList, "open", 3, of: .list),
      ])
  }

  private static var scrolling: Section {
    Section(
      id: "R4", title: "scroll a list view of 100,000 rows by a page, 80x24",
      figures: [Figure(measure: "page", title: "ns a page")],
      rows: [
        Row(subject: .equalRows, program: ours, argument: "scroll fixed", sizes: [100_000]),
        Row(subject: .flexibleRows, program: ours, argument: "scroll auto", sizes: [100_000]),
      ],
      goals: [.atMost(.flexibleRows, "page", 2, of: .equalRows)])
  }

  /// Pairs from a thousand to a million, drawn: a flat line is a cost that does not grow.
  private static var growth: Section {
    let sizes = [1000, 10_000, 100_000, 1_000_000]
    return Section(
      id: "G1", title: "growth: make, update, unbind, by the number of pairs",
      figures: Figure.list([
        "make": "ns to make", "update": "to update", "unbind": "to unbind", "bytes": "bytes",
      ]),
      rows: sizes.flatMap { size in
        [
          Row(subject: .pairs(size), program: ours, argument: "W4", sizes: [size]),
          Row(subject: .qtPairs(size), program: "QtPeer", argument: "W4", sizes: [size]),
        ]
      },
      // What lies in no cache any more costs more; what grows with the number would be a thousand
      // times as dear.
      goals: ["make", "update", "unbind"].map {
        .atMost(.pairs(1_000_000), $0, 3, of: .pairs(1000))
      },
      period: 5, isPlotted: true)
  }
}
