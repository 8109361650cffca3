import TideSystem

/// Merges the symbols of an app's scripts, repeatedly while one of them is edited.
///
/// The merged symbols of the other scripts are cached.
final class SymbolUnion {
  private var scripts: [Script] = []
  /// The index of the script that changed last; nil if unknown.
  private var edited: Int?
  private var others = SymbolTable()

  /// The symbols of all scripts.
  func symbols(of scripts: [Script]) -> SymbolTable {
    guard let changed = changed(in: scripts) else {
      self.scripts = scripts
      edited = nil
      return Self.joined(scripts)
    }
    if edited != changed {
      var rest = scripts
      rest.remove(at: changed)
      others = Self.joined(rest)
      edited = changed
    }
    self.scripts = scripts
    var symbols = others
    symbols.formUnion(scripts[changed].symbols)
    return symbols
  }

  /// The index of the only script that has changed since the last call; nil if several have.
  private func changed(in scripts: [Script]) -> Int? {
    guard scripts.count == self.scripts.count, !scripts.isEmpty else { return nil }
    let changed = scripts.indices.filter { scripts[$0] !== self.scripts[$0] }
    return changed.count < 2 ? changed.first ?? edited ?? 0 : nil
  }

  private static func joined(_ scripts: [Script]) -> SymbolTable {
    var symbols = SymbolTable()
    for script in scripts { symbols.formUnion(script.symbols) }
    return symbols
  }
}

/// The merged symbols of several apps, by the path of one script of each.
final class SymbolUnions {
  private var unions: [PathKey: SymbolUnion] = [:]

  func union(for path: String) -> SymbolUnion {
    if let known = unions[path: path] { return known }
    let made = SymbolUnion()
    unions[path: path] = made
    return made
  }
}
