package import TideBindings
import TideGraph
import TideLua

/// State shared by the contexts of all modules.
package final class ContextTable {
  /// Named contexts, by owner and name.
  package var named: [String: BindingContext] = [:]
  /// By the notification's name.
  var notificationObservers: [String: NumberedList<NotificationObserver>] = [:]
  /// Bindings that wait for models and views.
  let pendingNames = PendingNames()
  /// The source of the last binding, which the next call of the same line often shares.
  var lastBindingSource: BindingSource?
}

extension Runtime {
  private static var mostBegunContexts: Int { 500 }

  func installContexts() throws {
    let functions: KeyValuePairs<APIEntry, (borrowing LuaCall) throws -> Void> = [
      .contextBegin: { [unowned self] call in
        // Each context belongs to the one before, and nested ones end recursively.
        guard table.begunCount < Self.mostBegunContexts else {
          throw TideError(
            .context,
            "\(Self.mostBegunContexts) contexts are open; call context.finish() for some of them")
        }
        table.begin(try openContext(call, 0..<max(1, call.count)))
      },
      .contextFinish: { [unowned self] _ in
        guard table.finish() else {
          throw TideError(.context, "context.finish() without a context.begin() before it")
        }
      },
      .contextClear: { [unowned self] call in try namedContext(call).removeAll() },
      .contextEnable: { [unowned self] call in try namedContext(call).isEnabled = true },
      .contextDisable: { [unowned self] call in try namedContext(call).isEnabled = false },
      .contextList: { [unowned self] call in
        let lines = self.context.bindings.map { LuaValue.string($0.description) }
        call.return(.table(try lua.table(lines)))
      },
    ]
    try api.metatables.scope.rawSet(
      "__close",
      .function(
        function(named: "context") { [unowned self] call in
          guard let scope = call.userdata(0, as: ContextScope.self) else { return }
          table.finish(scope)
          if !call.isNil(1) { scope.context.removeAll() }
        }))
    try publishTable(
      "context", calling: "context(owner, name, options, fn)",
      { [unowned self] call in
        // Checked first, so that a call without a function clears nothing.
        let last = call.count - 1
        guard call.tag(last) == LuaTag.function else {
          throw call.badArgument(max(1, last), "function expected")
        }
        let function = try call.function(last)
        let opened = try openContext(call, 1..<last)
        if call.canSuspend { return try open(opened, around: function, call) }
        do {
          let results = try table.with(opened) { try perform { try function.call([]) } }
          for result in results { call.return(result) }
        } catch {
          opened.removeAll()
          throw error
        }
      }, functions)
  }

  /// Runs a function that may wait, with a context open.
  private func open(
    _ context: BindingContext, around function: LuaFunction, _ call: borrowing LuaCall
  ) throws {
    let scope = ContextScope(context)
    let closer = try lua.userdata(for: scope, metatable: api.metatables.scope)
    table.begin(OpenContext(context, scope: scope))
    call.return(calling: function, guarded: .userdata(closer))
  }

  /// Arguments `(name or object [, name] [, options])`: opens a context, and clears it unless the
  /// policy is to keep it.
  private func openContext(
    _ call: borrowing LuaCall, _ arguments: Range<Int>
  ) throws -> BindingContext {
    let (key, name, owner) = try contextKey(call, arguments.lowerBound)
    var next = arguments.lowerBound + 1
    // The name of an object's context may be left out.
    if owner != nil, call.tag(next) == LuaTag.string || call.isNil(next) { next += 1 }
    var given: LuaTable?
    if next < arguments.upperBound, !call.isNil(next) { given = try call.table(next) }
    for extra in arguments.dropFirst(next + 1 - arguments.lowerBound) where !call.isNil(extra) {
      throw call.badArgument(extra, "one too many: the options of a context come last")
    }
    let options = try CallOptions(given, of: "context", ["policy", "enabled"])
    let policy = try options.word("policy", among: ["replace", "keep"])
    let isEnabled = try options.flag("enabled")
    let opened = contexts.named[key] ?? makeContext(named: name, owner: owner, key: key)
    if policy != "keep" { opened.removeAll() }
    if isEnabled == false { opened.isEnabled = false }
    return opened
  }

  private func makeContext(
    named name: String, owner: DataObject?, key: String
  ) -> BindingContext {
    let outer = context.members as? ContextContents
    let made = BindingContext(name, in: table, parent: context)
    made.members = ContextContents(of: made, in: outer)
    contexts.named[key] = made
    keepUndo { [home] in home.runtime?.contexts.named[key] = nil }
    if let owner {
      made.owner = ObjectHandle(owner)
      // A context whose owner is released clears itself.
      let end = ObserverFunction { _, _ in }
      let watch = graph.makeObserver(of: owner.header, end)
      let belonging = context.own { [unowned graph] in graph.dispose(watch) }
      end.onEnd = { [home, weak made] in
        if let runtime = home.runtime, runtime.contexts.named[key] === made {
          runtime.contexts.named[key] = nil
        }
        made?.removeAll()
        belonging.cancel()
      }
    }
    return made
  }

