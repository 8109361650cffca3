/// A change of a text in steps, each of which removes or inserts text at one offset.
///
/// ```swift
/// // One person types an A at 5, another a B at 2: both had the same text before them.
/// let (mine, theirs) = TextChange(at: 5, added: 1).crossed(with: TextChange(at: 2, added: 1))
/// mine.steps[0].at       // 6, where the A goes in the text that has the B
/// theirs.steps[0].at     // 2, where the B goes in the text that has the A
/// ```
///
/// Offsets count in UTF-16 units, as in browsers. Only lengths are stored: the inserted text itself
/// is passed separately.
package struct TextChange: Equatable {
  package private(set) var steps: [Step] = []

  /// A removal or an insertion.
  package struct Step: Equatable {
    package internal(set) var at: Int
    package internal(set) var removed = 0
    package internal(set) var added = 0

    fileprivate var end: Int { at + removed }
  }

  package init() {}

  package init(at place: Int, removed: Int = 0, added: Int = 0) {
    if removed > 0 { steps.append(Step(at: place, removed: removed)) }
    if added > 0 { steps.append(Step(at: place, added: added)) }
  }

  fileprivate init(_ steps: [Step]) { self.steps = steps }

  /// The change of the text's length.
  package var growth: Int { steps.reduce(0) { $0 + $1.added - $1.removed } }

  /// Appends a change that is made after this one.
  package mutating func append(_ next: TextChange) { steps += next.steps }

  /// Transforms two concurrent changes of one text (operational transformation): each result
  /// applies after the other change, and both orders produce the same text.
  ///
  /// Every insertion survives; text that both changes remove is removed once. Where both insert at
  /// one offset, the other change's insertion comes first.
  package func crossed(with other: TextChange) -> (mine: TextChange, others: TextChange) {
    var mine: [Step] = []
    var others = other.steps
    for step in steps {
      let (moved, rest) = Self.cross([step], others)
      mine += moved
      others = rest
    }
    return (TextChange(mine), TextChange(others))
  }

  private static func cross(_ mine: [Step], _ others: [Step]) -> ([Step], [Step]) {
    var mine = mine
    var moved: [Step] = []
    for other in others {
      // A step may have been split: each part applies after the parts before it.
      var parts = [other]
      var crossed: [Step] = []
      for step in mine {
        if parts.count == 1 {
          let (one, rest) = cross(step, parts[0])
          crossed += one
          parts = rest
        } else {
          let (one, rest) = cross([step], parts)
          crossed += one
          parts = rest
        }
      }
      mine = crossed
      moved += parts
    }
    return (mine, moved)
  }

  private static func cross(_ mine: Step, _ other: Step) -> ([Step], [Step]) {
    if mine.added > 0 {
      if other.added > 0 {
        return mine.at < other.at
          ? ([mine], [other.moved(by: mine.added)]) : ([mine.moved(by: other.added)], [other])
      }
      return cross(insertion: mine, removal: other)
    }
    if other.added > 0 {
      let (others, mine) = cross(insertion: other, removal: mine)
      return (mine, others)
    }
    let shared = max(0, min(mine.end, other.end) - max(mine.at, other.at))
    return (mine.removal(after: other, shared), other.removal(after: mine, shared))
  }

  /// The insertion after the removal, and the removal after the insertion.
  private static func cross(insertion: Step, removal: Step) -> ([Step], [Step]) {
    if insertion.at <= removal.at { return ([insertion], [removal.moved(by: insertion.added)]) }
    if insertion.at >= removal.end { return ([insertion.moved(by: -removal.removed)], [removal]) }
    return (
      [Step(at: removal.at, added: insertion.added)],
      [
        Step(at: removal.at, removed: insertion.at - removal.at),
        Step(at: removal.at + insertion.added, removed: removal.end - insertion.at),
      ]
    )
  }
}

extension TextChange.Step {
  fileprivate func moved(by distance: Int) -> Self {
    var step = self
    step.at += distance
    return step
  }

  /// The rest of a removal after another one, given how many units both remove.
  fileprivate func removal(after other: Self, _ shared: Int) -> [Self] {
    if shared == removed { return [] }
    let passed = max(0, min(at, other.end) - other.at)
    return [Self(at: at - min(passed, other.removed), removed: removed - shared)]
  }
}

/// The difference of two texts: the part between their common beginning and their common end.
package struct TextDifference: Equatable {
  /// The offset in UTF-16 units.
  package let start: Int
  package let removed: Int
  package let added: String

  package var change: TextChange {
    TextChange(at: start, removed: removed, added: added.utf16.count)
  }

  /// Nil for equal texts.
  package init?(from old: String, to new: String) {
    var (old, new) = (old, new)
    let found: (start: Int, removed: Int, added: String)? = old.withUTF8 { old in
      new.withUTF8 { new in
        let most = min(old.count, new.count)
        var start = 0
        while start < most, old[start] == new[start] { start += 1 }
        if start == old.count && start == new.count { return nil }
        while start > 0, Self.isWithin(old, start) || Self.isWithin(new, start) { start -= 1 }
        var end = 0
        while end < most - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        while end > 0, Self.isWithin(old, old.count - end) { end -= 1 }
        return (
          Self.units(in: old[..<start]), Self.units(in: old[start..<old.count - end]),
          String(decoding: new[start..<new.count - end], as: UTF8.self)
        )
      }
    }
    guard let found else { return nil }
    (start, removed, added) = found
  }

  /// Whether an offset lies within a scalar.
  private static func isWithin(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    place < bytes.count && bytes[place] & 0xC0 == 0x80
  }

  private static func units(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }
}

