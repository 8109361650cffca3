import Fuzzing
import Testing
import TideBindings

@testable import TideWeb

@Suite struct PageTextTests {
  private func edit(_ start: Int, _ added: String, removing removed: Int = 0) -> PageEdit {
    PageEdit(start: start, removed: removed, added: added)
  }

  @Test func `an edit goes where it belongs in a text that has changed`() throws {
    let text = PageText("one")
    text.follow("Xone", in: 2)
    var base = try text.base(in: 1)
    try text.enter(edit(3, "!"), on: &base, in: 3)
    #expect(text.text == "Xone!")
    // The page still shows "one!".
    text.follow("one!", in: 4)
    try text.enter(edit(4, "?"), on: &base, in: 5)
    #expect(text.text == "one!?")
    try text.enter(edit(0, "", removing: 3), on: &base, in: 6)
    #expect(text.text == "!?")
  }

  @Test func `an edit that replaces letters replaces the app's answer to them, too`() throws {
    let text = PageText("")
    let (ann, bob) = (Viewer(), Viewer())
    var (hers, his) = (try text.base(in: 0, of: ann), try text.base(in: 0, of: bob))
    try text.enter(edit(0, "one"), on: &hers, in: 1)
    text.follow("ONE", in: 1, answering: ann)
    try text.enter(edit(0, "two", removing: 3), on: &hers, in: 1)
    #expect(text.text == "two")
    text.follow("TWO", in: 1, answering: ann)
    // Another page knows of nothing yet.
    try text.enter(edit(0, "!"), on: &his, in: 1)
    try text.enter(edit(0, "", removing: 3), on: &hers, in: 1)
    #expect(text.text == "!")
  }
  private final class Viewer {}

  @Test func `nothing is taken apart, and no number is too large`() throws {
    let text = PageText("")
    var (ann, bob) = (try text.base(in: 0), try text.base(in: 0))
    try text.enter(edit(0, "😀"), on: &bob, in: 1)
    #expect(throws: PageText.Fault.beyond) {
      try text.enter(self.edit(1, "", removing: 1), on: &bob, in: 1)
    }
    #expect(throws: PageText.Fault.beyond) { try text.enter(self.edit(1, "x"), on: &bob, in: 1) }
    for (start, removed) in [(0, Int.max), (Int.max, 0), (Int.max, Int.max), (1, Int.max - 1)] {
      #expect(throws: PageText.Fault.beyond) {
        try text.enter(self.edit(start, "", removing: removed), on: &ann, in: 1)
      }
    }
    #expect(text.text == "😀")
  }

  @Test func `no text becomes longer than a message may be`() throws {
    let text = PageText(String(repeating: "a", count: PageLimits.message - 1))
    var base = try text.base(in: 0)
    #expect(throws: PageText.Fault.tooLong) { try text.enter(self.edit(0, "bc"), on: &base, in: 1) }
    try text.enter(edit(0, "b"), on: &base, in: 1)
    try text.enter(edit(0, "", removing: 2), on: &base, in: 2)
    #expect(text.text.utf8.count == PageLimits.message - 2)
  }

  @Test func `a long part of a text can be replaced by another as long`() throws {
    let text = PageText(String(repeating: "a", count: PageLimits.message))
    var base = try text.base(in: 0)
    let new = String(repeating: "b", count: PageLimits.message - 1)
    try text.enter(edit(1, new, removing: new.count), on: &base, in: 1)
    #expect(text.text == "a" + new)
  }

  @Test func `a text that the app has made too long can only become shorter`() throws {
    let text = PageText(String(repeating: "é", count: PageLimits.message))
    var base = try text.base(in: 0)
    #expect(throws: PageText.Fault.tooLong) { try text.enter(self.edit(0, "b"), on: &base, in: 1) }
    try text.enter(edit(0, "b", removing: 1), on: &base, in: 1)
    #expect(text.text.utf8.count == 2 * PageLimits.message - 1)
  }

  @Test func `two people who type at one place keep all their letters in their order`() throws {
    let text = PageText("")
    var (ann, bob) = (try text.base(in: 0), try text.base(in: 0))
    for (index, letter) in "abcd".enumerated() {
      try text.enter(edit(index, "\(letter)"), on: &ann, in: 1)
      try text.enter(edit(index, letter.uppercased()), on: &bob, in: 1)
    }
    #expect(text.text.filter(\.isLowercase) == "abcd")
    #expect(text.text.filter(\.isUppercase) == "ABCD")
  }

  @Test func `what the app makes of an edit is a change of its own`() throws {
    let text = PageText("")
    var base = try text.base(in: 0)
    try text.enter(edit(0, "a "), on: &base, in: 1)
    // It was trimmed and set in capitals; the page shows what was typed.
    text.follow("A", in: 1)
    try text.enter(edit(2, "b"), on: &base, in: 2)
    #expect(text.text == "Ab")
  }

  @Test(arguments: [(4, 0), (0, 4), (3, 1), (.max, 0), (1, .max)])
  func `no edit is of more than the page shows`(start: Int, removed: Int) throws {
    let text = PageText("one")
    var base = try text.base(in: 0)
    text.follow("one and two", in: 1)
    #expect(throws: PageText.Fault.beyond) {
      try text.enter(edit(start, "x", removing: removed), on: &base, in: 2)
    }
    #expect(text.text == "one and two")
  }

  @Test func `what was made on a forgotten text is not done`() throws {
    let text = PageText("")
    var base = try text.base(in: 0)
    for number in 1...3000 { text.follow("\(number)", in: number) }
    #expect(throws: PageText.Fault.tooOld) { try text.enter(edit(0, "x"), on: &base, in: 3001) }
    #expect(throws: PageText.Fault.tooOld) { _ = try text.base(in: 3) }
    var late = try text.base(in: 3000)
    try text.enter(edit(4, "!"), on: &late, in: 3001)
    #expect(text.text == "3000!")
  }

  /// Pages that type on what they show, and show the app's text whenever they have no edit under
  /// way.
  @Test(arguments: 0..<20)
  func `random pages lose no letter, and show what the app has`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = PageText("")
    var frame = 0
    var pages = (0..<3).map { _ in (shown: "", base: try? text.base(in: 0), waits: [PageEdit]()) }
    var typed = ""
    for number in 0..<300 {
      let index = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let scalar = try #require(Unicode.Scalar(UInt32(0x4E00 + number)))
        let place = Int.random(in: 0...pages[index].shown.utf16.count, using: &random)
        let edit = edit(place, "\(scalar)")
        pages[index].shown = pages[index].shown.changed(by: edit.change, adding: edit.added)
        pages[index].waits.append(edit)
        typed += edit.added
      case 2:
        if pages[index].waits.isEmpty { break }
        frame += 1
        var base = try #require(pages[index].base)
        try text.enter(pages[index].waits.removeFirst(), on: &base, in: frame)
        pages[index].base = base
      default:
        if !pages[index].waits.isEmpty { break }
        pages[index].shown = text.text
        pages[index].base = try text.base(in: frame)
      }
    }
    for index in pages.indices {
      var base = try #require(pages[index].base)
      for edit in pages[index].waits { try text.enter(edit, on: &base, in: frame + 1) }
    }
    #expect(text.text.sorted() == typed.sorted())
  }
}
