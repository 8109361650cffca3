/// Elements in the order of insertion, each of which is removed by the number that it was given.
///
/// ```swift
/// var handlers = NumberedList<Handler>()
/// let number = handlers.append(handler)
/// for handler in handlers { handler.call() }
/// handlers.remove(number)
/// ```
///
/// Removal costs a binary search, whatever the number of elements and the order of removal. A
/// context that ends removes all of its elements at once, without a time limit that could interrupt
/// it.
package struct NumberedList<Element> {
  // In ascending order of the numbers. A removed element leaves an empty entry, until half of the
  // entries are empty.
  private var entries: [Entry] = []
  private var lastNumber = 0
  package private(set) var count = 0

  fileprivate struct Entry {
    let number: Int
    var element: Element?
  }

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The number of the first element; nil if there is none.
  package var firstNumber: Int? { entries.first { $0.element != nil }?.number }

  /// Adds an element and returns its number, which is never reused.
  package mutating func append(_ element: Element) -> Int {
    lastNumber += 1
    entries.append(Entry(number: lastNumber, element: element))
    count += 1
    return lastNumber
  }

  /// Removes the element with a number. Returns nil if it was removed before.
  @discardableResult
  package mutating func remove(_ number: Int) -> Element? {
    position(of: number).flatMap { remove(at: $0) }
  }

  private func position(of number: Int) -> Int? {
    var range = 0..<entries.count
    while let first = range.first {
      let middle = first + range.count / 2
      if entries[middle].number == number { return middle }
      range = entries[middle].number < number ? middle + 1..<range.upperBound : first..<middle
    }
    return nil
  }

  private mutating func remove(at position: Int) -> Element? {
    guard let element = entries[position].element else { return nil }
    count -= 1
    if position == entries.count - 1 {
      entries.removeLast()
    } else {
      entries[position].element = nil
    }
    if entries.count > 8 && 2 * count < entries.count { entries.removeAll { $0.element == nil } }
    return element
  }

  /// Removes the element with a number if it satisfies a condition, because the list may have been
  /// replaced by a new one.
  package mutating func remove(_ number: Int, where isMeant: (Element) -> Bool) {
    guard let position = position(of: number), let element = entries[position].element,
      isMeant(element)
    else { return }
    _ = remove(at: position)
  }

  /// The last element that satisfies a condition.
  package func last(where holds: (Element) throws -> Bool) rethrows -> Element? {
    for entry in entries.reversed() {
      if let element = entry.element, try holds(element) { return element }
    }
    return nil
  }
}

extension NumberedList: Sequence {
  package struct Iterator: IteratorProtocol {
    fileprivate var rest: IndexingIterator<[Entry]>

    package mutating func next() -> Element? {
      while let entry = rest.next() {
        if let element = entry.element { return element }
      }
      return nil
    }
  }

  package func makeIterator() -> Iterator { Iterator(rest: entries.makeIterator()) }

  package var underestimatedCount: Int { count }
}
