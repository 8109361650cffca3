import TideGraph

/// Restores values when bindings with the option `restoresValue` end or are paused.
///
/// Each binding that has replaced a target's value holds that value. The bindings of one target
/// form a stack:
///
///     "orig" ◀── A ◀── B      target shows B's value; A holds "orig", B holds A's value
///
/// A binding that ends passes its held value to the binding above it, so that the last one restores
/// the original value. While other bindings of the stack are active, the topmost of them shows its
/// value.
struct PendingRestores {
  /// The number of contexts that are currently ending or pausing.
  var depth = 0
  /// Nothing is restored during a reload or at the end of the app.
  var isOff = false
  /// In the order in which the bindings ended; the last one's value wins.
  var values: [Replaced] = []
  /// The stack of gates of each target, in the order in which they replaced its value.
  var piles: [Destination.Key: [Gate]] = [:]

  /// A value to restore, and its destination.
  struct Replaced {
    let destination: Destination
    let value: Value
    /// The gate whose value the target shows next; nil to restore the replaced value.
    var successor: Gate?
  }
}

extension BindingTable {
  /// Ends or pauses several bindings, then restores their values together.
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

  /// Schedules the restoring of the values that gates have replaced.
  func restoreValues(of gates: [Gate], isOver: Bool) {
    // During a reload the gates of the old version keep their values. They resume if the new
    // version is rejected, else they pass the values to their successors.
    if restores.isOff && !isOver { return }
    for gate in gates {
      guard let found = gate.takeValueBefore() else { continue }
      if restores.isOff { continue }
      restores.values.append(found)
      if !isOver { gate.postpone() }
    }
  }

  /// Restores the scheduled values, unless more bindings are about to end.
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

  /// Pushes a gate that has replaced a target's value onto the target's stack.
  func pile(_ gate: Gate, at key: Destination.Key) { restores.piles[key, default: []].append(gate) }

  /// Replaces a gate in its stack by the gate of the binding's successor.
  func pile(_ gate: Gate, inPlaceOf former: Gate, at key: Destination.Key) {
    guard var pile = restores.piles[key], let index = pile.firstIndex(where: { $0 === former })
    else { return }
    pile.removeAll { $0 === gate }
    pile[index] = gate
    restores.piles[key] = pile
  }

  /// Removes a gate from its stack. The gate above it takes over the value that it held.
  ///
  /// - Returns: the topmost active gate that remains, and whether the removed gate was on top.
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
