import TideBindings
package import TideLua

/// A module's state across reloads: `hot` in scripts.
package final class HotState {
  /// The number of reloads of the module.
  package let reloads: Int
  /// Survives reloads; created on first access.
  package var data: LuaTable?
  /// Functions to call before the module is replaced, the latest first.
  package internal(set) var disposers: [LuaFunction] = []
  /// Receives new versions of required modules.
  package internal(set) var accept: LuaFunction?

  init(after former: HotState?) {
    reloads = former.map { $0.reloads + 1 } ?? 0
    data = former?.data
  }
}

extension Runtime {
  /// `hot`: a module's state across reloads, and its reload handlers. The file of the calling
  /// function determines the module.
  func installHot() throws {
    let dispose = try function(APIEntry.hotDispose.signature) { [unowned self] call in
      try hot().disposers.append(call.function(0))
    }
    let accept = try function(APIEntry.hotAccept.signature) { [unowned self] call in
      try hot().accept = call.function(0)
    }
    let metatable = try lua.table(["__metatable": false, "__name": "hot"])
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "hot") { [unowned self] call in
          let name = try name(call, of: "hot")
          switch name {
          case "data": call.return(.table(try data(of: hot())))
          case "reloads": call.return(try hot().reloads)
          case "dispose": call.return(.function(dispose))
          case "accept": call.return(.function(accept))
          default:
            let names = ["data", "dispose", "accept", "reloads"]
            throw TideError(
              .unknownProperty,
              "hot has no \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: names))")
          }
        }))
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "hot") { [unowned self] call in
          let name = try name(call, of: "hot")
          guard name == "data" else {
            throw TideError(
              .readOnly, "hot.\(name) cannot be assigned to; what is to be kept goes into hot.data")
          }
          let hot = try hot(), before = hot.data
          hot.data = try call.table(2)
          keepUndo { hot.data = before }
        }))
    let table = try lua.table()
    try table.protect(with: metatable)
    try publish("hot", .table(table))
  }

  private func hot() throws -> HotState { (runningModule ?? modules.main).hot }

  private func data(of hot: HotState) throws -> LuaTable {
    if let known = hot.data { return known }
    let made = try lua.table()
    hot.data = made
    return made
  }
}

// Reload support.
extension Runtime {
  /// Returns a function that restores the contents of `hot.data`.
  package func dataKeeper(of state: HotState) throws -> () -> Void {
    guard let data = state.data else { return { state.data = nil } }
    let restore = try loader.tables.keep(data, isDeep: true)
    return {
      state.data = data
      restore()
    }
  }

  /// Passes the new version of a required module to a module's `hot.accept` function.
  package func offer(_ name: String, to module: Module) throws {
    guard let accept = module.hot.accept, let value = modules[name]?.value else { return }
    try table.with(module.context) {
      try perform { _ = try accept.call([.string(name), value]) }
    }
  }

  /// Calls a module's `hot.dispose` functions.
  package func disposeOfState(in module: Module) {
    for function in module.hot.disposers.reversed() {
      callBack(in: module.context) { _ = try function.call([]) }
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let hot = APIEntry(
    "hot", usage: "hot.data",
    "What the module keeps across its reloads, and wants done at them.",
    """
    @class tidelock.Hot
    @field data table
    @field reloads integer
    """)

  static let hotDispose = APIEntry(
    "hot.dispose(fn)",
    "Has a function called before the module is replaced.",
    """
    @param fn function
    """)

  static let hotAccept = APIEntry(
    "hot.accept(fn)",
    "Has a function take new versions of what the module requires.",
    """
    @param fn function
    """)
}

extension APISection {
  static let hot = APISection(
    article: "ReloadAndReports",
    entries: [.hot, .hotDispose, .hotAccept])
}
