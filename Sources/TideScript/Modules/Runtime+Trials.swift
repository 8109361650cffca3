import TideBindings
import TideLua

// What a reload needs to try new versions of modules.
extension Runtime {
  /// Whether the main script has been run, and not been given up.
  package var hasBegun: Bool { modules.main.hasRun }

  /// Makes room for a new version of the main script beside the one that waits.
  package func startMainAnew() {
    modules[""] = Module("", path: path, in: table, former: modules.main)
  }

  /// Gives what puts the contents of `hot.data` back.
  package func dataKeeper(of state: HotState) throws -> () -> Void {
    guard let data = state.data else { return { state.data = nil } }
    let restore = try tables.keep(data, isDeep: true)
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

extension Module {
  /// The new version is the only one now.
  package func settleIn() {
    former = nil
    formerClasses = [:]
  }
}
