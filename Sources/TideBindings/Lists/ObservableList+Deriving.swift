public import TideGraph

/// Live lists that follow this one; they cannot be edited themselves.
extension ObservableList {
  /// The elements for which a function holds. What the function reads is followed for each element.
  public func filtered(_ passes: @escaping (Element) throws -> Bool) -> ObservableList {
    ObservableList(
      values.filter { value in
        guard let element = Element.make(from: value) else { return false }
        return try passes(element)
      })
  }

  /// What a function makes of each element.
  public func mapped<Result: TideConvertible>(
    _ function: @escaping (Element) throws -> Result
  ) -> ObservableList<Result> {
    ObservableList<Result>(
      values.map { value in
        guard let element = Element.make(from: value) else { return .null }
        return try function(element).makeValue()
      })
  }

  /// The elements in order of what a function gives for each; equal ones stay in this list's order.
  public func ordered<Key: TideConvertible>(
    by key: @escaping (Element) throws -> Key, descending: Bool = false
  ) -> ObservableList {
    ObservableList(
      values.sorted(descending: descending) { value in
        guard let element = Element.make(from: value) else { return .null }
        return try key(element).makeValue()
      })
  }

  /// The elements from a position on, which counts from 0, as many of a count as there are.
  ///
  /// - Throws: `outOfRange` for a position or a count less than 0.
  public func sliced(from position: Int, count: Int) throws(TideError) -> ObservableList {
    ObservableList(try values.slice(from: position, count: count))
  }

  /// The elements of this list, then those of another.
  public func concatenated(with other: ObservableList) -> ObservableList {
    ObservableList(ValueList.concatenating([values, other.values]))
  }

  /// The elements in groups by what a function gives for each, in the order of their first
  /// elements.
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
