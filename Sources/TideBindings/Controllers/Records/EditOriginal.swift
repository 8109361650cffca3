import TideGraph

/// What the model had before a person began to type, at the end of one binding.
///
/// Text is written as it is typed. Where the model refuses what it has come to, the model gets this
/// back: not the last text that happened to be valid on the way.
final class EditOriginal {
  private let places: [(destination: Destination, value: Value)]
  /// The edit has ended; what is refused from now on is another one's.
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

  /// What a binding to the destination shows when it has its value back.
  private var shown: Value? { places.count == 1 ? places[0].value : nil }

  /// Whether the destination still is the one that was typed for.
  private func isOf(_ destination: Destination) -> Bool {
    if places.count == 1 { return places[0].destination.isSame(as: destination) }
    guard case .property(let property as ProxyProperty, _) = destination,
      let selection = property.source as? SelectionProxy
    else { return false }
    let present = selection.present(at: property.steps)
    return present.count == places.count
      && zip(present, places).allSatisfy { $0.isSame(as: $1.destination) }
  }

  /// Gives a destination its value back; true when that changes its slot.
  ///
  /// - Parameters:
  ///   - isSettling: whether its dependents are to follow, as for what no binding's edge leads to.
  ///   - note: called with what will be shown, before anything is written.
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
  /// Notes what the model has where the text of a view goes.
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
