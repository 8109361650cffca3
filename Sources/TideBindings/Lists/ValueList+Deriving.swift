public import TideGraph

/// Live lists that follow this one.
extension ValueList {
  /// The elements for which a function holds. What the function reads is followed for each element.
  public final func filter(_ passes: @escaping (Value) throws -> Bool) -> ValueList {
    FilteredList(self, passes)
  }

  /// What a function makes of each element.
  public final func map(_ function: @escaping (Value) throws -> Value) -> ValueList {
    MappedList(self, function)
  }

  /// The elements in order of what a function gives for each; equal ones stay in this list's order.
  public final func sorted(
    descending: Bool = false, by key: @escaping (Value) throws -> Value
  ) -> ValueList {
    SortedList(self, descending: descending, by: key)
  }

  /// The elements in order of a comparison, which is true where the first comes before the second.
  public final func sorted(
    comparing comesBefore: @escaping (Value, Value) throws -> Bool
  ) -> ValueList {
    SortedList(self, comparing: comesBefore)
  }

  /// The elements in order of one of their properties.
  public final func sorted(byProperty name: String, descending: Bool = false) -> ValueList {
    sorted(descending: descending) { element in
      guard case .object(let object as DataObject) = element else { return element }
      return try object.value(of: name)
    }
  }
}
