import TideBindings
import TideGraph
import TideLua
package import TideViews

/// The questions that tasks wait for, the latest last.
struct Questions {
  var open: [QuestionDialog] = [] {
    didSet { onChange() }
  }
  /// Called when a question is asked, answered, hidden or shown again.
  var onChange: () -> Void = {}
  /// The number of successive questions that were dismissed because nobody can answer.
  var unanswered = 0

  /// Ends a script that keeps asking when nobody can answer.
  static let mostUnanswered = 100
}

// Dialogs of waiting tasks. They are shown above the app's view, and persist when that is replaced.
extension Runtime {
  /// Makes a call wait for a person's answer. The result is nil without an answer.
  ///
  /// - Parameter lower: converts an answer to the results of the call.
  func wait(
    _ call: borrowing LuaCall, in name: String, for question: Question,
    giving lower: @escaping (Runtime, QuestionDialog.Answer) throws -> [LuaValue]
  ) throws {
    guard call.canSuspend else { return try wait(call, in: name) { _ in Wait.Handle(cancel: {}) } }
    try charge(Self.size(properties: 30) * (question.buttons.count + 4))
    try wait(call, in: name) { [home] task in
      let runtime = try home.requireRuntime()
      if runtime.views.questions.unanswered >= Questions.mostUnanswered {
        throw TideError(
          .async,
          "nobody is there who could answer \(name), which has been called again and again")
      }
      let dialog = QuestionDialog(question)
      dialog.onAnswer = { [weak dialog] answer in
        guard let runtime = home.runtime else { return }
        runtime.views.questions.open.removeAll { $0 === dialog }
        if answer != nil { runtime.views.questions.unanswered = 0 }
        task.arrive(Result { try answer.map { try lower(runtime, $0) } ?? [.nil] })
      }
      runtime.ask(dialog)
      return Wait.Handle(
        cancel: {
          dialog.withdraw()
          home.runtime?.views.questions.open.removeAll { $0 === dialog }
        },
        setEnabled: {
          dialog[.hidden] = !$0
          home.runtime?.views.questions.onChange()
        })
    }
  }

  private func ask(_ dialog: QuestionDialog) {
    views.questions.open.append(dialog)
    if let rollback = loader.rollback {
      rollback.onCommit { [weak self] in self?.presentQuestions() }
    } else {
      presentQuestions()
    }
    if scene != nil { return }
    // The main script shows its view at its end. If there is none, the question is shown alone.
    loop.after(0) { [home, weak dialog] in
      guard let runtime = home.runtime, runtime.scene == nil, let dialog,
        runtime.views.questions.open.contains(where: { $0 === dialog })
      else { return }
      let scene = Scene()
      runtime.scene = scene
      runtime.onShow?(scene)
    }
  }

  /// Whether a question is shown that a person can answer.
  package var isAskingQuestion: Bool {
    if views.questions.open.isEmpty { return false }
    return graph.entered {
      graph.untracked { views.questions.open.contains { !$0[.hidden] } }
    }
  }

  /// Called when a question is asked, answered, hidden or shown again.
  package var onQuestionChange: () -> Void {
    get { views.questions.onChange }
    set { views.questions.onChange = newValue }
  }

  /// Shows the open questions in the app's current scene.
  func presentQuestions() {
    guard let scene, !views.questions.open.isEmpty else { return }
    for dialog in views.questions.open { scene.present(dialog) }
  }

  /// Dismisses open questions, because nobody can answer them, until there is other work or no
  /// question is left. Returns whether there is work.
  package func dismissQuestions() -> Bool {
    if views.questions.open.isEmpty { return false }
    while !views.questions.open.isEmpty, !loop.hasWork {
      let open = views.questions.open
      views.questions.unanswered += 1
      home.runWithinBudget {
        for dialog in open.reversed() { dialog.dismiss() }
      }
    }
    return loop.hasWork
  }

  /// The view with an id that a person can reach: in the topmost question, or else in the app's
  /// view.
  package func reachableView(withID id: String) -> View? {
    graph.untracked {
      for dialog in scene?.presented ?? [] {
        if dialog[.id] == id { return dialog }
        if let found = dialog.find(id) { return found }
      }
      return view(withID: id)
    }
  }

  /// The reachable view with an id, or with a unique title.
  ///
  /// - Parameter place: what follows "no shown view" in messages.
  /// - Throws: `unknownView` with the nearest name, or with the views that have the title.
  package func shownView(named name: String, in scene: Scene, _ place: String = "") throws -> View {
    if let view = reachableView(withID: name) { return view }
    let byTitle = graph.untracked { scene.shownViewsByTitle }
    guard let titled = byTitle[name] else {
      let hint = NearestName.hintOrNames(for: name, in: viewIDs + byTitle.keys.sorted())
      throw TideError(.unknownView, "no shown view\(place) has the id or title \"\(name)\"\(hint)")
    }
    if titled.count == 1 { return titled[0] }
    let list = graph.untracked { titled.map { "\n  " + describe($0) }.joined() }
    throw TideError(
      .unknownView,
      "\(titled.count) shown views\(place) have the title \"\(name)\"; give an id to the one that you "
        + "mean:\(list)")
  }

  /// Describes a view, with the script line that made it.
  private func describe(_ view: View) -> String {
    let location = view.slot(named: "title").flatMap { bindings.originLocation(of: $0) }
    return view.callNameWithin + (location.map { " (\($0))" } ?? "")
  }
}
