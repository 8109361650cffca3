import TideGraph

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
  public func mapped<Result: ValueConvertible>(
    _ function: @escaping (Element) throws -> Result
  ) -> ObservableList<Result> {
    ObservableList<Result>(
      values.map { value in
        guard let element = Element.make(from: value) else { return .null }
        return try function(element).makeValue()
      })
  }

  /// The elements in order of what a function gives for each; equal ones stay in this list's order.
  public func ordered<Key: ValueConvertible>(
    by key: @escaping (Element) throws -> Key, descending: Bool = false
  ) -> ObservableList {
    ObservableList(
      values.sorted(descending: descending) { value in
        guard let element = Element.make(from: value) else { return .null }
        return try key(element).makeValue()
      })
  }
}