/// The differences of two texts in all places, by the algorithm of Myers.
private struct TextEdits {
  private(set) var change = TextChange()
  /// What each edit replaces, as offsets into the old text in UTF-16 units.
  private var replaced: [Range<Int>] = []

  /// The most scalars between the first difference and the last one: the time that the comparison
  /// takes grows with their square.
  private static let mostScalars = 500

  /// Nil for texts that differ over too long a part.
  init?(from old: String, to new: String) {
    let (before, after) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    let shorter = min(before.count, after.count)
    let start = zip(before, after).prefix { $0 == $1 }.count
    let end = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.count
    let same = min(end, shorter - start)
    let (cut, given) = (before[start..<before.count - same], after[start..<after.count - same])
    if max(cut.count, given.count) > Self.mostScalars { return nil }
    let difference = Array(given).difference(from: Array(cut))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for step in difference {
      switch step {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var place = before[..<start].reduce(0) { $0 + $1.units }
    var (next, made) = (0, 0)
    while next < cut.count || made < given.count {
      var (gone, added) = (0, 0)
      while removed.contains(next) {
        gone += cut[start + next].units
        next += 1
      }
      while inserted.contains(made) {
        added += given[start + made].units
        made += 1
      }
      if gone + added > 0 {
        replaced.append(place..<place + gone)
        change.append(TextChange(at: place + change.growth, removed: gone, added: added))
        place += gone
      } else {
        place += cut[start + next].units
        next += 1
        made += 1
      }
    }
  }

  /// Whether a difference of the same old text replaces nothing that these edits do.
  func areApart(from other: TextDifference) -> Bool {
    let part = other.start..<other.start + other.removed
    return replaced.allSatisfy {
      $0.upperBound <= part.lowerBound || part.upperBound <= $0.lowerBound
    }
  }
}

extension Unicode.Scalar {
  /// Its length in UTF-16 units.
  fileprivate var units: Int { value > 0xFFFF ? 2 : 1 }
}

extension String {
  /// Merges two edited versions of this text (a three-way merge).
  ///
  /// ```swift
  /// "one".merging("one!", "Xone")    // "Xone!"
  /// ```
  package func merging(_ mine: String, _ other: String) -> String {
    guard let change = TextDifference(from: self, to: mine),
      let others = TextDifference(from: self, to: other)
    else { return mine == self ? other : mine }
    let (moved, _) = change.change.crossed(with: others.change)
    return other.changed(by: moved, adding: change.added)
  }

  /// Merges two edited versions of this text; nil if both versions change the same part of it.
  ///
  /// ```swift
  /// "one two".merging(apart: "ONE two", "one TWO")    // "ONE TWO"
  /// "one two".merging(apart: "ONE two", "six two")    // nil
  /// ```
  package func merging(apart mine: String, _ other: String) -> String? {
    if mine == other { return mine }
    if let change = TextDifference(from: self, to: mine),
      let others = TextDifference(from: self, to: other)
    {
      let isFirst = change.start + change.removed <= others.start
      if !isFirst, others.start + others.removed > change.start {
        return merging(change, among: other) ?? merging(others, among: mine)
      }
      // Text that the other version inserted right after a changed part stays after it.
      if isFirst, change.removed + others.removed > 0 {
        return other.changed(by: change.change, adding: change.added)
      }
    }
    return merging(mine, other)
  }

  /// Applies a change of this text to a version that was edited in several places; nil if one of
  /// these edits is part of what the change replaces.
  private func merging(_ change: TextDifference, among edited: String) -> String? {
    guard let edits = TextEdits(from: self, to: edited), edits.areApart(from: change) else {
      return nil
    }
    let (moved, _) = change.change.crossed(with: edits.change)
    return edited.changed(by: moved, adding: change.added)
  }

  /// The text after a change that inserts `text`. An offset inside a scalar is moved to the
  /// start of the scalar.
  package func changed(by change: TextChange, adding text: String) -> String {
    made(change, adding: text).text
  }

  /// The text after a change that inserts `text`; nil if an offset lies within a scalar or beyond
  /// the end.
  package func changed(exactlyBy change: TextChange, adding text: String) -> String? {
    let (text, isExact) = made(change, adding: text)
    return isExact ? text : nil
  }

  private func made(
    _ change: TextChange, adding text: String
  ) -> (text: String, isExact: Bool) {
    var changed = self
    var isExact = true
    for step in change.steps {
      let start = changed.scalarIndex(ofUnit: step.at, &isExact)
      let end =
        step.removed == 0 ? start : changed.scalarIndex(ofUnit: step.at + step.removed, &isExact)
      changed.unicodeScalars.replaceSubrange(
        start..<end, with: step.added > 0 ? text.unicodeScalars : "".unicodeScalars)
    }
    return (changed, isExact)
  }

  /// The index of a UTF-16 offset, or of the scalar that the offset lies within.
  private func scalarIndex(ofUnit number: Int, _ isExact: inout Bool) -> String.Index {
    let found = utf16.index(startIndex, offsetBy: max(0, number), limitedBy: endIndex)
    if found == nil { isExact = false }
    let index = found ?? endIndex
    if let exact = index.samePosition(in: unicodeScalars) { return exact }
    isExact = false
    return utf16.index(before: index)
  }
}
