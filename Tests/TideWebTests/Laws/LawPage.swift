import TideBindings
import TideScript
import TideSystem

@testable import TideViews
@testable import TideWeb

/// A model of the page's script without a browser: it keeps events until they are acknowledged,
/// owns the text that is being edited, and has a focus of its own. Keep it in step with
/// `client.js`.
final class LawPage {
  private(set) var mirror = PageMirror()
  private(set) var line: LawLine?
  private(set) var session = ""
  /// Who has opened it; nil if that is unknown.
  let person: String?
  private var isReady = false
  private var lastNumber = 0
  private var acknowledged = 0
  private var unacknowledged: [Event] = []
  /// By the number of the view.
  private var states: [Int: State] = [:]
  /// How many messages it has taken in, and before the last one.
  private(set) var heard = 0
  private var former = 0
  private(set) var focus = 0 {
    didSet { if focus != oldValue { states[oldValue]?.letGo() } }
  }
  private var toldFocus = 0
  /// Called when it has taken in a message, and shows what that says.
  var onMessage: (() -> Void)?
  /// What it was told was not done.
  private(set) var notices: [String] = []
  /// All that it was ever sent.
  private(set) var received = ""

  /// - Parameter session: the name of a page that it says it is.
  init(_ person: String? = nil, session: String = "") {
    self.person = person
    self.session = session
  }

  private struct Event {
    let number: Int
    let message: Int
    let kind: String
    let view: Int
    let rest: String

    var json: String { "[\(number),\(message),\"\(kind)\",\(view)\(rest)]" }
  }

  /// What the page has of a view beside what it was sent.
  private struct State {
    /// The text that shows in a field.
    var text = ""
    /// It shows something else than the app's text, or is to, since so many messages had come.
    private(set) var hasNewText = false
    private(set) var at = 0
    /// Since it has the focus, something was typed; it goes on with the record of that time.
    var hasTyped = false
    var holds = false
    var record = 0
    /// The event that the server has to see before anything else shows.
    var sent = 0
    /// What waits until that is acknowledged.
    var next: (kind: String, rest: String)?

    mutating func unsettle(_ message: Int) {
      if !hasNewText { at = message }
      hasNewText = true
    }

    mutating func settle(_ text: String) {
      hasNewText = false
      self.text = text
    }

    mutating func letGo() { (hasTyped, holds) = (false, false) }
  }

  // MARK: Connection

  func connect(_ line: LawLine) {
    self.line = line
    isReady = false
  }

  /// The line is lost, and with it what has not come.
  func disconnect() {
    line = nil
    isReady = false
  }

  /// Whether everything that it has sent is acknowledged.
  var isSettled: Bool { isReady && unacknowledged.isEmpty }

  /// What is not acknowledged.
  var waitsFor: String { isReady ? "\(unacknowledged.map(\.json))" : "a message" }

  func receive(_ count: Int = .max) throws {
    for message in try line?.arrive(count) ?? [] {
      received += message
      try receive(message)
      onMessage?()
    }
  }

