import TideGraph

/// The numbers by which scripts and paths call positions: the first element is number 1.
extension ValueList {
  /// The position that a script calls by a number. Throws as an edit there does, in the script's
  /// numbers.
  package final func position(numbered number: Int, orAfter: Bool = false) throws(TideError) -> Int
  {
    try prepare()
    try check(number, from: 1, upTo: orAfter ? storage.count + 1 : storage.count)
    return number.position
  }

  /// Removes some elements from one on, by its number; gives what it removed.
  @discardableResult
  package final func remove(numbered number: Int, count: Int) throws(TideError) -> [Value] {
    if count == 0 { return [] }
    let position = try position(numbered: number)
    try check(removing: count, at: position, calledPosition: number)
    return try remove(at: position, count: count)
  }

  /// Throws `outOfRange` for a position that is none of those from a first to a last one.
  final func check(_ position: Int, from first: Int, upTo last: Int) throws(TideError) {
    if position >= first && position <= last { return }
    let expected = last < first ? "it is empty" : "expected \(first) to \(last)"
    throw TideError(
      .outOfRange, "position \(position) is outside a list of \(storage.count): \(expected)")
  }

  /// Throws `outOfRange` where there are not as many elements from a position on.
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
  /// What scripts and paths call this position: they count from 1.
  package var number: Int { self == .max ? .max : self + 1 }
  /// The position that scripts and paths call by this number; one that there is not stays one.
  package var position: Int { self == .min ? .min : self - 1 }
}
