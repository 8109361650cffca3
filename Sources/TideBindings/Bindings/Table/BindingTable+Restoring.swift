import TideGraph

/// What bindings put back that have the option `restoresValue` and end or wait.
struct PendingRestores {
  /// How many contexts are in the middle of ending or waiting.
  var depth = 0
  /// Nothing is put back while a version of a script gives way to another one, or the app ends.
  var isOff = false
  /// In the order in which the bindings ended: what the last one has found stands there at the end.
  var values: [(destination: Destination, value: Value)] = []
}

extension BindingTable {
  /// Puts values back once all has ended or waits that ends or waits together.
  func restoringTogether(_ body: () -> Void) {
    restores.depth += 1
    body()
    restores.depth -= 1
    putBack()
  }

  /// Ends bindings, or lets them wait, without writing anything.
  package func withoutRestoring<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = restores.isOff
    restores.isOff = true
    defer { restores.isOff = before }
    return try body()
  }

  /// Notes what gates have replaced, to be put back.
  func restoreValues(of gates: [Gate], isOver: Bool) {
    if restores.isOff { return }
    for gate in gates {
      if let found = gate.takeValueBefore(isOver: isOver) { restores.values.append(found) }
    }
  }

  /// Puts back what has been noted, unless more is about to end.
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
  /// Writes a value as it is, read only or not.
  func put(_ value: Value) throws {
    switch self {
    case .property(let object, let index): try object.write(index, value, byHost: true)
    case .entry(let object, let name): _ = try object.setDynamicValue(value, of: name)
    }
  }
}
