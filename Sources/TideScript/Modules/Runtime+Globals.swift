import TideBindings
import TideLua

extension Runtime {
  /// Lets each module know which globals it has added: they go with it.
  func trackGlobals() throws {
    let globals = try lua.globals
    let metatable = try lua.table()
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "_G") { [unowned self] call in
          let key = try call.value(1)
          try globals.rawSet(key, call.value(2))
          // By the file that says so: what a prompt adds stays.
          if case .string(let name) = key, let place = location {
            modules.module(atPath: place.file)?.globals.insert(name)
          }
        }))
    // All modules share it, so it is hidden lest one change it for the others.
    if !configuration.lua.capabilities.contains(.patching) {
      try metatable.rawSet("__metatable", false)
    }
    try globals.setMetatable(metatable)
  }

  /// Takes away what a module has added, unless another has since made it its own.
  func removeGlobals(of module: Module) {
    for name in module.globals { try? lua.globals.rawSet(.string(name), .nil) }
  }

  /// Takes the globals of the versions before away, until the new ones add theirs.
  package func removeGlobals(of former: some Sequence<Module>) throws {
    if let rollback { try rollback.keep(tables.keep(lua.globals, isDeep: false)) }
    for module in former { removeGlobals(of: module) }
  }
}
