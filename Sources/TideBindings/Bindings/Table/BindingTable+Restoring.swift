import TideGraph

/// Restores values when bindings with the option `restoresValue` end or are paused.
struct PendingRestores {
  /// How many contexts are ending or pausing at present.
  var depth = 0
  /// Nothing is restored during a reload or at the end of the app.
  var isOff = false
  /// In the order in which the bindings ended; the last one's value wins.
  var values: [(destination: Destination, value: Value)] = []
}

extension BindingTable {
  /// Restores values once everything that ends or pauses together has done so.
  func restoringTogether(_ body: () -> Void) {
    restores.depth += 1
    body()
    restores.depth -= 1
    putBack()
  }

  /// Ends or pauses bindings without restoring anything.
  package func withoutRestoring<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = restores.isOff
    restores.isOff = true
    defer { restores.isOff = before }
    return try body()
  }

  /// Notes the values that gates have replaced, to be restored.
  func restoreValues(of gates: [Gate], isOver: Bool) {
    if restores.isOff { return }
    for gate in gates {
      if let found = gate.takeValueBefore(isOver: isOver) { restores.values.append(found) }
    }
  }

  /// Restores the noted values, unless more is about to end.
  func putBack() {
    guard restores.depth == 0, !restores.values.isEmpty else { return }
    let values = restores.values
    restores.values = []
    graph.batch {
      for (destination, value) in values {
        do { try destination.put(value) } catch { list(error) }
      }
    }
  }
}

extension Destination {
  /// Writes a value without transforming it, even to a read-only property.
  func put(_ value: Value) throws {
    switch self {
    case .property(let object, let index): try object.write(index, value, byHost: true)
    case .entry(let object, let name): _ = try object.setDynamicValue(value, of: name)
    }
  }
}
