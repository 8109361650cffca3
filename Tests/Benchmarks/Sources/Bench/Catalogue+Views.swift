extension Catalogue {
  /// What people see: frames, lists and the start of an app, in a terminal that nobody looks at.
  static var views: [Section] { [screen, cell, longList, start] }

  private static let frame = Figure(measure: "frame", title: "ms a frame")

  private static func besideNcurses(_ workload: String) -> [Row] {
    [
      Row(subject: .tidelock, program: "ViewsDriver", argument: workload),
      Row(subject: .ncurses, program: "NcursesPeer", argument: workload),
    ]
  }

  private static var screen: Section {
    Section(
      id: "V1", title: "10,000 bound labels of 200x50 change, one frame", figures: [frame],
      rows: besideNcurses("screen")
        + [Row(subject: .textual, program: "ViewsDriver", argument: "textual screen")],
      goals: [
        Goal(subject: .tidelock, measure: "frame", limit: 1.5),
        .atMost(.tidelock, "frame", 4, of: .ncurses),
      ])
  }

  private static var cell: Section {
    Section(
      id: "V2", title: "one of them changes, one frame",
      figures: [frame, Figure(measure: "bytes", title: "bytes a frame")],
      rows: besideNcurses("cell"),
      goals: [Goal(subject: .tidelock, measure: "bytes", limit: 34)])
  }

  private static var longList: Section {
    Section(
      id: "V3", title: "a list view of 1,000,000 rows, 80x24: a key and its frame",
      figures: [frame],
      rows: [
        Row(subject: .page, program: "ViewsDriver", argument: "page"),
        Row(subject: .ends, program: "ViewsDriver", argument: "ends"),
      ],
      goals: Goal.limits([.page, .ends], "frame", 5))
  }

  private static var start: Section {
    Section(
      id: "V4", title: "tidelock run examples/fruit/app.lua to its first frame",
      figures: [Figure(measure: "frame", title: "ms")],
      rows: [Row(subject: .tidelock, program: "ViewsDriver", argument: "start")],
      goals: [Goal(subject: .tidelock, measure: "frame", limit: 30)])
  }
}
