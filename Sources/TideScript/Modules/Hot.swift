import TideBindings
package import TideLua

/// What a module keeps and wants across its reloads: `hot` in scripts.
package final class HotState {
  /// How often the module has been reloaded.
  package let reloads: Int
  /// Survives; made when it is first asked for.
  package var data: LuaTable?
  /// To be run before the module goes, the latest first.
  package internal(set) var disposers: [LuaFunction] = []
  /// Takes new versions of what the module requires.
  package internal(set) var accept: LuaFunction?

  init(after former: HotState?) {
    reloads = former.map { $0.reloads + 1 } ?? 0
    data = former?.data
  }
}

extension Runtime {
  /// `hot`: what the module keeps across its reloads, and wants done at them. Which module is meant
  /// is said by the file of the calling function.
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

// What a reload does with it.
extension Runtime {
  /// Gives what puts the contents of `hot.data` back.
  package func dataKeeper(of state: HotState) throws -> () -> Void {
    guard let data = state.data else { return { state.data = nil } }
    let restore = try loader.tables.keep(data, isDeep: true)
    return {
      state.data = data
      restore()
    }
  }

  /// Hands a module the new version of what it requires.
  package func offer(_ name: String, to module: Module) throws {
    guard let accept = module.hot.accept, let value = modules[name]?.value else { return }
    try table.with(module.context) {
      try perform { _ = try accept.call([.string(name), value]) }
    }
  }

  /// Runs what a module wants done before it goes.
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
