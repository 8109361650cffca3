import TideBindings
import TideGraph
import TideLua

/// The result of `observe`, `on`, `effect` and timers, with which a script can cancel them.
///
/// ```lua
/// print(every(0.5, f))       -- timer: every 0.5 s
/// ```
final class Handle: CustomStringConvertible {
  enum Kind {
    case timer(Double, isRepeating: Bool)
    /// With the path of a property; nil for a list or all properties.
    case observation(String?)
    case effect
    case handler(String)
    case notification(String)

    fileprivate var textBytes: Int {
      switch self {
      case .timer, .effect: 0
      case .observation(let path): path?.utf8.count ?? 0
      case .handler(let text), .notification(let text): text.utf8.count
      }
    }
  }

  private let kind: Kind
  private let belonging: ContextEntry
  private var isCancelled = false
  private let held: CountedText?

  init(_ kind: Kind, _ belonging: ContextEntry, in table: BindingTable) {
    self.kind = kind
    held = table.hold(kind.textBytes)
    self.belonging = belonging
  }

  func cancel() {
    isCancelled = true
    belonging.cancel()
  }

  var description: String { isCancelled ? "\(text) (cancelled)" : text }

  private var text: String {
    switch kind {
    case .timer(let seconds, let isRepeating):
      "timer: \(isRepeating ? "every" : "after") \(Value.number(seconds).text ?? "?") s"
    case .observation(let path): path.map { "observation: \($0)" } ?? "observation"
    case .effect: "effect"
    case .handler(let event): "handler: \(event)"
    case .notification(let name): "observation: notification \(name)"
    }
  }
}

extension Runtime {
  func luaValue(of belonging: ContextEntry, _ kind: Handle.Kind) throws -> LuaValue {
    .userdata(
      try lua.userdata(for: Handle(kind, belonging, in: table), metatable: api.metatables.handle))
  }

  func installHandles() throws {
    try fill(
      api.metatables.handle,
      methods: ["cancel()": { call in call.userdata(0, as: Handle.self)?.cancel() }])
    try api.metatables.handle.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { call in
          call.return(call.userdata(0, as: Handle.self)?.description ?? "handle")
        }))
  }
}
