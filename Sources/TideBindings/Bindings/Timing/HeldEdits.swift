import TideGraph

/// The edits of one object that ending bindings hold: drafts, delayed writes and rejected texts.
package struct HeldEdits {
  struct Entry {
    let index: Int
    let value: Value
    let destination: Destination
    let edit: HeldEdit
  }

  let entries: [Entry]
}

/// An edit that one binding holds.
struct HeldEdit {
  let wait: Gate.Pending
  let hasFailed: Bool
  let error: TideError?
}

extension BindingTable {
  /// The edits of an object that its bindings hold and the model does not have; nil if there are
  /// none.
  package func heldEdits(at object: DataObject) -> HeldEdits? {
    var entries: [HeldEdits.Entry] = []
    for index in 0..<object.valueCount {
      for route in routes(from: object.slot(index)) where route.isHeld {
        guard let destination = route.presentDestination else { continue }
        let value = graph.untracked { object.slot(index).load() }
        entries.append(
          HeldEdits.Entry(
            index: index, value: value, destination: destination,
            edit: route.heldEdit(keepsDue: true)))
      }
    }
    return entries.isEmpty ? nil : HeldEdits(entries: entries)
  }

  /// Resumes held edits at the new bindings of the same object, where they lead to the same
  /// destinations.
  package func resume(_ edits: HeldEdits, at object: DataObject) {
    for entry in edits.entries where entry.index < object.valueCount {
      let slot = object.slot(entry.index)
      for route in routes(from: slot) where !route.isHeld {
        guard route.presentDestination?.isSame(as: entry.destination) == true else { continue }
        withoutCarrying(from: slot) { _ = graph.write(slot, entry.value) }
        route.hold(as: entry.edit)
      }
    }
  }
}
