import TideGraph

/// Finds the existing name that a mistyped one was probably meant to be.
///
/// ```swift
/// NearestName.find("nmae", in: ["name", "age"])       // "name"
/// NearestName.hint(for: "nmae", in: ["name", "age"])  // "; did you mean \"name\"?"
/// NearestName.hintOrNames(for: "x", in: ["name", "age"])  // "; there are name, age"
/// ```
///
/// The measure is the Damerau-Levenshtein distance: a changed, missing or extra letter and two
/// swapped letters each count 1. A distance of up to about a third of the name's length is
/// accepted. A difference in case alone counts less, and so does a truncated name.
package enum NearestName {
  /// The nearest name; nil if none is near enough. Of equally near names it is the first or, if the
  /// candidates have no order, the first in the alphabet.
  ///
  /// A script may have any number of candidates. Only a limited number of those that might be near
  /// are measured, and none once the turn is over.
  package static func find(
    _ name: String, in candidates: some Sequence<String>, areOrdered: Bool = true
  ) -> String? {
    let wanted = Letters(name)
    guard !wanted.exact.isEmpty, wanted.exact.count <= 64 else { return nil }
    var best: (name: String, cost: Int)?
    var measurements = 0
    var clock = WorkClock()
    for candidate in candidates {
      if !clock.hasTime() { return nil }
      guard wanted.mayBeNear(candidate), candidate != name else { continue }
      measurements += 1
      if measurements > mostMeasurements { break }
      guard let cost = cost(wanted, Letters(candidate)), cost <= best?.cost ?? .max else {
        continue
      }
      guard let former = best, cost == former.cost else {
        best = (candidate, cost)
        continue
      }
      let (isSwap, wasSwap) = (
        slip(name, for: candidate) == .swap, slip(name, for: former.name) == .swap
      )
      if isSwap != wasSwap ? isSwap : !areOrdered && candidate < former.name {
        best = (candidate, cost)
      }
    }
    return best?.name
  }

  private static let mostMeasurements = 1000

  /// A phrase to end a message with: `; did you mean "name"?`, or an empty text.
  package static func hint(
    for name: String, in candidates: some Sequence<String>, areOrdered: Bool = true,
    spelledAs spell: (String) -> String = { $0 }
  ) -> String {
    find(name, in: candidates, areOrdered: areOrdered).map { advice(spell($0)) } ?? ""
  }

  /// The phrase that suggests a name.
  package static func advice(_ name: String) -> String { "; did you mean \"\(name)\"?" }

  /// A kind of typing error, the most likely first.
  package enum Slip: Int, Comparable {
    /// Two letters swapped, a letter doubled or not, or capitals.
    case swap
    /// One letter too many or too few.
    case letter
    /// Another letter.
    case change

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// The single typing error between two names; nil if there are several, or if the names are so
  /// short that another name is meant.
  package static func slip(_ name: String, for meant: String) -> Slip? {
    let (one, other) = (
      Array(name.unicodeScalars.prefix(65)), Array(meant.unicodeScalars.prefix(65))
    )
    guard min(one.count, other.count) >= 3, abs(one.count - other.count) <= 1, one != other else {
      return nil
    }
    if name.lowercased() == meant.lowercased() { return .swap }
    let start = zip(one, other).prefix { $0 == $1 }.count
    let rest = (one.dropFirst(start), other.dropFirst(start))
    if rest.0.count == rest.1.count {
      if rest.0.dropFirst() == rest.1.dropFirst() { return .change }
      let isSwapped =
        rest.0.count > 1 && rest.0.prefix(2).reversed() == Array(rest.1.prefix(2))
        && rest.0.dropFirst(2) == rest.1.dropFirst(2)
      return isSwapped ? .swap : nil
    }
    let (longer, shorter) = rest.0.count > rest.1.count ? rest : (rest.1, rest.0)
    guard longer.dropFirst() == shorter else { return nil }
    return start > 0 && longer.first == one[start - 1] ? .swap : .letter
  }

  /// Whether a name is another one with a single typing error. Names that differ by a digit or by a
  /// plural `s` are both meant, like `page1` and `page2`.
  package static func isSlip(_ name: String, for meant: String) -> Bool {
    guard slip(name, for: meant) != nil else { return false }
    let (one, other) = (Array(name.unicodeScalars), Array(meant.unicodeScalars))
    let start = zip(one, other).prefix { $0 == $1 }.count
    let end = zip(one[start...].reversed(), other[start...].reversed()).prefix { $0 == $1 }.count
    let changed = one[start..<(one.count - end)] + other[start..<(other.count - end)]
    if changed.contains(where: { ("0"..."9").contains($0) }) { return false }
    if one.count == other.count || changed.first != "s" { return true }
    let next = (one.count > other.count ? one : other).dropFirst(start + 1).first
    return next.map { $0.properties.isLowercase } ?? false
  }

  /// Whether a mistyped name is near to a single candidate, and is a prefix of no other.
  package static func isClear(
    _ name: String, for meant: String, in candidates: some Sequence<String>
  ) -> Bool {
    guard let slip = slip(name, for: meant) else { return false }
    let isCutShort = meant.hasPrefix(name)
    return candidates.allSatisfy { other in
      if other == meant || other == name { return true }
      if !isCutShort, slip != .swap, name.utf8.count >= 3, other.hasPrefix(name) { return false }
      return self.slip(name, for: other).map { $0 > slip } ?? true
    }
  }

  /// Like `hint`, but if no name is near it lists the existing names: `; there are age, name`. Of
  /// many names it lists some, and the number of the others.
  package static func hintOrNames(
    for name: String, in candidates: some Collection<String>, areOrdered: Bool = true
  ) -> String {
    let hint = hint(for: name, in: candidates, areOrdered: areOrdered)
    return hint.isEmpty ? listing(candidates, areOrdered: areOrdered) : hint
  }

  /// A phrase that lists names.
  package static func listing(
    _ candidates: some Collection<String>, areOrdered: Bool = true
  ) -> String {
    // A script may make any number of names.
    if candidates.count > mostMeasurements { return "" }
    var seen: Set<String> = []
    let distinct = candidates.filter { !$0.isEmpty && seen.insert($0).inserted }
    let names = areOrdered ? distinct : distinct.sorted()
    guard let first = names.first else { return "" }
    if names.count == 1 { return "; there is only \(first.inMessage)" }
    // One more name takes no more room than the number of the others.
    let count = names.count > mostListed + 1 ? mostListed : names.count
    let listed = names.prefix(count).map(\.inMessage).joined(separator: ", ")
    return "; there are \(listed)"
      + (count < names.count ? " and \(names.count - count) more" : "")
  }

  private static let mostListed = 10

  private struct Letters {
    var exact: [Unicode.Scalar]
    var folded: [UInt32]

    init(_ name: String) {
      exact = Array(name.unicodeScalars.prefix(65))
      folded = exact.map { $0.value >= 0x41 && $0.value <= 0x5A ? $0.value | 0x20 : $0.value }
      letters = folded.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    /// The letters of the name as bits. Several letters may share a bit.
    private let letters: UInt64

    /// Whether a measurement is worthwhile. Most of thousands of names are ruled out by their
    /// length or their letters alone: each letter that the other name lacks takes a change.
    func mayBeNear(_ candidate: String) -> Bool {
      // A name this long is near to no wanted name, and would take long to read.
      if candidate.utf8.count > 4 * 64 { return false }
      var others: UInt64 = 0
      var count = 0
      for byte in candidate.utf8 {
        if byte >= 0x80 { return true }
        others |= 1 << UInt64((byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) & 63)
        count += 1
      }
      let forgiven = max(1, max(folded.count, count) / 3)
      let lacking = max((letters & ~others).nonzeroBitCount, (others & ~letters).nonzeroBitCount)
      if lacking <= forgiven, abs(folded.count - count) <= forgiven { return true }
      // One name may be a prefix of the other.
      return folded.count != count && min(folded.count, count) >= 3
        && zip(folded, candidate.utf8).prefix(3).allSatisfy { $0.0 & ~0x20 == UInt32($0.1 & ~0x20) }
    }
  }

  /// Twice the distance, so that a difference in case can count half; nil when too far.
  private static func cost(_ name: Letters, _ candidate: Letters) -> Int? {
    guard candidate.exact.count <= 64 else { return nil }
    let forgiven = 2 * max(1, max(name.folded.count, candidate.folded.count) / 3)
    let (shorter, longer) =
      name.folded.count < candidate.folded.count
      ? (name.folded, candidate.folded) : (candidate.folded, name.folded)
    var cost = Int.max
    if longer.count - shorter.count <= forgiven {
      cost = 2 * distance(name.folded, candidate.folded)
      if cost == 0 { cost = 1 }
    }
    if cost > forgiven, shorter.count >= 3, longer.starts(with: shorter) { cost = forgiven }
    // One letter tells nothing: "a" is not near to "b".
    if cost <= forgiven, cost >= 2 * shorter.count { return nil }
    return cost <= forgiven ? cost : nil
  }

  /// The optimal string alignment distance.
  static func distance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [Int](repeating: i + 1, count: b.count + 1)
      for j in 0..<b.count {
        let change = last[j] + (a[i] == b[j] ? 0 : 1)
        row[j + 1] = min(change, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
