import TideBindings
import TideLua
import TideScript
import TideViews

extension SpecRuntime {
  /// Calls a function that performs an act, and records the act if tests are recorded.
  func recorded<Result>(
    _ act: String, of person: String? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let recording else { return try body() }
    return try recording.acting(act, of: person, body)
  }

  /// A call of a host function as a spec writes it; nil for functions that only look.
  func act(_ name: String, _ call: borrowing LuaCall, _ session: SpecSession?) -> String? {
    if Self.looks.contains(name) { return nil }
    // The view of an app's file follows the file.
    if name == "mount", recording?.lastAct?.hasPrefix("ui.mount(\"") == true { return nil }
    let app = session?.runtime ?? runtime
    var arguments = (try? call.values()) ?? []
    while let last = arguments.last, last.isNil || last.table != nil { arguments.removeLast() }
    if let secret = Self.secret(name, arguments, in: app) {
      arguments[secret] = .string("•••")
    }
    let shown = arguments.map(Self.literal).joined(separator: ", ")
    switch name {
    case "beginApp": return "ui.mount(\(shown))"
    case "beginSession": return "ui.session(\(shown))"
    default: return "\(session?.name ?? "ui").\(name)(\(shown))"
    }
  }

  private static let looks: Set = [
    "isShowing", "draw", "finish", "snapshot", "value", "errors",
  ]

  /// Whether a function that is no act ends the making of an app.
  static func endsMaking(_ name: String) -> Bool { name == "mount" || name == "finish" }

  /// The index of the argument that is the text of a secure field.
  private static func secret(_ name: String, _ arguments: [LuaValue], in app: Runtime) -> Int? {
    switch (name, arguments.count) {
    case ("type", 2), ("paste", 2):
      let view =
        arguments[0].object?.dataObject as? View
        ?? arguments[0].string.flatMap { app.view(withID: $0) }
      return view?.isSecret == true ? 1 : nil
    case ("press", 1): return app.scene?.focused?.isSecret == true ? 0 : nil
    default: return nil
    }
  }

  private static func literal(_ value: LuaValue) -> String {
    if let view = value.object?.dataObject as? View {
      return view.displayName.map(TransformCall.quoted) ?? view.callName
    }
    return switch value {
    case .string(let text): TransformCall.quoted(text)
    default: value.preview
    }
  }
}
