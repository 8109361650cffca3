public import TideGraph

/// Live lists that follow this one.
extension ValueList {
  /// The elements that satisfy a predicate. Its reads are followed for each element.
  public final func filter(_ passes: @escaping (Value) throws -> Bool) -> ValueList {
    FilteredList(self, passes)
  }

  /// The results of a function for each element.
  public final func map(_ function: @escaping (Value) throws -> Value) -> ValueList {
    MappedList(self, by: function)
  }

  /// The elements sorted by a key. Elements with equal keys stay in this list's order.
  public final func sorted(
    descending: Bool = false, by key: @escaping (Value) throws -> Value
  ) -> ValueList {
    SortedList(self, descending: descending, by: key)
  }

  /// The elements sorted by a comparison, which returns true if the first comes before the second.
  public final func sorted(
    comparing comesBefore: @escaping (Value, Value) throws -> Bool
  ) -> ValueList {
    SortedList(self, comparing: comesBefore)
  }

  /// The elements sorted by one of their properties.
  public final func sorted(byProperty name: String, descending: Bool = false) -> ValueList {
    sorted(descending: descending) { element in
      guard case .object(let object as DataObject) = element else { return element }
      return try object.value(of: name)
    }
  }

  /// At most `count` elements from a position on.
  ///
  /// ```swift
  /// try words.slice(from: 0, count: 10)     // always the first ten
  /// ```
  ///
  /// Positions count from 0.
  ///
  /// - Throws: `outOfRange` for a position or a count less than 0.
  public final func slice(from position: Int, count: Int) throws(TideError) -> ValueList {
    try slice(from: position, calledPosition: position, first: 0, count: count)
  }

  /// Like `slice(from:count:)`, from a script's position, which counts from 1.
  package final func slice(fromNumber number: Int, count: Int) throws(TideError) -> ValueList {
    try slice(from: number.position, calledPosition: number, first: 1, count: count)
  }

  private func slice(
    from position: Int, calledPosition called: Int, first: Int, count: Int
  ) throws(TideError) -> ValueList {
    guard called >= first else {
      throw TideError(.outOfRange, "a slice begins at position \(first) or later, not at \(called)")
    }
    guard count >= 0 else {
      throw TideError(.outOfRange, "a slice has 0 elements or more, not \(count)")
    }
    return SlicedList(self, from: position, count: count)
  }

  /// The elements of several lists, one list after the other. A list may occur more than once.
  public static func concatenating(_ lists: [ValueList]) -> ValueList { ConcatenatedList(lists) }

  /// The groups of elements by a key: a list of `ListGroup`s, in the order of their first elements.
  ///
  /// ```swift
  /// let lengths = words.grouped { word in .integer("\(word)".count) }
  /// ```
  ///
  /// An element whose key is nil is left out, and an error is listed.
  public final func grouped(by key: @escaping (Value) throws -> Value) -> ValueList {
    GroupedList(self, by: key)
  }

  /// The groups of elements by one of their properties.
  public final func grouped(byProperty name: String) -> ValueList {
    grouped { element in
      guard case .object(let object as DataObject) = element else { return element }
      return try object.value(of: name)
    }
  }
}
