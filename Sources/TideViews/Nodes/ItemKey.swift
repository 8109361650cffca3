import TideBindings
import TideGraph

// Two items are the same if their `key`, a property or a function, is equal, or, without a key, if
// the items are. Refilling the items does not write to the model: a selection that is not among
// them is not shown, and appears again once an item has its key.
extension ItemChoice {
  /// The identity of an item.
  func key(of item: Value) -> Value {
    if item == .null { return .null }
    return graph.untracked {
      do {
        if let keyOfItem {
          let key = try keyOfItem(item)
          if keyFailure?.item == item { keyFailure = nil }
          return key
        }
        guard let name = peek(.key, as: Value.self).text,
          case .object(let object as DataObject) = item, object.shape.index(of: name) != nil
        else { return item }
        return try object.value(of: name)
      } catch {
        let failure = keyFailure?.failure ?? FunctionFailure(in: .of(graph))
        keyFailure = (failure, item)
        report(error, of: failure, at: failureSite)
        return item
      }
    }
  }

  /// The row of an item that equals an object, or else of an item with the same key.
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

  /// Whether edits replace the items rather than only remove or move some.
  func isRefill(_ edits: [RowEdit], of source: (any RowSource)?) -> Bool {
    guard let source, source.count > 0, source.list?.isRefilled != true else { return true }
    return edits.contains {
      switch $0 {
      case .insertion, .replacement: true
      case .removal, .move: false
      }
    }
  }

  /// Whether a selection property is bound.
  var isChoiceBound: Bool { Self.choiceProperties.contains { isBound($0) } }

  private static var choiceProperties: [ViewProperty] {
    [.selectedValue, .selectedObject, .selectedIndex]
  }

  /// The row selected by the model; nil if it selects none, or one that does not exist.
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

  /// Changes the selection properties without writing to the model.
  func withoutChoosing(_ body: () -> Void) {
    let properties = Self.choiceProperties + [.selectedIndexes, .selectedObjects]
    let slots = properties.compactMap { viewClass.index(of: $0).map { slot($0) } }
    BindingTable.of(graph).withoutCarrying(from: slots, body)
  }
}
