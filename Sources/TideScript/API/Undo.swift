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
        .undoGroup: { [unowned self] call in
          let title = try call.name(0, "a title")
          let function = try call.function(1)
          var results: [LuaValue] = []
          try undoCenter.group(title) {
            results = try perform { try function.call([]) }
            graph.settle()
          }
          for result in results { call.return(result) }
        },
      ])
    undoCenter.onFirst = { [home] in
      guard let runtime = home.runtime else { return }
      runtime.table.writeWatch = runtime.undoCenter
      runtime.followInput()
    }
  }

  /// Has the scene tell of what people do, where that can be taken back.
  func followInput() {
    guard let scene, !undoCenter.isEmpty else { return }
    scene.host.inputBegan = { [weak undoCenter] in undoCenter?.begin($0, $1) }
    scene.host.inputEnded = { [weak undoCenter] in undoCenter?.end() }
  }

  private static let mostSteps = 100_000

  private func makeHistory(_ call: borrowing LuaCall) throws {
    let table = try call.table(0)
    let options = try CallOptions(table.withoutElements(), of: "undo.manager", ["limit", "name"])
    let limit = try options.integer("limit") ?? 1000
    guard (1...Self.mostSteps).contains(limit) else {
      throw TideError(
        .badArgument,
        "the option \"limit\" of undo.manager is 1 to \(Self.mostSteps) steps, not \(limit)")
    }
    let name = try options.name()
    var roots: [DataObject] = []
    for (key, value) in try table.entries() {
      guard case .integer(let index) = key else {
        continue
      }
      roots.append(try root(value, index))
    }
    if roots.isEmpty {
      throw call.badArgument(0, "undo.manager needs the models to follow: undo.manager { todo }")
    }
    try charge(Weight.task)
    let history = UndoHistory(roots, limit: limit, undoCenter, in: self.table)
    context.own { history.end() }
    try charge(history.followedCount * 48)
    try begin(history, named: name)
    try call.return(luaValue(history))
  }

  private func root(_ value: LuaValue, _ index: Int) throws -> DataObject {
    switch value {
    case .object(let object):
      if let found = object.dataObject, !(found is View), !(found is LiveObject) { return found }
    case .string(let name):
      if let found = graph.untracked({ models[name] }) { return found }
      throw models.unknown(name)
    default: break
    }
    throw TideError(
      .badArgument,
      "number \(index) of undo.manager is a model, an object, a list or a model's name, not "
        + value.preview)
  }

  /// `history:undo()` and its like.
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
  /// The entries that are not numbered, in a table of their own.
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
    "undo.manager(options)", usage: "undo.manager { models… [, limit = n] [, name = name] }",
    "A data object that takes back what people change in some models, step by step.",
    """
    @param options tidelock.UndoOptions
    @return tidelock.UndoManager
    """)

  static let undoGroup = APIEntry(
    "undo.group(title, fn)", "Makes what a function changes one step, under a title.",
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
      ---@field [integer] tidelock.DataObject|tidelock.List|string
      ---@field limit? integer
      ---@field name? string

      ---@class tidelock.UndoManager : tidelock.DataObject
      ---@field canUndo boolean
      ---@field canRedo boolean
      ---@field undoTitle string?
      ---@field redoTitle string?
      local UndoManager = {}
      ---@return boolean
      function UndoManager:undo() end
      ---@return boolean
      function UndoManager:redo() end
      function UndoManager:clear() end
      """)
}
