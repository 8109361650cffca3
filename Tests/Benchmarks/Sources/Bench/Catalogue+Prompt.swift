extension Catalogue {
  /// What a person waits for at the prompt.
  static var prompt: [Section] { [promptStart, completion, driving] }

  private static var promptStart: Section {
    Section(
      id: "P1", title: "tidelock repl -e 'print(1)' to what it prints",
      figures: Figure.list(["start": "ms", "beyond": "ms beyond lua5.4"]),
      rows: [Row(subject: .tidelock, program: "ViewsDriver", argument: "prompt")],
      goals: Goal.limits(.tidelock, ["start": 25, "beyond": 10]))
  }

  private static var driving: Section {
    Section(
      id: "P3", title: "tidelock drive: a verb as a process, and among 3,000 on one connection",
      figures: Figure.list(["process": "ms", "verb": "ms each", "missed": "frames missed a second"]
      ),
      rows: [Row(subject: .tidelock, program: "ViewsDriver", argument: "drive")],
      goals: Goal.limits(.tidelock, ["process": 15, "verb": 1, "missed": 1]))
  }

  private static var completion: Section {
    let subjects: [(subject: Subject, argument: String)] = [
      (.globals, "complete globals"), (.properties, "complete properties"), (.ids, "complete ids"),
    ]
    return Section(
      id: "P2", title: "completion of a word that 10,000 names begin with",
      figures: [Figure(measure: "complete", title: "ms")],
      rows: subjects.map {
        Row(subject: $0.subject, program: "ViewsDriver", argument: $0.argument)
      },
      goals: Goal.limits(subjects.map(\.subject), "complete", 5))
  }
}