  private func receive(_ message: String) throws {
    let operations = try JSON(message).items
    former = heard
    heard += 1
    var focused: Int?
    var isHello = false
    for operation in operations where operation[0].text == "hello" {
      isHello = true
      guard case .object(let hello) = operation[1] else { continue }
      heard = hello["at"]?.integer ?? heard
      let name = hello["session"]?.text ?? ""
      if name != session {
        session = name
        unacknowledged = []
        lastNumber = 0
        acknowledged = 0
        states = [:]
        focus = 0
      }
      toldFocus = 0
    }
    try mirror.apply(message)
    for operation in operations {
      if let id = operation[0].integer, case .object(let changes) = operation[1],
        changes["text"] != nil
      {
        states[id, default: State()].unsettle(former)
      }
      followRecords()
      // Rows come and go with what is in them.
      if operation[0].integer != nil, operation[1].integer != nil { noteNewTexts() }
      switch operation[0].text {
      case "tree", "add": noteNewTexts()
      case "text": states[operation[1].integer ?? 0, default: State()].unsettle(former)
      case "ack": acknowledge(operation[1].integer ?? 0)
      case "refused":
        notices.append(operation[2].text)
        let id = operation[1].integer ?? 0
        states[id]?.unsettle(former)
        states[id]?.holds = false
      case "report": notices.append(operation[1].text)
      case "focus": focused = operation[1].integer
      default: break
      }
    }
    states = states.filter { mirror[$0.key] != nil }
    // A browser takes the focus from an element that goes, or can have none.
    if focus != 0, !canFocus(focus), !isTypedIn(focus) { focus = 0 }
    if isHello { focusChanged() }
    if let focused { take(focus: focused) }
    focusChanged()
    for id in states.keys { settleText(id) }
    if isReady { return }
    isReady = true
    for index in unacknowledged.indices { write(index) }
  }

  /// A focus that the app has not heard of wins, unless its view is gone.
  private func take(focus id: Int) {
    let isUnheard = unacknowledged.contains { $0.kind == "focus" }
    if isUnheard, focus != 0 { return }
    toldFocus = isUnheard ? -1 : id
    if id == 0 || canFocus(id) { focus = id }
  }

  private func noteNewTexts() {
    for id in mirror.ids where states[id] == nil { states[id] = State() }
    for id in states.keys { states[id]?.unsettle(former) }
  }

  /// Whoever types goes on with the record that a field showed, where somebody else has had it go
  /// over to another.
  private func followRecords() {
    for (id, state) in states {
      let record = mirror[id]?.properties["record"]?.integer ?? 0
      if record == state.record { continue }
      states[id]?.record = record
      if !state.hasTyped { continue }
      states[id]?.unsettle(former)
      states[id]?.holds = unacknowledged.allSatisfy { $0.kind == "edit" }
    }
  }

  private func acknowledge(_ number: Int) {
    acknowledged = number
    unacknowledged.removeAll { $0.number <= number }
    for (id, state) in states where state.sent <= number {
      guard let next = state.next else { continue }
      states[id]?.next = nil
      states[id]?.sent = send(next.kind, id, next.rest)
    }
  }

  private func write(_ index: Int) {
    line?.send(unacknowledged[index].json)
  }

  @discardableResult
  private func send(_ kind: String, _ view: Int, _ rest: String = "") -> Int {
    lastNumber += 1
    add(Event(number: lastNumber, message: heard, kind: kind, view: view, rest: rest))
    return lastNumber
  }

  private func send(_ edit: PageEdit, _ view: Int) -> Int {
    lastNumber += 1
    let rest = ",\(edit.start),\(edit.removed),\(edit.added.quotedForJSON)"
    add(
      Event(
        number: lastNumber, message: states[view]?.at ?? 0, kind: "edit", view: view, rest: rest))
    return lastNumber
  }

  private func add(_ event: Event) {
    unacknowledged.append(event)
    if isReady { write(unacknowledged.count - 1) }
  }

  /// Sends again what may have been lost, as a line may do by itself.
  func repeatEvents() {
    guard isReady else { return }
    for index in unacknowledged.indices { write(index) }
  }

  // MARK: What a person does

  func focus(_ id: Int) {
    if id != 0, !canFocus(id) { return }
    focus = id
    focusChanged()
  }

  private func focusChanged() {
    if focus == toldFocus { return }
    toldFocus = focus
    send("focus", focus)
  }

  /// Whether a field goes on showing a record that the app has left.
  func holds(_ id: Int) -> Bool { states[id]?.holds ?? false }

  /// Whether a field shows what was typed in it, as far as the app is not known to have it.
  func isUnsettled(_ id: Int) -> Bool { states[id]?.hasNewText ?? false }

  /// The text that shows in a field.
  func text(of id: Int) -> String { states[id]?.text ?? "" }

