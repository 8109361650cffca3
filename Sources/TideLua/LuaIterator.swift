public import TideValues

/// What a function or method returns that scripts loop over: each step takes the next element of a
/// Swift sequence.
///
/// ```swift
/// bags.method("items") { (bag: Bag) in LuaIterator(bag.items) }
/// bags.operator(.pairs) { (bag: Bag) in LuaIterator(pairs: bag.counts) }
/// // in a script: for item in bag:items() do … end
/// //              for name, count in pairs(bag) do … end
/// ```
///
/// Elements are converted one by one when they are asked for, so a sequence may be long, or endless
/// where the script breaks the loop. An element that is nil ends it. Made of a collection, it goes
/// over the elements that the collection had at that time.
///
/// A script sees a function. A value of it serves one loop.
public struct LuaIterator: TideConvertible {
  private let step: (borrowing LuaCall) throws -> Void

  /// Loops of one variable.
  public init<Elements: Sequence>(_ elements: Elements)
  where Elements.Element: TideConvertible {
    let loop = Loop(elements.makeIterator())
    step = { call in
      guard let element = try loop.next() else { return call.return(.nil) }
      try call.return(converting: element, 1)
    }
  }

  /// Loops of two variables, over a dictionary or anything else of labelled pairs.
  public init<Elements: Sequence, Key: TideConvertible, Content: TideConvertible>(pairs: Elements)
  where Elements.Element == (key: Key, value: Content) {
    self.init(pairs: pairs.lazy.map { ($0.key, $0.value) })
  }

  /// Loops of two variables.
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

  /// Refuses every value: scripts' iterators are functions.
  ///
  /// - Throws: `ValueMismatch`, always.
  public static func from(_ value: Value) throws -> LuaIterator {
    throw ValueMismatch.unsuitable("an iterator is no argument; take a function")
  }

  /// A function that gives the next element at each call.
  ///
  /// - Throws: nothing by itself; what making the function throws comes where it is returned.
  public func toValue() throws -> Value {
    .object(LateLuaValue { [step] in .function(try $0.function(named: "iterator", step)) })
  }
}

/// An iterator, which a sequence that calls scripts may be asked to advance while it does.
private final class Loop<Iterator: IteratorProtocol> {
  // Nil while it advances: a second access would be one to an iterator in the midst of a change.
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
