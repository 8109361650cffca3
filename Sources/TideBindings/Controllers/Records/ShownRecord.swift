package import TideGraph

/// The record that a control shows at one time, with the properties that it edits. It can still be
/// written after the control has moved on to another record.
///
///     control ──binding──▶ selection ──▶ Ann            what was shown: Ann, her name
///     control ──binding──▶ selection ──▶ Bob            late input still goes to Ann's
///
/// It retains none of these objects.
package struct ShownRecord {
  private let records: [ObjectHandle]
  /// Records that were rows of a controller or list. Such a record is gone once its row is removed.
  private let rows: [Row]
  /// The destinations to which each binding wrote input, in the bindings' order.
  private let places: [[Place]]
  /// Whether input has no destination, for example because nothing is selected.
  package let isOfNothing: Bool

  private struct Row {
    let record: ObjectHandle
    let holder: ObjectHandle
    /// The list that contains the record, also if the holder is a list controller, which a reload
    /// replaces. Without the holder and this list, the record counts as gone. Nil if the record
    /// outlives its holder, as in a tree.
    let content: ObjectHandle?

    /// Whether the holder still contains the record. Its reads are not recorded.
    var isThere: Bool {
      guard let record = record.object else { return false }
      return record.graph.untracked {
        switch holder.object ?? content?.object {
        case let controller as ObjectController: controller.hasObject { $0 == .object(record) }
        case let list as ValueList:
          list.index(of: .object(record)) != nil || list.conceals(.object(record))
        default: content == nil
        }
      }
    }
  }

  private struct Place {
    let object: ObjectHandle
    let property: Property

    enum Property {
      case index(Int)
      case name(String)
    }

    init(_ destination: Destination) {
      object = ObjectHandle(destination.object)
      property =
        switch destination {
        case .property(_, let index): .index(index)
        case .entry(_, let name): .name(name)
        }
    }

    var destination: Destination? {
      guard let object = object.object else { return nil }
      return switch property {
      case .index(let index): .property(object, index)
      case .name(let name): .entry(object, name)
      }
    }
  }

  /// - Parameters:
  ///   - slot: the property for input; nil if only the shown record is known.
  ///   - row: the row that contains the control, with its list.
  ///   - lists: further lists whose views show the record as selected.
  package init(
    _ passage: RecordEdit.Passage, from slot: Slot?, of table: BindingTable,
    in row: (object: Value, list: ValueList)?, selectedIn lists: [(object: Value, list: ValueList)]
  ) {
    records = Self.handles(of: passage)
    // Finding the rows of very large selections would take too long.
    if passage.isCut {
      (rows, places, isOfNothing) = ([], [], false)
      return
    }
    (rows, places) = table.graph.untracked {
      (
        Self.rows(of: passage, in: row) + lists.compactMap(Self.row),
        slot.map { Self.places(from: $0, of: table) } ?? []
      )
    }
    isOfNothing = !places.isEmpty && places.allSatisfy(\.isEmpty)
  }

  private static func handles(of passage: RecordEdit.Passage) -> [ObjectHandle] {
    passage.records.compactMap { record in
      if case .object(let object as DataObject) = record { ObjectHandle(object) } else { nil }
    }
  }

  private static func rows(
    of passage: RecordEdit.Passage, in row: (object: Value, list: ValueList)?
  ) -> [Row] {
    var rows: [Row] = []
    for case let controller as ObjectController in passage.controllers.map(\.object) {
      let selected = controller.selectedValues
      for case .object(let record as DataObject) in passage.records
      where selected.contains(.object(record)) {
        rows.append(
          Row(
            record: ObjectHandle(record), holder: ObjectHandle(controller),
            content: (controller as? ListController)?.content.map(ObjectHandle.init)))
      }
    }
    if let row, case .object(let record as DataObject) = row.object {
      let list = ObjectHandle(row.list)
      rows.append(Row(record: ObjectHandle(record), holder: list, content: list))
    }
    return rows
  }

  /// A function may make a new list each time, so the record outlives its list.
  private static func row(of object: Value, selectedIn list: ValueList) -> Row? {
    guard case .object(let record as DataObject) = object else { return nil }
    return Row(record: ObjectHandle(record), holder: ObjectHandle(list), content: nil)
  }

  private static func places(from slot: Slot, of table: BindingTable) -> [[Place]] {
    var places: [[Place]] = []
    table.forEachEntry(from: slot) { _, _, _, destination in
      places.append((destination.map(presentPlaces) ?? []).map(Place.init))
    }
    return places
  }

  /// The destinations of a selection are the properties of the currently selected objects.
  private static func presentPlaces(of destination: Destination) -> [Destination] {
    guard case .property(let property as ProxyProperty, _) = destination else {
      return [destination]
    }
    return (property.source as? SelectionProxy)?.present(at: property.steps) ?? []
  }

  /// Whether a control that has this passage shows the same record.
  package func isOf(_ passage: RecordEdit.Passage) -> Bool {
    let others = Self.handles(of: passage)
    if records == others { return true }
    // New bindings may be in another order.
    return records.count == others.count && records.count < 16
      && records.allSatisfy(others.contains)
  }

  /// Whether the record still exists and is still in its rows.
  package var isThere: Bool {
    if isOfNothing || records.contains(where: { $0.object == nil }) { return false }
    return rows.allSatisfy(\.isThere)
  }

  /// The value that the control would show for this record; nil if it is unavailable.
  package func value(from slot: Slot, of table: BindingTable) -> Value? {
    var value: Value?
    var number = 0
    table.graph.untracked {
      table.forEachEntry(from: slot) { transfer, source, _, _ in
        defer { number += 1 }
        guard value == nil, places.indices.contains(number),
          let destination = places[number].first?.destination
        else { return }
        value = transfer.map { $0.counterpart(of: destination, at: source) } ?? destination.value
      }
    }
    return value
  }

  /// Whether an edit has lost one of its records.
  package func isLost(by edit: RecordEdit) -> Bool {
    edit.isLost
      && records.contains { handle in
        guard let object = handle.object else { return false }
        return edit.lost.contains(ContentKey(.object(object)))
      }
  }

  /// Writes a person's input to the destinations of the control's bindings at that time. Returns
  /// false if the model has refused it, or if the control now has other bindings.
  package func enter(_ value: Value, from slot: Slot, of table: BindingTable) -> Bool {
    var entries: [(transfer: BindingTransfer?, source: Slot, target: Slot)] = []
    table.graph.untracked {
      table.forEachEntry(from: slot) { transfer, source, target, _ in
        entries.append((transfer, source, target))
      }
    }
    if entries.count != places.count { return false }
    var isTaken = true
    table.graph.batch {
      for (entry, places) in zip(entries, places) {
        for destination in places.compactMap(\.destination) {
          if let transfer = entry.transfer {
            if !transfer.carry(value, to: destination, from: entry.source, to: entry.target) {
              isTaken = false
            }
          } else {
            do { try destination.put(destination.converted(value)) } catch {
              table.list(error)
              isTaken = false
            }
          }
        }
      }
    }
    return isTaken
  }
}

extension BindingTable {
  /// Calls a function with each binding that carries an entry from a property to a model. Follows
  /// bindings between views: a field inside a component may be bound to the component's property,
  /// and that property to the model.
  fileprivate func forEachEntry(
    from slot: Slot,
    _ body: (BindingTransfer?, _ source: Slot, _ target: Slot, Destination?) -> Void
  ) {
    var rest = [(slot: slot, depth: 0)]
    while let (slot, depth) = rest.popLast() {
      forEachBinding(from: slot) { transfer, target, destination in
        if case .property(let view, let index)? = destination, view is any ViewNavigable {
          if depth < Self.deepest { rest.append((view.slot(index), depth + 1)) }
        } else {
          body(transfer, slot, target, destination)
        }
      }
    }
  }
}
