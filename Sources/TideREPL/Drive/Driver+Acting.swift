import TideBindings
import TideScript
import TideSystem
import TideViews

// What a person does in the shown scene.
extension Driver {
  /// Returns lines for people, such as the keys that no view has handled.
  func act(_ verb: String, _ arguments: [String]) throws -> [String] {
    switch verb {
    case "paste": try paste(arguments)
    case "tap", "doubleClick":
      let held = try modifiers(arguments, at: 1)
      try acting { try $0.tap(view(arguments[0], $0), held, times: verb == "tap" ? 1 : 2) }
    case "contextMenu":
      try acting {
        try $0.openContextMenu(
          of: view(arguments[0], $0), taking: arguments.count > 1 ? arguments[1] : nil)
      }
    case "drag": try drag(arguments)
    case "hover":
      try acting { scene in
        try scene.moveMouse(over: arguments.first.map { try view($0, scene) })
      }
    case "select":
      let held = try modifiers(arguments, at: 2)
      let row = try integer(arguments[1], "a row")
      try acting { try $0.choose(row - 1, of: view(arguments[0], $0), held) }
    case "scroll":
      let rows = try integer(arguments[1], "a number of rows")
      let columns = try arguments.count > 2 ? integer(arguments[2], "a number of columns") : 0
      let isTaken = try acting {
        try $0.turnWheel(over: view(arguments[0], $0), rows: rows, columns: columns)
      }
      return isTaken ? [] : ["Nothing scrolls there."]
    case "focus": try acting { try $0.focusForTyping(view(arguments[0], $0), isToType: false) }
    case "resize":
      let text = arguments.joined(separator: "x")
      guard let size = Size(screen: text) else {
        throw TideError(.driveUsage, "a size is columns and rows, as 80 24, not \(text)")
      }
      try host.resize(size)
    default: throw TideError(.driveUsage, "\(verb) is no act")
    }
    return []
  }

  private func view(_ name: String, _ scene: Scene) throws -> View {
    try runtime.shownView(named: name, in: scene)
  }

  /// Sends one event, and settles what follows from it. Returns whether a view has handled it.
  private func send(_ event: InputEvent) throws -> Bool {
    try acting { $0.send(event) }
  }

  // MARK: Keys and text

  /// How long keys and letters are sent in one turn of the app, in seconds.
  private static let slice = 0.004

  /// Presses keys or types a text, as many as there is time for in each turn of the app, and then
  /// answers.
  func enter(
    _ verb: String, _ arguments: [String], _ then: @escaping (DriveAnswer) -> Void
  ) throws {
    let listed = runtime.listedErrors
    var typing: Typing
    if verb == "keys" {
      typing = Typing(keys: try Key.sequence(arguments.joined(separator: " ")))
    } else {
      let name = try focusToType(arguments)
      typing = Typing(text: arguments[arguments.count - 1], into: name)
    }
    cancel = { typing.isStopped = true }
    func goOn() {
      do {
        let start = EventLoop.monotonicTime()
        while let event = typing.next() {
          if try !send(event) { typing.noteUnhandled() }
          if EventLoop.monotonicTime() - start < Self.slice { continue }
          return host.pacer.run(on: runtime.loop, goOn)
        }
        cancel = nil
        let lines = try finishAct(typing.result(), listedBefore: listed)
        _ = runtime.loop.after(0, keepsRunning: false) { then(.done(lines)) }
      } catch {
        cancel = nil
        then(.failed(failure(error)))
      }
    }
    goOn()
  }

  /// Keys or letters that are sent one after another.
  private struct Typing {
    private let events: [InputEvent]
    private let names: [String]
    /// The view that gets the text; nil for keys.
    private let target: String?
    private var index = 0
    private var unhandled: [String] = []
    var isStopped = false

    init(keys: [Key]) {
      events = keys.map { .key($0) }
      names = keys.map(\.description)
      target = nil
    }

    init(text: String, into name: String) {
      events = text.map { InputEvent(typing: $0) }
      names = text.map(String.init)
      target = name
    }

    mutating func next() -> InputEvent? {
      if isStopped || index == events.count { return nil }
      defer { index += 1 }
      return events[index]
    }

    mutating func noteUnhandled() { unhandled.append(names[index - 1]) }

    /// A line with what no view has handled.
    func result() throws -> [String] {
      if isStopped { throw Driver.interrupted }
      if let target, !events.isEmpty, unhandled.count == events.count {
        throw TideError(.badArgument, "\(target) takes no text")
      }
      if unhandled.isEmpty { return [] }
      return [
        target == nil
          ? "No view handles \(unhandled.joined(separator: ", "))."
          : "No view handles \"\(unhandled.joined())\"."
      ]
    }
  }

  private func paste(_ arguments: [String]) throws {
    let name = try focusToType(arguments)
    let text = arguments[arguments.count - 1]
    if try !send(.pasting(text)), !text.isEmpty {
      throw TideError(.badArgument, "\(name) takes no text")
    }
  }

  /// Focuses the view that is named before the text. Returns the name of the view with the focus.
  private func focusToType(_ arguments: [String]) throws -> String {
    if arguments.count > 1 {
      try acting { try $0.focusToType(into: view(arguments[0], $0)) }
    }
    guard let focused = try acting({ focusedView(in: $0) }) else {
      throw TideError(.unknownView, "no view has the focus; write type ID TEXT, or focus ID before")
    }
    return focused.callName
  }

  private func drag(_ arguments: [String]) throws {
    try acting { scene in
      let end: Scene.DragEnd =
        if Int(arguments[1]) != nil {
          .offset(
            columns: try integer(arguments[1], "a number of columns"),
            rows: try arguments.count > 2 ? integer(arguments[2], "a number of rows") : 0)
        } else {
          .view(try view(arguments[1], scene))
        }
      try scene.drag(view(arguments[0], scene), to: end)
    }
  }

  /// More rows or columns than any view has.
  private static let farthest = 1 << 40

  private func integer(_ text: String, _ what: String) throws -> Int {
    guard let number = Int(text), (-Self.farthest...Self.farthest).contains(number) else {
      throw TideError(.driveUsage, "\(what) is a whole number, not \"\(text)\"")
    }
    return number
  }

  /// The held modifier keys, as `Shift` or `Ctrl-Shift`.
  private func modifiers(_ arguments: [String], at index: Int) throws -> Key.Modifiers {
    guard arguments.count > index else { return [] }
    let known = ["Shift": Key.Modifiers.shift, "Ctrl": .control, "Alt": .alt]
    var held: Key.Modifiers = []
    for name in arguments[index].split(separator: "-", omittingEmptySubsequences: false) {
      guard let modifier = known[String(name)] else {
        throw TideError(
          .driveUsage,
          "held keys are written as Shift, Ctrl or Ctrl-Shift, not \"\(arguments[index])\"")
      }
      held.insert(modifier)
    }
    return held
  }
}
