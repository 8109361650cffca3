import TideScript

/// Determines which modules have to run again after a change of some modules.
///
///     main ──▶ shop ──▶ prices (changed)        prices and shop run again, then main;
///      └─────▶ tax                               tax stays as it is
///
/// It proceeds from a module to those that require it, up to a module that accepts new versions of
/// its dependencies (`hot.accept`), or up to the main script.
struct ReloadPlan {
  /// The modules to run again, dependencies first.
  let modules: [Module]
  /// The modules that accept new versions, each with the modules that it accepts.
  let acceptors: [(module: Module, taken: [String])]

  var runsMain: Bool { modules.contains { $0.isMain } }

  init(changed: Set<String>, of table: ModuleTable) {
    var requirers: [String: [Module]] = [:]
    for module in table.all {
      for name in module.required { requirers[name, default: []].append(module) }
    }
    var stale: Set<String> = []
    var taken: [String: [String]] = [:]
    var work = changed.sorted()
    while let name = work.popLast() {
      guard let module = table[name], stale.insert(name).inserted, !module.isMain else { continue }
      for requirer in requirers[name] ?? [] {
        if requirer.hot.accept == nil {
          work.append(requirer.name)
        } else {
          taken[requirer.name, default: []].append(name)
        }
      }
    }
    acceptors = taken.filter { !stale.contains($0.key) }.sorted { $0.key < $1.key }
      .compactMap { name, taken in table[name].map { ($0, taken.sorted()) } }
    modules = Self.inOrder(stale, of: table)
  }

  /// Sorts modules topologically, dependencies first.
  private static func inOrder(_ names: Set<String>, of table: ModuleTable) -> [Module] {
    var ordered: [Module] = []
    var seen: Set<String> = []
    for start in names.sorted() where !seen.contains(start) {
      var stack: [(name: String, isDone: Bool)] = [(start, false)]
      while let (name, isDone) = stack.popLast() {
        guard let module = table[name] else { continue }
        if isDone {
          ordered.append(module)
        } else if seen.insert(name).inserted {
          stack.append((name, true))
          for next in module.required.intersection(names).subtracting(seen).sorted() {
            stack.append((next, false))
          }
        }
      }
    }
    return ordered
  }
}