  /// Gives a field another text; false where nothing can be typed there.
  @discardableResult
  func type(_ text: String, in id: Int) -> Bool {
    guard canFocus(id) || isTypedIn(id) else { return false }
    focus(id)
    let shown = states[id]?.text ?? ""
    guard let difference = TextDifference(from: shown, to: text) else {
      return false
    }
    states[id, default: State()].unsettle(heard)
    let edit = PageEdit(
      start: difference.start, removed: difference.removed, added: difference.added)
    let number = send(edit, id)
    states[id]?.text = text
    states[id]?.hasTyped = true
    states[id]?.sent = number
    return true
  }

  /// Does something to a view, which has the focus then if it can have it.
  func act(_ kind: String, _ id: Int, _ rest: String = "", focuses: Bool = true) {
    guard mirror.canUse(id) else { return }
    if focuses { focus(id) }
    if kind == "value" || kind == "rows", let sent = states[id]?.sent, sent > acknowledged {
      states[id]?.next = (kind, rest)
    } else {
      let number = send(kind, id, rest)
      states[id]?.sent = number
    }
  }

  /// Brings what was typed and not entered in a former run of the app.
  func bring(_ draft: String, named name: String?) {
    send("draft", 0, ",\(draft.quotedForJSON),\(name?.quotedForJSON ?? "null")")
  }

  /// Sends a key from where the focus is.
  func press(_ key: String) { send("key", focus, ",\(key.quotedForJSON)") }

  private func settleText(_ id: Int) {
    guard let state = states[id], state.hasNewText, !state.holds, state.sent <= acknowledged else {
      return
    }
    states[id]?.settle(mirror[id]?.properties["text"]?.text ?? "")
  }

  /// Whether an element can have the focus: its view is a stop, shows, and is not off.
  private func canFocus(_ id: Int) -> Bool { mirror.canFocus(id) }

  /// Whether the person is typing in a field. It then stays although somebody else has hidden it.
  private func isTypedIn(_ id: Int) -> Bool {
    id == focus && states[id]?.hasTyped == true && mirror.isOpen(id)
  }
}

extension LawPage {
  /// Whether text is typed into a view.
  func isField(_ id: Int) -> Bool {
    ["field", "textArea", "numberField"].contains(mirror[id]?.className)
  }
}

extension PageMirror {
  /// Whether a browser lets the element of a view have the focus.
  func canFocus(_ id: Int) -> Bool {
    let path = path(to: id)
    return path.last?.isFocusable == true && canUse(path)
  }

  /// Whether a browser lets a person do something to the element of a view.
  func canUse(_ id: Int) -> Bool { canUse(path(to: id)) }

  /// Whether no modal dialog covers the element of a view.
  func isOpen(_ id: Int) -> Bool { isOpen(path(to: id)) }

  private func canUse(_ path: [Node]) -> Bool {
    for (above, child) in zip(path, path.dropFirst()) where above.className == "tabs" {
      if above.children.firstIndex(where: { $0 === child }) != above.properties["chosen"]?.integer {
        return false
      }
    }
    return !path.contains(where: \.isOutOfUse) && isOpen(path)
  }

  private func isOpen(_ path: [Node]) -> Bool {
    // What was opened last is above all that was opened before.
    guard let modal = openedModals.last else { return !path.isEmpty }
    return path.contains { $0.id == modal }
  }
}

extension PageMirror.Node {
  fileprivate var isFocusable: Bool {
    if let own = properties["focusable"] { return own == .boolean(true) }
    let viewClass = ViewClass.builtIn.first { $0.name == className }
    let property = viewClass?.shape.propertiesByIndex.first { $0.name == "focusable" }
    return property?.initial.value.wireJSON == "true"
  }

  fileprivate var isOutOfUse: Bool {
    properties["hidden"] == .boolean(true) || properties["enabled"] == .boolean(false)
  }
}
