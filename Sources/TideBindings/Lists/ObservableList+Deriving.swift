public import TideGraph

/// Live lists that follow this one; they cannot be edited themselves.
extension ObservableList {
  /// The elements that satisfy a predicate. Its reads are followed for each element.
  public func filtered(_ passes: @escaping (Element) throws -> Bool) -> ObservableList {
    ObservableList(
      values.filter { value in
        guard let element = Element.make(from: value) else { return false }
        return try passes(element)
      })
  }

  /// The results of a function for each element.
  public func mapped<Result: TideConvertible>(
    _ function: @escaping (Element) throws -> Result
  ) -> ObservableList<Result> {
    ObservableList<Result>(
      values.map { value in
        guard let element = Element.make(from: value) else { return .null }
        return try function(element).makeValue()
      })
  }

  /// The elements sorted by a key. Elements with equal keys stay in this list's order.
  public func ordered<Key: TideConvertible>(
    by key: @escaping (Element) throws -> Key, descending: Bool = false
  ) -> ObservableList {
    ObservableList(
      values.sorted(descending: descending) { value in
        guard let element = Element.make(from: value) else { return .null }
        return try key(element).makeValue()
      })
  }

  /// At most `count` elements from a position on, which counts from 0.
  ///
  /// - Throws: `outOfRange` for a position or a count less than 0.
  public func sliced(from position: Int, count: Int) throws(TideError) -> ObservableList {
    ObservableList(try values.slice(from: position, count: count))
  }

  /// The elements of this list, then those of another.
  public func concatenated(with other: ObservableList) -> ObservableList {
    ObservableList(ValueList.concatenating([values, other.values]))
  }

  /// The groups of elements by a key, in the order of their first elements.
  public func grouped<Key: TideConvertible>(
    by key: @escaping (Element) throws -> Key
  ) -> ObservableList<ListGroup> {
    ObservableList<ListGroup>(
      values.grouped { value in
        guard let element = Element.make(from: value) else { return .null }
        return try key(element).makeValue()
      })
  }
}
