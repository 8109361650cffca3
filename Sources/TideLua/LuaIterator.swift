public import TideValues

/// An iterator that a function or method returns for loops in scripts: each step takes the next
/// element of a Swift sequence.
///
/// ```swift
/// bags.method("items") { (bag: Bag) in LuaIterator(bag.items) }
/// bags.operator(.pairs) { (bag: Bag) in LuaIterator(pairs: bag.counts) }
/// // in a script: for item in bag:items() do … end
/// //              for name, count in pairs(bag) do … end
/// ```
///
/// Elements are converted on demand, so a sequence may be long, or infinite if the script breaks
/// out of the loop. A nil element ends it. An iterator over a collection uses the collection's
/// elements at its creation.
///
/// A script sees a function. An iterator can be used for one loop only.
public struct LuaIterator: TideConvertible {
  private let step: (borrowing LuaCall) throws -> Void

  /// Creates an iterator for loops with one variable.
  public init<Elements: Sequence>(_ elements: Elements)
  where Elements.Element: TideConvertible {
    let loop = Loop(elements.makeIterator())
    step = { call in
      guard let element = try loop.next() else { return call.return(.nil) }
      try call.return(converting: element, 1)
    }
  }

  /// Creates an iterator for loops with two variables, over a dictionary or other labelled pairs.
  public init<Elements: Sequence, Key: TideConvertible, Content: TideConvertible>(pairs: Elements)
  where Elements.Element == (key: Key, value: Content) {
    self.init(pairs: pairs.lazy.map { ($0.key, $0.value) })
  }

  /// Creates an iterator for loops with two variables.
  ///
  /// ```swift
  /// try state.register("ranks") { LuaIterator(pairs: zip(1..., ["fig", "pear"])) }
  /// // in a script: for rank, fruit in ranks() do … end
  /// ```
  public init<Elements: Sequence, First: TideConvertible, Second: TideConvertible>(pairs: Elements)
  where Elements.Element == (First, Second) {
    let loop = Loop(pairs.makeIterator())
    step = { call in
      guard let (first, second) = try loop.next() else { return call.return(.nil) }
      try call.return(converting: first, second)
    }
  }

  /// Not supported: scripts' iterators are functions.
  ///
  /// - Throws: `ValueMismatch`, always.
  public static func from(_ value: Value) throws -> LuaIterator {
    throw ValueMismatch.unsuitable("an iterator is no argument; take a function")
  }

  /// A function that returns the next element at each call.
  ///
  /// - Throws: nothing; errors of creating the function are thrown when it is returned to the
  ///   script.
  public func toValue() throws -> Value {
    .object(LateLuaValue { [step] in .function(try $0.function(named: "iterator", step)) })
  }
}

/// An iterator that detects re-entrant use: a sequence that calls scripts may be advanced again
/// meanwhile.
private final class Loop<Iterator: IteratorProtocol> {
  // Nil while advancing, because a second access would violate exclusivity.
  private var iterator: Iterator?

  init(_ iterator: Iterator) { self.iterator = iterator }

  func next() throws(LuaError) -> Iterator.Element? {
    guard var taken = iterator.take() else {
      throw LuaError(.runtime, "this iterator is asked for an element while it makes one")
    }
    defer { iterator = taken }
    return taken.next()
  }
}
