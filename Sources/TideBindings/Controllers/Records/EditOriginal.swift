import TideGraph

/// The value at the end of one binding from before the user began to type.
///
/// Text is written to the model as it is typed. If the model refuses the final text, it gets this
/// value back, and not the last valid text of the typing.
final class EditOriginal {
  private let places: [(destination: Destination, value: Value)]
  /// Whether the edit has ended. A later refusal belongs to another edit.
  var isOver = false

  init(_ destination: Destination) {
    if case .property(let property as ProxyProperty, _) = destination,
      destination.value.isStateMarker, let selection = property.source as? SelectionProxy
    {
      places = selection.present(at: property.steps).map { ($0, $0.value) }
    } else {
      places = [(destination, destination.value)]
    }
  }

  /// The value that a binding shows after the restore; nil for several destinations.
  private var shown: Value? { places.count == 1 ? places[0].value : nil }

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

  /// Restores a destination's value. Returns whether its slot has changed.
  ///
  /// - Parameters:
  ///   - isSettling: whether the write settles, because no binding's edge leads to the destination.
  ///   - note: called before the write, with the value that will be shown.
  func restore(_ destination: Destination, isSettling: Bool, note: (Value) -> Void) -> Bool {
    if isOver || places.allSatisfy({ $0.destination.value == $0.value }) { return false }
    guard isOf(destination) else { return false }
    note(shown ?? Marker.multipleValues.value)
    var isChanged = false
    for (destination, value) in places {
      switch destination {
      case .property(let object, let index):
        isChanged = (try? object.store(index, value, settling: isSettling)) ?? false
      case .entry(let object, let name): _ = try? object.setDynamicValue(value, of: name)
      }
    }
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
