import CTideSlots
import TideGraph

/// How several bindings of one property share it, where the last one does not simply win.
///
/// A control is enabled while all of its bindings say so, and a view hidden while one does:
///
///     a.isValid ─▶ ┐
///                  and ─▶ button.enabled
///     b.isReady ─▶ ┘
package enum Combination: Sendable {
  case and, or

  func result(of flags: some Sequence<Bool>) -> Bool {
    switch self {
    case .and: flags.allSatisfy { $0 }
    case .or: flags.contains(true)
    }
  }
}

/// What each binding last said of a property that several of them share.
struct Contributions {
  private var bySlot: [UInt32: [(binding: UInt32, flag: Bool)]] = [:]

  /// Takes one in and gives what all of them make together.
  mutating func put(
    _ flag: Bool, of binding: UInt32, at slot: Slot, _ combination: Combination
  ) -> Bool {
    var all = bySlot[slot.index] ?? []
    if let place = all.firstIndex(where: { $0.binding == binding }) {
      all[place].flag = flag
    } else {
      all.append((binding, flag))
    }
    bySlot[slot.index] = all
    return combination.result(of: all.lazy.map(\.flag))
  }

  /// Takes one out and gives what the others make together; nil where there are none.
  mutating func remove(
    _ binding: UInt32, at slot: Slot, _ combination: Combination
  ) -> Bool? {
    guard var all = bySlot[slot.index] else { return nil }
    all.removeAll { $0.binding == binding }
    bySlot[slot.index] = all.isEmpty ? nil : all
    return all.isEmpty ? nil : combination.result(of: all.lazy.map(\.flag))
  }
}

extension Slot {
  /// How bindings share the property; nil where the last one wins.
  var combination: Combination? {
    guard pointee.type & UInt8(TIDE_TYPE_MASK) == ValueType.boolean.rawValue,
      let header = blockHeader, let object = header.block as? DataObject
    else { return nil }
    return object.shape.places[self - header - 1].combination
  }
}

extension BindingTable {
  /// What a shared property is to hold when a binding says `flag`.
  func combined(
    _ flag: Bool, of record: UInt32, at slot: Slot, _ combination: Combination
  ) -> Bool {
    let details = makeDetails(for: record)
    if let known = details.shared, known.slot != slot { leave(known, of: record) }
    details.shared = (slot, combination, slot.blockHeader?.generation ?? 0)
    return contributions.put(flag, of: record, at: slot, combination)
  }

  /// Takes back what a binding said of the property that it shared.
  func leaveShared(by record: UInt32) {
    guard let details = details(of: record), let shared = details.shared else { return }
    details.shared = nil
    leave(shared, of: record)
  }

  /// Takes back what a binding said of a property that others share.
  func leave(_ shared: BindingDetails.Shared, of record: UInt32) {
    let rest = contributions.remove(record, at: shared.slot, shared.combination)
    guard let rest, shared.slot.blockHeader?.generation == shared.generation else { return }
    graph.write(shared.slot, .boolean(rest))
  }
}