  /// Wraps a function for the open context or another one. A function that captures the context's
  /// owner does not keep the owner alive.
  func kept(_ function: LuaFunction, in home: BindingContext? = nil) throws -> LuaFunction {
    guard let owner = (home ?? context).owner?.object else { return function }
    return try lua.function(function, ownedBy: owner.header)
  }

  /// The context of a name, or of an object and a name; nil for none.
  func context(named name: String, of owner: DataObject? = nil) -> BindingContext? {
    contexts.named[owner.map { Self.key(of: $0, name) } ?? name]
  }

  private static func key(of owner: DataObject, _ name: String) -> String {
    "\(UInt(bitPattern: owner.header)).\(owner.header.generation).\(name)"
  }

  private func contextKey(
    _ call: borrowing LuaCall, _ index: Int
  ) throws -> (key: String, name: String, owner: DataObject?) {
    if let owner = call.object(index)?.dataObject {
      let name = call.tag(index + 1) == LuaTag.string ? try contextName(call, index + 1) : ""
      return (Self.key(of: owner, name), name, owner)
    }
    guard call.tag(index) == LuaTag.string else {
      throw call.badArgument(index, "name or data object expected, got \(call.typeName(index))")
    }
    let name = try contextName(call, index)
    return (name, name, nil)
  }

  private func contextName(_ call: borrowing LuaCall, _ index: Int) throws -> String {
    let name = try call.name(index, "a context's name")
    try admitText(name.utf8.count)
    return name
  }

  private func namedContext(_ call: borrowing LuaCall) throws -> BindingContext {
    let (key, name, owner) = try contextKey(call, 0)
    if owner == nil, !call.isNil(1) {
      throw call.badArgument(1, "one too many: only the contexts of an object have a second name")
    }
    if !call.isNil(1) { _ = try call.name(1, "a context's name") }
    if let known = contexts.named[key] { return known }
    let names = contexts.named.values.lazy.compactMap(\.name)
    let what =
      owner.map { "\($0.label) owns no such context" }
      ?? "there is no context \"\(name.inMessage)\""
    throw TideError(
      .context, "\(what)\(NearestName.hint(for: name, in: names, areOrdered: false))")
  }
}

/// Closes the context of `context(…, fn)` when `fn` ends, and clears it after an error.
private final class ContextScope {
  let context: BindingContext

  init(_ context: BindingContext) { self.context = context }
}

// MARK: Catalogue

extension APIEntry {
  static let context = APIEntry(
    "context", usage: "context(name, fn)",
    "Runs a function with a context open, to which what it makes belongs.",
    """
    @class tidelock.Contexts
    @overload fun(owner: tidelock.DataObject|string, fn: function)
    @overload fun(owner: tidelock.DataObject|string, name: string, fn: function)
    @overload fun(owner: tidelock.DataObject|string, options: tidelock.ContextOptions, fn: function)
    @overload fun(owner: tidelock.DataObject|string, name: string, options: tidelock.ContextOptions, fn: function)
    """)

  static let contextBegin = APIEntry(
    "context.begin(owner, name, options)",
    "Opens a context, which `context.finish` closes.",
    """
    @param owner tidelock.DataObject|string
    @param name? string|tidelock.ContextOptions
    @param options? tidelock.ContextOptions
    """)

  static let contextFinish = APIEntry(
    "context.finish()",
    "Closes the context that was opened last.")

  static let contextClear = APIEntry(
    "context.clear(owner, name)", "Ends what belongs to a context.", ownerAndName)

  static let contextEnable = APIEntry(
    "context.enable(owner, name)", "Lets the bindings of a context follow their sources again.",
    ownerAndName)

  static let contextDisable = APIEntry(
    "context.disable(owner, name)", "Has the bindings of a context rest.", ownerAndName)

  private static let ownerAndName = """
    @param owner tidelock.DataObject|tidelock.ContextName
    @param name? tidelock.ContextName
    """

  static let contextList = APIEntry(
    "context.list()",
    "What is bound in the open context.",
    """
    @return string[]
    """)
}

extension APISection {
  static let contexts = APISection(
    article: "Contexts",
    entries: [
      .context,
      .contextBegin,
      .contextFinish,
      .contextClear,
      .contextEnable,
      .contextDisable,
      .contextList,
    ],
    types: """
      ---@class tidelock.ContextOptions
      ---@field policy? "replace"|"keep"
      ---@field enabled? boolean
      """)
}
