import TideGraph

/// The value at the end of one binding from before the user began to type.
///
/// Text is written to the model as it is typed. If the model refuses the final text, this value is
/// restored, instead of the last valid text of the typing. If another user has written a value in
/// the meantime, that value is restored instead.
final class EditOriginal {
  /// A destination, the value to restore, and the value that the edit has left there.
  private struct Place {
    let destination: Destination
    var value: Value
    var left: Value

    init(_ destination: Destination) {
      self.destination = destination
      value = destination.value
      left = value
    }
  }

  private var places: [Place]
  /// Whether the edit has ended. A later refusal belongs to another edit.
  var isOver = false
  /// Whether the edit has written since the last input was handled.
  private var hasWritten = false

  init(_ destination: Destination) {
    if case .property(let property as ProxyProperty, _) = destination,
      destination.value.isStateMarker, let selection = property.source as? SelectionProxy
    {
      places = selection.present(at: property.steps).map(Place.init)
    } else {
      places = [Place(destination)]
    }
  }

  /// Whether the destination is still the one into which the user typed.
  private func isOf(_ destination: Destination) -> Bool {
    if places.count == 1 { return places[0].destination.isSame(as: destination) }
    guard case .property(let property as ProxyProperty, _) = destination,
      let selection = property.source as? SelectionProxy
    else { return false }
    let present = selection.present(at: property.steps)
    return present.count == places.count
      && zip(present, places).allSatisfy { $0.isSame(as: $1.destination) }
  }

  /// Called before the edit writes: adopts the values that others have written since.
  func noteOthersWrites() {
    if isOver { return }
    for index in places.indices {
      let value = places[index].destination.value
      if value == places[index].left { continue }
      (places[index].value, places[index].left) = (value, value)
    }
  }

  /// Called after the edit has written.
  func noteOwnWrite() {
    if isOver { return }
    hasWritten = true
    noteLeft()
  }

  /// Called when an input has been handled: what handlers have made of the written value belongs to
  /// the edit.
  func endInput() {
    if hasWritten && !isOver { noteLeft() }
    hasWritten = false
  }

  private func noteLeft() {
    for index in places.indices { places[index].left = places[index].destination.value }
  }

  /// Restores a destination's value. Returns whether its slot has changed.
  ///
  /// - Parameter isSettling: whether the write settles, because no binding's edge leads to the
  ///   destination.
  func restore(_ destination: Destination, isSettling: Bool) -> Bool {
    if isOver || places.allSatisfy({ $0.destination.value == $0.value }) { return false }
    guard isOf(destination) else { return false }
    var isChanged = false
    for place in places {
      switch place.destination {
      case .property(let object, let index):
        isChanged = (try? object.store(index, place.value, settling: isSettling)) ?? false
      case .entry(let object, let name):
        _ = try? object.setDynamicValue(place.value, of: name)
      }
    }
    noteLeft()
    return isChanged && !isSettling
  }
}

extension BindingTable {
  /// Records the model's values at the destinations of a view's text.
  package func noteOriginals(of edit: RecordEdit, from slot: Slot) {
    graph.untracked { noteOriginals(of: edit, from: slot, depth: 0) }
  }

  private func noteOriginals(of edit: RecordEdit, from slot: Slot, depth: Int) {
    forEachBinding(from: slot) { transfer, _, destination in
      guard let destination else { return }
      if case .property(let view, let index) = destination, view is any ViewNavigable {
        if depth < Self.deepest {
          noteOriginals(of: edit, from: view.slot(index), depth: depth + 1)
        }
      } else if let transfer {
        let original = EditOriginal(destination)
        transfer.original = original
        edit.originals.append(original)
      }
    }
  }
}
