import TideGraph

/// Restores values when bindings with the option `restoresValue` end or are paused.
///
/// Each binding that has replaced a target's value holds it. Those of one target form a pile:
///
///     "orig" ◀── A ◀── B      target shows B's value; A holds "orig", B holds A's value
///
/// One that ends hands what it holds to the next above it, so that the last one puts back what was
/// there before all of them. While others of the pile are active, the topmost shows its value.
struct PendingRestores {
  /// How many contexts are ending or pausing at present.
  var depth = 0
  /// Nothing is restored during a reload or at the end of the app.
  var isOff = false
  /// In the order in which the bindings ended; the last one's value wins.
  var values: [Replaced] = []
  /// By target; in the order in which the gates have replaced its value.
  var piles: [Destination.Key: [Gate]] = [:]

  /// What is to be put back, and where.
  struct Replaced {
    let destination: Destination
    let value: Value
    /// The gate whose value the target shows instead; nil where the replaced value returns.
    var successor: Gate?
  }
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
    // A former version that is paused during a reload goes on where the new one is rejected, else
    // passes on what it holds.
    if restores.isOff && !isOver { return }
    for gate in gates {
      guard let found = gate.takeValueBefore() else { continue }
      if restores.isOff { continue }
      restores.values.append(found)
      if !isOver { gate.postpone() }
    }
  }

  /// Restores the noted values, unless more is about to end.
  func putBack() {
    guard restores.depth == 0, !restores.values.isEmpty else { return }
    let values = restores.values
    restores.values = []
    graph.batch {
      for replaced in values { putBack(replaced) }
    }
  }

  /// Restores one value, or lets the next binding show its own.
  func putBack(_ replaced: PendingRestores.Replaced) {
    if let successor = replaced.successor, successor.holdsValueBefore(at: replaced.destination.key)
    {
      return successor.deliver()
    }
    do { try replaced.destination.put(replaced.value) } catch { list(error) }
  }

  // MARK: Piles

  /// Puts a gate that has replaced a target's value on top.
  func pile(_ gate: Gate, at key: Destination.Key) { restores.piles[key, default: []].append(gate) }

  /// Lets a gate take the place of a former one, which its binding succeeds.
  func pile(_ gate: Gate, inPlaceOf former: Gate, at key: Destination.Key) {
    guard var pile = restores.piles[key], let index = pile.firstIndex(where: { $0 === former })
    else { return }
    pile.removeAll { $0 === gate }
    pile[index] = gate
    restores.piles[key] = pile
  }

  /// Takes a gate out of its pile. The one above it holds from then on what this one has held.
  ///
  /// - Returns: the topmost active gate of the others, and whether the gate was on top of all.
  func unpile(
    _ gate: Gate, holding value: Value, at key: Destination.Key
  ) -> (successor: Gate?, wasOnTop: Bool) {
    guard var pile = restores.piles[key], let index = pile.firstIndex(where: { $0 === gate }) else {
      return (nil, true)
    }
    pile.remove(at: index)
    restores.piles[key] = pile.isEmpty ? nil : pile
    if index < pile.count { pile[index].holdInstead(value) }
    return (pile.last { $0.showsValue }, index == pile.count)
  }
}

extension Destination {
  /// Identifies a destination while its object lives.
  struct Key: Hashable {
    private let object: ObjectIdentifier
    private let index: Int
    private let name: String

    fileprivate init(_ destination: Destination) {
      object = ObjectIdentifier(destination.object)
      switch destination {
      case .property(_, let index): (self.index, name) = (index, "")
      case .entry(_, let name): (index, self.name) = (-1, name)
      }
    }
  }

  var key: Key { Key(self) }

  /// Writes a value without transforming it, even to a read-only property.
  func put(_ value: Value) throws {
    switch self {
    case .property(let object, let index): try object.write(index, value, byHost: true)
    case .entry(let object, let name): _ = try object.setDynamicValue(value, of: name)
    }
  }
}
