package import TideBindings

/// The modules of an app, the main script among them.
package struct ModuleTable {
  package private(set) var main: Module
  private var modules: [String: Module] = [:]
  /// In the order in which they were first loaded, with gaps for removed modules.
  private var inOrder: [Module?] = []
  private var positions: [String: Int] = [:]
  private var byPath: [String: Module] = [:]
  private var byFamily: [ObjectIdentifier: Module] = [:]

  init(main: Module) {
    self.main = main
    enter(main)
  }

  /// A module by its name for `require`; the main script's name is empty.
  package subscript(name: String) -> Module? {
    get { name.isEmpty ? main : modules[name] }
    set {
      if let old = self[name] { leave(old) }
      if let newValue { enter(newValue) }
      if name.isEmpty {
        if let newValue { main = newValue }
        return
      }
      modules[name] = newValue
      if let position = positions[name] {
        inOrder[position] = newValue
      } else if let newValue {
        positions[name] = inOrder.count
        inOrder.append(newValue)
      }
    }
  }

  private mutating func enter(_ module: Module) {
    byPath[module.path] = module
    byFamily[module.context.family] = module
  }

  private mutating func leave(_ module: Module) {
    if byPath[module.path] === module { byPath[module.path] = nil }
    byFamily[module.context.family] = nil
  }

  /// All modules, the main script first.
  package var all: [Module] { [main] + inOrder.compactMap { $0 } }

  /// A module's name, and the names of all modules that it requires directly or indirectly.
  package func reachable(from name: String) -> Set<String> {
    var found: Set<String> = []
    var work = [name]
    while let next = work.popLast() {
      if found.insert(next).inserted { work += self[next]?.required ?? [] }
    }
    return found
  }

  package var count: Int { modules.count + 1 }

  /// The files of the modules, that of the main script first.
  var paths: [String] { all.filter { !$0.isGiven }.map(\.path) }

  /// The module whose file contains a function.
  package func module(atPath path: String) -> Module? { byPath[path] }

  /// The module that a context belongs to; nil for a context of the host.
  package func module(of context: BindingContext) -> Module? { byFamily[context.family] }
}
