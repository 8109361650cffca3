import TideGraph

/// The edits of one object that ending bindings hold: drafts, delayed writes and rejected texts.
package struct HeldEdits {
  struct Entry {
    let index: Int
    let value: Value
    let destination: Destination
    let edit: HeldEdit
    let binding: Binding
    /// Nil for a binding that copies.
    let transfer: BindingTransfer?
  }

  let entries: [Entry]

  /// The edits whose bindings have ended; nil for none.
  package var ofEndedBindings: HeldEdits? {
    let ended = entries.filter { !$0.binding.isAlive }
    return ended.isEmpty ? nil : HeldEdits(entries: ended)
  }

  /// Writes the edits to the destinations for which they were entered. Returns false if the model
  /// refuses one, or one waits for a condition.
  package func write() -> Bool {
    var areTaken = true
    for entry in entries where !entry.write() { areTaken = false }
    return areTaken
  }
}

extension HeldEdits.Entry {
  fileprivate func write() -> Bool {
    switch edit.wait.kind {
    case .editing, .time: break
    case .condition, .nothing: return false
    }
    do {
      if let transfer {
        try transfer.enter(value, at: destination)
      } else {
        try destination.put(destination.converted(value))
      }
      return true
    } catch {
      return false
    }
  }
}

/// An edit that one binding holds.
struct HeldEdit {
  let wait: Gate.Pending
  let hasFailed: Bool
  let error: TideError?
}

extension BindingTable {
  /// Calls a function that writes a text. ``isTyping`` holds for every write that it causes.
  ///
  /// - Parameter isTyped: whether a person has typed the text.
  package func typing(_ isTyped: Bool = true, _ body: () -> Void) {
    let wasTyping = isTyping
    isTyping = wasTyping || isTyped
    defer { isTyping = wasTyping }
    body()
  }

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
            edit: route.heldEdit(keepsDue: true), binding: Binding(route.record, self),
            transfer: route.transfer))
      }
    }
    return entries.isEmpty ? nil : HeldEdits(entries: entries)
  }

  /// Resumes held edits at the new bindings of the same object, where they lead to the same
  /// destinations. Returns the edits whose destinations no new binding leads to; nil for none.
  package func resume(_ edits: HeldEdits, at object: DataObject) -> HeldEdits? {
    let left = edits.entries.filter { entry in
      if entry.index >= object.valueCount { return true }
      let slot = object.slot(entry.index)
      var isLeft = true
      for route in routes(from: slot)
      where route.presentDestination?.isSame(as: entry.destination) == true {
        isLeft = false
        if route.isHeld { continue }
        withoutCarrying(from: slot) { _ = graph.write(slot, entry.value) }
        route.hold(as: entry.edit)
      }
      return isLeft
    }
    return left.isEmpty ? nil : HeldEdits(entries: left)
  }
}
