/// Elements in the order in which they came, each of which is taken out by the number that it got.
///
/// ```swift
/// var handlers = NumberedList<Handler>()
/// let number = handlers.append(handler)
/// for handler in handlers { handler.call() }
/// handlers.remove(number)
/// ```
///
/// Taking one out costs a binary search, however many there are and in whatever order they leave: a
/// context that ends takes out all of its own in one go, which no clock interrupts.
package struct NumberedList<Element> {
  // In ascending order of the numbers. One that was taken out leaves its entry until half of them
  // are empty.
  private var entries: [Entry] = []
  private var lastNumber = 0
  package private(set) var count = 0

  fileprivate struct Entry {
    let number: Int
    var element: Element?
  }

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Adds an element and gives its number, which none before it has had.
  package mutating func append(_ element: Element) -> Int {
    lastNumber += 1
    entries.append(Entry(number: lastNumber, element: element))
    count += 1
    return lastNumber
  }

  /// Takes the element of a number out; nil when it has left already.
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

  /// The same, if the element is still the one that is meant: the list may have been begun anew.
  package mutating func remove(_ number: Int, where isMeant: (Element) -> Bool) {
    guard let position = position(of: number), let element = entries[position].element,
      isMeant(element)
    else { return }
    _ = remove(at: position)
  }

  /// The latest element for which a condition holds.
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
