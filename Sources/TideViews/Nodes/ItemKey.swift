import TideBindings
import TideGraph

// Items are the same by `key`: a property or a function; without it by equality. A refill of the
// items never writes the model: a choice that is not among them is not shown, and shows again as
// soon as an item has its key.
extension ItemChoice {
  /// What makes two items the same.
  func key(of item: Value) -> Value {
    graph.untracked {
      do {
        if let keyOfItem { return try keyOfItem(item) }
        guard let name = peek(.key, as: Value.self).text,
          case .object(let object as DataObject) = item, object.shape.index(of: name) != nil
        else { return item }
        return try object.value(of: name)
      } catch {
        report(error)
        return item
      }
    }
  }

  /// The row of an item that equals an object, or else of one with the same key.
  func row(of object: Value, in source: (any RowSource)?) -> Int? {
    guard let source, object != .null else { return nil }
    if let row = graph.untracked({ source.index(of: object) }) { return row }
    let key = key(of: object)
    return key == object ? nil : row(ofKey: key, in: source)
  }

  func row(ofKey key: Value, in source: (any RowSource)?) -> Int? {
    guard let source, key != .null else { return nil }
    return graph.untracked {
      (0..<source.count).first { self.key(of: source.row($0)) == key }
    }
  }

  /// Whether edits give the items anew, rather than take some out.
  func isRefill(_ edits: [RowEdit], of source: (any RowSource)?) -> Bool {
    guard let source, source.count > 0, source.list?.isRefilled != true else { return true }
    return edits.contains {
      switch $0 {
      case .insertion, .replacement: true
      case .removal, .move: false
      }
    }
  }

  /// Whether a property of the choice is bound.
  var isChoiceBound: Bool { Self.choiceProperties.contains { isBound($0) } }

  private static var choiceProperties: [ViewProperty] {
    [.selectedValue, .selectedObject, .selectedIndex]
  }

  /// The row that the model chooses; nil where it chooses none, or one that does not exist.
  func rowOfModel(in source: (any RowSource)?) -> Int? {
    guard let source else { return nil }
    let table = BindingTable.of(graph)
    for property in Self.choiceProperties {
      guard let index = viewClass.index(of: property),
        let value = table.valueFromModel(at: slot(index)), !value.isNil
      else { continue }
      let row: Int? =
        switch property {
        case .selectedValue: row(ofKey: value, in: source)
        case .selectedObject: row(of: value, in: source)
        default: Int.exactly(value)?.position
        }
      return row.flatMap { $0 >= 0 && $0 < source.count ? $0 : nil }
    }
    return nil
  }

  /// Changes the properties of the choice without writing the model.
  func withoutChoosing(_ body: () -> Void) {
    let slots = Self.choiceProperties.compactMap { viewClass.index(of: $0).map { slot($0) } }
    BindingTable.of(graph).withoutCarrying(from: slots, body)
  }
}
