import TideBindings
import TideGraph
import TideLua
import TideViews

// `undo.manager { … }` and `undo.group`.
extension Runtime {
  func installUndo() throws {
    try publishTable(
      "undo",
      [
        .undoManager: { [unowned self] call in try makeHistory(call) },
        .undoGroup: { [unowned self] call in try runGroup(call) },
      ])
    undoCenter.actor = { [home] in home.runtime?.scene?.actor }
    undoCenter.reload = { [home] in home.runtime?.loader.rollback }
    undoCenter.onFirst = { [home] in
      guard let runtime = home.runtime else { return }
      runtime.table.writeWatch = runtime.undoCenter
      runtime.followInput()
    }
  }

  /// Calls a function whose changes form one step. If the caller may wait, the function may too;
  /// each of its stretches adds to the step.
  private func runGroup(_ call: borrowing LuaCall) throws {
    let title = try call.name(0, "a title")
    let function = try call.function(1)
    var start = Beginning.finished([])
    try undoCenter.group(title) { group in
      if call.canSuspend {
        start = try begin(function, [], in: context)
        if case .waiting(let task) = start { follow(task, as: group) }
      } else {
        start = .finished(try perform { try function.call([]) })
      }
      graph.settle()
    }
    switch start {
    case .finished(let results):
      for result in results { call.return(result) }
    case .waiting(let task):
      try wait(call, in: "undo.group") { caller in
        if case .failure(let error)? = task.result { throw error }
        let handle = try caller.wait(for: task)
        return Wait.Handle(cancel: {
          handle.cancel()
          task.cancel()
        })
      }
    }
  }

  /// Adds the later changes of a task, and their consequences, to a group's step.
  private func follow(_ task: ScriptTask, as group: UndoCenter.Group) {
    task.onStretch = { [home] isRunning in
      guard let runtime = home.runtime else { return }
      if isRunning { return runtime.undoCenter.enter(group) }
      runtime.graph.settle()
      runtime.undoCenter.leave()
    }
  }

  /// Reports people's input to the undo center, once there is a history.
  func followInput() {
    guard let scene, !undoCenter.isEmpty else { return }
    scene.host.handleInput = { [weak undoCenter] input, body in
      guard let undoCenter else { return body() }
      undoCenter.handle(input, body)
    }
  }

  private static let mostSteps = 100_000

  private func makeHistory(_ call: borrowing LuaCall) throws {
    let table = try call.table(0)
    let options = try CallOptions(table.withoutElements(), of: "undo.manager")
    let limit = try options.integer("limit") ?? 1000
    guard (1...Self.mostSteps).contains(limit) else {
      throw TideError(
        .badArgument,
        "the option \"limit\" of undo.manager is 1 to \(Self.mostSteps) steps, not \(limit)")
    }
    let everyone: Bool? = try options.read("of", as: "\"everyone\", or not given") {
      if case .string("everyone") = $0 { true } else { nil }
    }
    let name = try options.name()
    var roots: [DataObject] = []
    var contexts: [ContextContents] = []
    for (key, value) in try table.entries() {
      guard case .integer(let index) = key else { continue }
      switch try root(value, index) {
      case .object(let object): roots.append(object)
      case .context(let contents): contexts.append(contents)
      }
    }
    if roots.isEmpty && contexts.isEmpty {
      throw call.badArgument(
        0, "undo.manager needs the models or contexts to follow: undo.manager { todo }")
    }
    try charge(Weight.task)
    let history = UndoHistory(
      roots, contexts, limit: limit, isOfEveryone: everyone ?? false, undoCenter, in: self.table)
    context.own { history.end() }
    try charge(history.followedCount * 48)
    try begin(history, named: name)
    try call.return(luaValue(history))
  }

  /// A root of a history: an object with everything that it holds, or a context and all that is
  /// made in it.
  private enum Root {
    case object(DataObject)
    case context(ContextContents)
  }

