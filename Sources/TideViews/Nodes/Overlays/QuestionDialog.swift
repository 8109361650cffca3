package import TideBindings
import TideGraph

/// A dialog that asks the user a question and reports the answer once.
///
/// ```swift
/// let dialog = QuestionDialog(Question(text: "Save?", buttons: ["Save", "Discard"]))
/// dialog.onAnswer = { answer in save(answer?.button == 0) }
/// scene.present(dialog)
/// ```
///
/// It is not part of a view tree: `Scene.present` shows it above everything else, and it closes
/// when it is answered. Enter presses the default button; Escape and the close button dismiss it.
package final class QuestionDialog: DialogView {
  /// Called once: with the answer, or with nil if the question is dismissed.
  package var onAnswer: ((Answer?) -> Void)?
  private let question: Question
  private var field: FieldView?
  private var list: ListView?
  private var buttons: [ButtonView] = []
  private var isOver = false
  /// The person whose action opened the question. It is shown to that person again after a
  /// reconnect.
  private weak var asker: ScenePerson?

  /// The user's answer.
  package struct Answer {
    /// The index of the button.
    package var button: Int
    package var text: String?
    /// The index of the item, from 0.
    package var item: Int?
  }

  package init(_ question: Question) {
    self.question = question
    super.init(viewClass: .dialog)
    self[.modal] = true
    self[.title] = question.title
    self[.spacing] = 1
    fill()
  }

  private func fill() {
    do {
      if !question.text.isEmpty {
        let label = LabelView(question.text)
        label[.wrap] = true
        label[.maxWidth] = 60
        // A long text scrolls, so that the buttons stay visible.
        try add(isLong(question.text) ? ViewClass.scroll.make([label]) : label)
      }
      switch question.input {
      case .none: break
      case .text(let value, let placeholder, let isSecret):
        try addField(value, placeholder, isSecret)
      case .choice(let items, let index): try addList(items, index)
      }
      let row = ViewClass.row.make()
      row[.align] = "end"
      row[.spacing] = 1
      for (index, title) in question.buttons.enumerated() {
        let button = ButtonView(title)
        button[.id] = title
        try button.on(.touchUpInside) { [weak self] _, _ in self?.press(index) }
        try row.add(button)
        buttons.append(button)
      }
      try add(row)
    } catch {
      report(error)
    }
    (field ?? list ?? defaultButton)?.focus()
  }

  private func isLong(_ text: String) -> Bool {
    text.utf8.count > 300 || text.utf8.count { $0 == UInt8(ascii: "\n") } > 5
  }

  /// The id by which specs and `views` find the input.
  package static let answerID = "answer"

  private func addField(_ value: String, _ placeholder: String, _ isSecret: Bool) throws {
    let field = FieldView(value)
    field[.id] = Self.answerID
    field[.placeholder] = placeholder
    field[.secure] = isSecret
    field[.minWidth] = 40
    field.onKey(Key(.enter)) { [weak self] _, _ in
      self?.pressDefault()
      return true
    }
    try add(field)
    self.field = field
  }

  private func addList(_ items: Value, _ index: Int?) throws {
    let list = ListView(viewClass: .list)
    list[.id] = Self.answerID
    list[.items] = items
    list[.selectedIndex] = index
    list[.minWidth] = 30
    list.onKey(Key(.enter)) { [weak self] _, _ in
      self?.pressDefault()
      return true
    }
    try add(list)
    self.list = list
  }

  private var defaultButton: ButtonView? {
    buttons.indices.contains(question.defaultButton) ? buttons[question.defaultButton] : nil
  }

  func ask(_ person: ScenePerson, whoseFocusIs view: View?) {
    belong(to: person, whoseFocusIs: view)
    asker = person
  }

  /// Whether the person's action opened the question, perhaps before a reconnect.
  package func isAsked(by person: ScenePerson) -> Bool { asker === person }

  // MARK: The answer

  private func pressDefault() { press(question.defaultButton) }

  private func press(_ index: Int) {
    if index == question.dismissingButton { return dismiss() }
    var answer = Answer(button: index)
    answer.text = field?.text
    if let list {
      // Nothing is selected yet, so there is no answer.
      guard let item = list[.selectedIndex] as Int? else { return }
      answer.item = item
    }
    finish(answer)
  }

  /// Ends the question without an answer.
  package func dismiss() { finish(nil) }

  /// Closes the question without calling `onAnswer`.
  package func withdraw() {
    onAnswer = nil
    finish(nil)
  }

  private func finish(_ answer: Answer?) {
    if isOver { return }
    isOver = true
    let tell = onAnswer
    onAnswer = nil
    if person == nil, tell != nil, let scene, let actor = scene.actor {
      scene.host.answered?(answer.map { question.buttons[$0.button] }, actor)
    }
    scene?.dismiss(self)
    tell?(answer)
  }

  package override func close(by key: Key? = nil) { dismiss() }

  // MARK: Input

  package override func handle(_ key: Key) -> Bool {
    switch key {
    case Key(.enter): pressDefault()
    case Key(.left), Key(.right): return moveAmongButtons(by: key == Key(.left) ? -1 : 1)
    default: return super.handle(key)
    }
    return true
  }

  private func moveAmongButtons(by step: Int) -> Bool {
    guard let index = buttons.firstIndex(where: \.isFocused) else { return false }
    let next = index + step
    return buttons.indices.contains(next) && buttons[next].focus()
  }
}

/// The content of a question.
package struct Question {
  package var title = ""
  package var text = ""
  /// The titles of its buttons, at least one.
  package var buttons: [String]
  /// The button that Enter presses.
  package var defaultButton = 0
  /// The button that dismisses the question; nil for none.
  package var dismissingButton: Int?
  package var input = Input.none

  package enum Input {
    /// Only buttons.
    case none
    case text(value: String, placeholder: String, isSecret: Bool)
    /// A choice of one item; `selected` is the index selected at first, from 0.
    case choice(items: Value, selected: Int?)
  }

  package init(title: String = "", text: String = "", buttons: [String]) {
    self.title = title
    self.text = text
    self.buttons = buttons
  }
}
