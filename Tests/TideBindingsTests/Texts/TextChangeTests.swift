import Fuzzing
import Testing

@testable import TideBindings

@Suite struct TextChangeTests {
  /// A change with what it puts in.
  private struct Edit {
    let change: TextChange
    let text: String

    init(_ text: String, _ from: String) {
      let difference = TextDifference(from: from, to: text)
      change = difference?.change ?? TextChange()
      self.text = difference?.added ?? ""
    }
  }

  private func merged(_ base: String, _ mine: String, _ other: String) -> (String, String) {
    let (one, two) = (Edit(mine, base), Edit(other, base))
    let (after, before) = one.change.crossed(with: two.change)
    return (
      other.changed(by: after, adding: one.text), mine.changed(by: before, adding: two.text)
    )
  }

  @Test(arguments: [
    ("one", "one!", "Xone", "Xone!"), ("ab", "aXb", "aYb", "aYXb"), ("abcd", "d", "abXcd", "Xd"),
    ("abcd", "abXcd", "d", "Xd"), ("abcd", "ad", "acd", "ad"), ("abcd", "abd", "acd", "ad"),
    ("abc", "aXc", "aYc", "aYXc"), ("", "a", "b", "ba"), ("a😀b", "a😀Xb", "ab", "aXb"),
    ("aaa", "", "", ""), ("abcdef", "af", "abXcYdef", "aXcYf"),
  ])
  func `two edits of one text are one text`(
    base: String, mine: String, other: String, wanted: String
  ) {
    let (one, two) = merged(base, mine, other)
    #expect(one == wanted)
    #expect(base.merging(mine, other) == wanted)
    #expect(one == two)
  }

  @Test(
    arguments: [
      ("one two", "ONE two", "one TWO", "ONE TWO"), ("one two", "ONE two", "six two", nil),
      ("one", "one!", "Xone", "Xone!"), ("one", "two", "two", "two"), ("one", "two", "one", "two"),
      ("", "a", "b", "ba"), ("abcd", "ad", "abX", nil), ("abcd", "Xcd", "abY", "XY"),
      ("ab", "aMb", "XabY", "XaMbY"), ("two", "AtwoB", "twXo", "AtwXoB"),
      ("open", "lent", "lost", nil),
    ] as [(String, String, String, String?)])
  func `edits of one part of a text are not merged apart`(
    base: String, mine: String, other: String, wanted: String?
  ) {
    #expect(base.merging(apart: mine, other) == wanted)
  }

  @Test(arguments: [
    ("", "a", 0, 0, "a"), ("abc", "abXc", 2, 0, "X"), ("abc", "ac", 1, 1, ""),
    ("😀", "😁", 0, 2, "😁"), ("aé", "aè", 1, 1, "è"), ("aaa", "aa", 2, 1, ""),
    ("x😀y", "x😀zy", 3, 0, "z"), ("漢字", "漢", 1, 1, ""),
  ])
  func `a difference is one place, of whole scalars`(
    old: String, new: String, start: Int, removed: Int, added: String
  ) throws {
    let difference = try #require(TextDifference(from: old, to: new))
    #expect(difference.start == start)
    #expect(difference.removed == removed)
    #expect(difference.added == added)
    #expect(old.changed(by: difference.change, adding: difference.added) == new)
    #expect(TextDifference(from: new, to: new) == nil)
  }

  @Test(arguments: 0..<20)
  func `an edit is merged with any number of insertions, and loses none`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let base = String(
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          "xyz😀".randomElement(using: &random) ?? "x"
        })
      func place(in text: String) -> String.Index {
        let offset = Int.random(in: 0...text.count, using: &random)
        return text.index(text.startIndex, offsetBy: offset)
      }
      var (mine, other) = (base, base)
      mine.insert(contentsOf: "abc", at: place(in: mine))
      for letter in "ABCD" { other.insert(letter, at: place(in: other)) }
      for (one, two) in [(mine, other), (other, mine)] {
        let merged = try #require(base.merging(apart: one, two))
        #expect(merged.filter("abc".contains) == "abc")
        #expect(merged.filter("ABCD".contains) == other.filter("ABCD".contains))
        #expect(merged.filter("xyz😀".contains) == base)
      }
    }
  }

  /// Each page makes edits on what it shows; the app carries them over what has come meanwhile.
  @Test(arguments: 0..<20)
  func `edits that are carried over others lose nothing and double nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let base = String((0..<Int.random(in: 0..<8, using: &random)).map { _ in "-" })
      let (mine, others) = (run("a", base, &random), run("A", base, &random))
      var (first, second) = (TextChange(), TextChange())
      for edit in mine { first.append(edit.change) }
      for edit in others { second.append(edit.change) }
      // One after the other, as they come in.
      var text = apply(others, to: base)
      var rest = second
      for edit in mine {
        let (moved, left) = edit.change.crossed(with: rest)
        text = text.changed(by: moved, adding: edit.text)
        rest = left
      }
      let page = apply(mine, to: base)
      #expect(page.utf16.count + rest.growth == text.utf16.count)
      let kept = (apply(mine, to: base) + apply(others, to: base)).filter { $0 != "-" }
      #expect(text.filter { $0 != "-" }.sorted() == kept.sorted())
      // Once for all, it is as long.
      let (moved, _) = first.crossed(with: second)
      #expect(base.utf16.count + second.growth + moved.growth == text.utf16.count)
    }
  }

  private func run(_ first: Unicode.Scalar, _ base: String, _ random: inout SeededGenerator)
    -> [Edit]
  {
    var text = base
    var edits: [Edit] = []
    for number in 0..<UInt32.random(in: 0..<5, using: &random) {
      let letter = Unicode.Scalar(first.value + number).map(Character.init) ?? "?"
      var next = text
      let index = next.index(
        next.startIndex, offsetBy: Int.random(in: 0...next.count, using: &random))
      // Only what was there before is taken out, so that what was put in can be counted.
      if index < next.endIndex, next[index] == "-", Bool.random(using: &random) {
        next.remove(at: index)
      } else {
        next.insert(letter, at: index)
      }
      edits.append(Edit(next, text))
      text = next
    }
    return edits
  }

  private func apply(_ edits: [Edit], to base: String) -> String {
    edits.reduce(base) { $0.changed(by: $1.change, adding: $1.text) }
  }
}
