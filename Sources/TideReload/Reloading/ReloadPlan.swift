import TideScript

/// Which modules are to be run anew for some that have changed.
///
///     main ──▶ shop ──▶ prices (changed)        prices and shop are run anew, then main;
///      └─────▶ tax                               tax stays as it is
///
/// It goes on from a module to those that required it, up to one that takes new versions of what it
/// needs by itself (`hot.accept`), or to the main script.
struct ReloadPlan {
  /// Those to be run anew, what is required before what requires it.
  let modules: [Module]
  /// Those that take new versions, each with the modules that it takes.
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

  /// Dependencies first.
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
