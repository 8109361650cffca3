extension Catalogue {
  /// What a person waits for at the prompt.
  static var prompt: [Section] { [promptStart, completion] }

  private static var promptStart: Section {
    Section(
      id: "P1", title: "tidelock repl -e 'print(1)' to what it prints",
      figures: Figure.list(["start": "ms", "beyond": "ms beyond lua5.4"]),
      rows: [Row(subject: .tidelock, program: "ViewsDriver", argument: "prompt")],
      goals: Goal.limits(.tidelock, ["start": 25, "beyond": 10]))
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
