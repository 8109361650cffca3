public import TideGraph

/// Live lists that follow this one.
extension ValueList {
  /// The elements for which a function holds. What the function reads is followed for each element.
  public final func filter(_ passes: @escaping (Value) throws -> Bool) -> ValueList {
    FilteredList(self, passes)
  }

  /// What a function makes of each element.
  public final func map(_ function: @escaping (Value) throws -> Value) -> ValueList {
    MappedList(self, by: function)
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

  /// The elements from a position on, as many of a count as there are.
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

  /// The same, from a position that scripts call by a number, from 1.
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

  /// The elements of several lists, one after the other; they may name a list twice.
  public static func concatenating(_ lists: [ValueList]) -> ValueList { ConcatenatedList(lists) }

  /// The elements in groups by what a function gives for each: a list of `ListGroup`s, in the order
  /// of their first elements.
  ///
  /// ```swift
  /// let lengths = words.grouped { word in .integer("\(word)".count) }
  /// ```
  ///
  /// An element whose key is nil is left out, and listed as a mistake.
  public final func grouped(by key: @escaping (Value) throws -> Value) -> ValueList {
    GroupedList(self, by: key)
  }

  /// The elements in groups by one of their properties.
  public final func grouped(byProperty name: String) -> ValueList {
    grouped { element in
      guard case .object(let object as DataObject) = element else { return element }
      return try object.value(of: name)
    }
  }
}
