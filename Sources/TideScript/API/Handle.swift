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
  private var belonging: ContextEntry
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

  /// Replaces what it stands for by something that `make` returns, unless it was cancelled.
  func replace(_ make: () throws -> ContextEntry) throws {
    if isCancelled || !belonging.isAlive { return }
    belonging.cancel()
    belonging = try make()
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

  /// Makes a handle of something that follows an object, which may be a view that a function of
  /// children makes; then it is made again for the shown view that stands for that view.
  func handle<Object: DataObject>(
    _ kind: Handle.Kind, of object: Object,
    _ make: @escaping (_ object: Object, _ isFirst: Bool) throws -> ContextEntry
  ) throws -> LuaValue {
    let handle = Handle(kind, try make(object, true), in: table)
    noteConnection(of: [object]) { objects in
      guard let object = objects.first as? Object else { return }
      try handle.replace { try make(object, false) }
    }
    return .userdata(try lua.userdata(for: handle, metatable: api.metatables.handle))
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
