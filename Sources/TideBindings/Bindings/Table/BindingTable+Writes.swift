import CTideSlots
import TideGraph

/// A logged write of a script, the host or a person, which no other change has caused.
package struct RootWrite {
  /// The write with its line and act; `new` is the value that it left.
  package let cause: Cause
  package let object: DataObject
}

// The log of the graph has all changes of a turn; those by bindings and functions follow from the
// root writes.
extension BindingTable {
  /// The root writes after one change up to another, by their sequence numbers, oldest first.
  ///
  /// Properties of objects that were made in between are left out, because making them has written
  /// them, and so are those that scripts cannot write.
  ///
  /// - Parameters:
  ///   - end: the latest change that is considered for the values that writes have left.
  ///   - isInternal: whether lines of a file are not shown.
  package func rootWrites(
    after first: UInt64, upTo last: UInt64, knownUpTo end: UInt64,
    isInternal: (String) -> Bool = { _ in false }
  ) -> [RootWrite] {
    graph.untracked {
      // The value that a change left is the one before the next change of the same slot.
      var next: [UInt32: Change] = [:]
      var writes: [RootWrite] = []
      for (slot, change) in graph.loggedChanges(after: first, upTo: end).reversed() {
        let later = next.updateValue(change, forKey: slot.index)
        guard change.sequence <= last, change.cause == .write || change.cause == .input,
          let write = rootWrite(change, at: slot, before: later, since: first, isInternal)
        else { continue }
        writes.append(write)
      }
      return writes.reversed()
    }
  }

  private func rootWrite(
    _ change: Change, at slot: Slot, before later: Change?, since first: UInt64,
    _ isInternal: (String) -> Bool
  ) -> RootWrite? {
    guard let header = slot.blockHeader, slot > header, let object = header.block as? DataObject,
      !isHidden(slot), slot.pointee.access & Access.readOnly == 0 || slot.isVersion
    else { return nil }
    if let made = graph.lastChange(of: header), made.cause == .making, made.sequence > first {
      return nil
    }
    guard let cause = cause(of: slot, (change, slot.isVersion)) else { return nil }
    let new = later.flatMap { slot.isVersion ? nil : old($0.old) } ?? cause.new
    return RootWrite(
      cause: Cause(
        path: cause.path, old: cause.old, new: new, kind: cause.kind,
        location: cause.location.flatMap { isInternal($0.file) ? nil : $0 }, act: cause.act),
      object: object)
  }
}
