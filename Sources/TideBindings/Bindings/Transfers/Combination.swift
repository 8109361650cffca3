import CTideSlots
import TideGraph

/// How several bindings of one property combine their values. Without a combination the last one
/// wins.
///
/// A control is enabled while all of its bindings are true, and a view is hidden while any is:
///
///     a.isValid ─▶ ┐
///                  and ─▶ button.enabled
///     b.isReady ─▶ ┘
package enum Combination: Sendable {
  case and, or

  /// The combination of `count` flags, `trueCount` of them true.
  func result(of count: Int, with trueCount: Int) -> Bool {
    switch self {
    case .and: trueCount == count
    case .or: trueCount > 0
    }
  }
}

/// The last value of each binding of a shared property.
struct Contributions {
  private var bySlot: [UInt32: Flags] = [:]

  /// The number of true flags is stored, because thousands of bindings may end one after another
  /// and each would otherwise scan all flags.
  private struct Flags {
    var byBinding: [UInt32: Bool] = [:]
    var trueCount = 0

    mutating func set(_ flag: Bool?, of binding: UInt32) {
      let before = byBinding[binding]
      byBinding[binding] = flag
      if before == true { trueCount -= 1 }
      if flag == true { trueCount += 1 }
    }

    func result(_ combination: Combination) -> Bool {
      combination.result(of: byBinding.count, with: trueCount)
    }
  }

  /// The number of stored flags.
  var count: Int { bySlot.values.reduce(0) { $0 + $1.byBinding.count } }

  /// Adds a flag and returns the combination.
  mutating func put(
    _ flag: Bool, of binding: UInt32, at slot: Slot, _ combination: Combination
  ) -> Bool {
    bySlot[slot.index, default: Flags()].set(flag, of: binding)
    return bySlot[slot.index]?.result(combination) ?? flag
  }

  /// Removes a flag and returns the combination of the others; nil when none are left.
  mutating func remove(
    _ binding: UInt32, at slot: Slot, _ combination: Combination
  ) -> Bool? {
    bySlot[slot.index]?.set(nil, of: binding)
    guard let rest = bySlot[slot.index] else { return nil }
    if !rest.byBinding.isEmpty { return rest.result(combination) }
    bySlot[slot.index] = nil
    return nil
  }
}

extension Slot {
  /// How bindings share the property; nil when the last one wins.
  var combination: Combination? {
    guard pointee.type & UInt8(TIDE_TYPE_MASK) == ValueType.boolean.rawValue,
      let header = blockHeader, let object = header.block as? DataObject
    else { return nil }
    return object.shape.propertiesByIndex[self - header - 1].combination
  }
}

extension BindingTable {
  /// The value of a shared property when a binding contributes `flag`.
  func combined(
    _ flag: Bool, of record: UInt32, at slot: Slot, _ combination: Combination
  ) -> Bool {
    let details = makeDetails(for: record)
    if let known = details.shared, known.slot != slot { leave(known, of: record) }
    details.shared = (slot, combination, slot.blockHeader?.generation ?? 0)
    return contributions.put(flag, of: record, at: slot, combination)
  }

  /// Removes a binding's contribution to the property that it shared.
  func leaveShared(by record: UInt32) {
    guard let details = details(of: record), let shared = details.shared else { return }
    details.shared = nil
    leave(shared, of: record)
  }

  /// Removes a binding's contribution to a property that others share.
  func leave(_ shared: BindingDetails.Shared, of record: UInt32) {
    let rest = contributions.remove(record, at: shared.slot, shared.combination)
    guard let rest, shared.slot.blockHeader?.generation == shared.generation else { return }
    graph.write(shared.slot, .boolean(rest))
  }
}