  private func root(_ value: LuaValue, _ index: Int) throws -> Root {
    switch value {
    case .object(let object):
      if let found = object.dataObject, UndoHistory.isFollowed(found) { return .object(found) }
    case .string(let name): return try root(named: name, index)
    case .table(let table):
      guard case .object(let object) = try table.rawGet(.integer(1)), let owner = object.dataObject
      else { break }
      let name = try table.rawGet(.integer(2))
      guard name.isNil || name.name != nil else { break }
      guard let found = context(named: name.name ?? "", of: owner)?.members as? ContextContents
      else {
        throw TideError(
          .context,
          "number \(index) of undo.manager: \(owner.label) owns no such context; open it before")
      }
      return .context(found)
    default: break
    }
    throw TideError(
      .badArgument,
      "number \(index) of undo.manager is a model, an object, a list, a dict, the name of a model "
        + "or of a context, or { owner, \"context\" }, not \(value.preview)")
  }

  private func root(named name: String, _ index: Int) throws -> Root {
    if let found = graph.untracked({ models[name] }) {
      if UndoHistory.isFollowed(found) { return .object(found) }
      throw TideError(
        .badArgument,
        "number \(index) of undo.manager: what people do to \(found.label) cannot be undone; name "
          + "the models that it shows")
    }
    if let found = context(named: name)?.members as? ContextContents { return .context(found) }
    let names = models.names + contexts.named.values.compactMap(\.name)
    throw TideError(
      .unknownModel,
      "there is no model and no context \"\(name.inMessage)\""
        + NearestName.hint(for: name, in: names, areOrdered: false))
  }

  /// The methods of undo managers.
  func addUndoMethods(to methods: LuaTable, of shape: Shape) throws {
    guard shape === UndoHistory.undoShape else { return }
    try method(methods, "undo()") { [unowned self] call in
      call.return(try history(call).undo())
    }
    try method(methods, "redo()") { [unowned self] call in
      call.return(try history(call).redo())
    }
    try method(methods, "clear()") { [unowned self] call in try history(call).clear() }
  }

  private func history(_ call: borrowing LuaCall) throws -> UndoHistory {
    guard let history = call.object(0)?.dataObject as? UndoHistory else {
      throw call.wrongType(0, "undo manager")
    }
    return history
  }
}

extension LuaTable {
  /// A table of the entries without integer keys.
  fileprivate func withoutElements() throws -> LuaTable? {
    guard let state else { return nil }
    let rest = try state.table()
    for (key, value) in try entries() {
      if case .integer = key { continue }
      try rest.rawSet(key, value)
    }
    return rest
  }
}

// MARK: Catalogue

extension APIEntry {
  static let undo = APIEntry(
    "undo", usage: "undo.manager { todo }", "Takes back what people have changed.")

  static let undoManager = APIEntry(
    "undo.manager(options)",
    usage:
      "undo.manager { models or contexts… [, limit = n] [, name = name] [, of = \"everyone\"] }",
    "A data object that takes back what people change in models or contexts, step by step.",
    """
    @param options tidelock.UndoOptions
    @return tidelock.UndoManager
    """)

  static let undoGroup = APIEntry(
    "undo.group(title, fn)", "Makes what a function changes one step, under a title; it may wait.",
    """
    @param title string
    @param fn function
    @return any ...
    """)
}

extension APISection {
  static let undo = APISection(
    article: "Undo",
    entries: [.undo, .undoManager, .undoGroup],
    types: """
      ---@class tidelock.UndoOptions
      ---@field [integer] tidelock.DataObject|tidelock.List|tidelock.ModelOrContextName|table
      ---@field limit? integer
      ---@field of? "everyone"
      ---@field name? string

      ---@class tidelock.UndoManager : tidelock.DataObject
      ---@field canUndo boolean
      ---@field canRedo boolean
      ---@field undoTitle string?
      ---@field redoTitle string?
      local UndoManager = {}
      ---Takes the last change back.
      ---@return boolean
      function UndoManager:undo() end
      ---Makes the change again that was taken back last.
      ---@return boolean
      function UndoManager:redo() end
      ---Forgets all changes.
      function UndoManager:clear() end
      """)
}
