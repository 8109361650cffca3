import TideGraph

/// Positions as scripts and paths count them: the first element is number 1.
extension ValueList {
  /// The position for a script's number. Throws like an edit, with the script's numbers.
  package final func position(numbered number: Int, orAfter: Bool = false) throws(TideError) -> Int
  {
    try prepare()
    try check(number, from: 1, upTo: orAfter ? storage.count + 1 : storage.count)
    return number.position
  }

  /// Removes elements from a script's number on. Returns the removed elements.
  @discardableResult
  package final func remove(numbered number: Int, count: Int) throws(TideError) -> [Value] {
    if count == 0 { return [] }
    let position = try position(numbered: number)
    try check(removing: count, at: position, calledPosition: number)
    return try remove(at: position, count: count)
  }

  /// Throws `outOfRange` for a position outside a closed range.
  final func check(_ position: Int, from first: Int, upTo last: Int) throws(TideError) {
    if position >= first && position <= last { return }
    let expected = last < first ? "it is empty" : "expected \(first) to \(last)"
    throw TideError(
      .outOfRange, "position \(position) is outside a list of \(storage.count): \(expected)")
  }

  /// Throws `outOfRange` if the list has too few elements from a position on.
  final func check(
    removing count: Int, at position: Int, calledPosition called: Int
  ) throws(TideError) {
    if count > 0 && count <= storage.count - position { return }
    throw TideError(
      .outOfRange,
      "cannot remove \(count) from position \(called) on of a list of \(storage.count)")
  }
}

extension Int {
  /// The number of this position in scripts and paths, which count from 1.
  package var number: Int { self == .max ? .max : self + 1 }
  /// The position for this number of scripts and paths. An invalid number stays invalid.
  package var position: Int { self == .min ? .min : self - 1 }
}
