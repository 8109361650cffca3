import Fuzzing
import Testing

@testable import TideViews

private func frame(_ width: Int, _ height: Int) -> Frame {
  Frame(size: Size(width: width, height: height))
}

@Test func `a new frame is blank`() {
  let frame = frame(3, 2)
  #expect(frame.lines == ["", ""])
  #expect(frame.text == "")
  #expect(frame[0, 0] == .blank)
  #expect(frame[99, -1] == .blank)
}

@Test func `a wide character takes two cells`() {
  let frame = frame(5, 1)
  #expect(frame.write("漢a", at: .zero) == 3)
  #expect(frame[0, 0].width == 2)
  #expect(frame[1, 0].isRightHalf)
  #expect(frame.character(x: 0, y: 0) == "漢")
  #expect(frame.lines == ["漢a"])
}

@Test func `half a wide character at an edge becomes a space`() {
  let right = frame(3, 1)
  right.write("漢字", at: .zero)
  #expect(right.lines == ["漢"])
  let left = frame(3, 1)
  left.write("漢字", at: Point(x: -1, y: 0))
  #expect(left.lines == [" 字"])
  let clipped = frame(6, 1)
  clipped.write("漢字", at: .zero, clip: Rect(x: 1, y: 0, width: 2, height: 1))
  #expect(clipped.lines == [""])
}

@Test func `overwriting half of a wide character blanks the other half`() {
  let first = frame(4, 1)
  first.write("漢字", at: .zero)
  first.write("x", at: Point(x: 1, y: 0))
  #expect(first.lines == [" x字"])
  let second = frame(4, 1)
  second.write("漢字", at: .zero)
  second.write("漢", at: Point(x: 1, y: 0))
  #expect(second.lines == [" 漢"])
  let filled = frame(4, 1)
  filled.write("漢字", at: .zero)
  filled.fill(Rect(x: 1, y: 0, width: 2, height: 1), style: .plain)
  #expect(filled.lines == [""])
}

@Test func `what is outside is left out`() {
  let frame = frame(2, 1)
  frame.write("abc", at: Point(x: -1, y: 0))
  frame.write("z", at: Point(x: 0, y: 5))
  frame.write("z", at: Point(x: 0, y: -5))
  #expect(frame.lines == ["bc"])
}

@Test func `control characters show as replacements and combining marks stay with their letter`() {
  let frame = frame(10, 1)
  frame.write("a\u{1B}[\tb\u{200B}e\u{301}", at: .zero)
  #expect(frame.lines == ["a\u{FFFD}[ be\u{301}"])
}

@Test func `frames are equal when they look equal`() {
  let a = frame(3, 1)
  let b = frame(3, 1)
  a.write("e\u{301}x", at: .zero)
  b.write("👨‍👩‍👧", at: .zero)
  #expect(a != b)
  b.write("e\u{301}x", at: .zero)
  b.write(" ", at: Point(x: 2, y: 0))
  #expect(a == b)
  b.caret = .zero
  #expect(a != b)
}

@Test func `an area is copied with its characters`() {
  let a = frame(4, 2)
  let b = Frame(size: a.size, glyphs: a.glyphs)
  a.write("漢e\u{301}x", at: .zero)
  b.copy(Rect(x: 0, y: 0, width: 3, height: 9), from: a)
  #expect(b.lines == ["漢e\u{301}", ""])
}

@Test func `a frame without cells takes everything and shows nothing`() {
  for size in [Size.zero, Size(width: 0, height: 5), Size(width: 5, height: 0)] {
    let frame = Frame(size: size)
    frame.write("abc", at: .zero)
    frame.fill(Rect(x: 0, y: 0, width: 9, height: 9), style: .plain)
    #expect(frame.text == "")
  }
}

@Test func `a frame never shows half a character, whatever is written where`() {
  for seed in UInt64(1)...50 {
    var random = SeededGenerator(seed: seed)
    let frame = frame(7, 3)
    for _ in 0..<60 {
      let text = String((0..<3).compactMap { _ in "ab漢字😀é 👍🏽".randomElement(using: &random) })
      let x = Int.random(in: -3...8, using: &random)
      let y = Int.random(in: -1...3, using: &random)
      if Bool.random(using: &random) {
        frame.write(text, at: Point(x: x, y: y))
      } else {
        frame.fill(Rect(x: x, y: y, width: 2, height: 2), style: .plain)
      }
      for y in 0..<3 {
        for x in 0..<7 {
          let isWide = frame[x, y].width == 2
          let hasHalf = x + 1 < 7 && frame[x + 1, y].isRightHalf
          #expect(isWide == hasHalf, "seed \(seed)")
        }
        #expect(!frame[0, y].isRightHalf, "seed \(seed)")
      }
    }
  }
}

@Test func `a size is read from its text and gives it back`() {
  #expect(Size("80x24") == Size(width: 80, height: 24))
  #expect(Size("80x24")?.description == "80x24")
  #expect(Size("0x0") == .zero)
  for bad in ["", "x", "80", "80x", "-1x2", "80x24x1", "axb", "99999x1", "80 x 24"] {
    #expect(Size(bad) == nil, "\(bad)")
  }
}

@Test func `sizes and areas are never negative`() {
  #expect(Size(width: -3, height: -1) == .zero)
  #expect(Rect(x: 1, y: 1, width: -2, height: 3).isEmpty)
}

@Test func `areas that do not meet have an empty intersection`() {
  let a = Rect(x: 0, y: 0, width: 2, height: 2)
  #expect(a.intersection(Rect(x: 2, y: 0, width: 5, height: 5)).isEmpty)
  #expect(
    a.intersection(Rect(x: 1, y: 1, width: 5, height: 5)) == Rect(x: 1, y: 1, width: 1, height: 1))
}

@Test func `a union holds both areas and ignores empty ones`() {
  let a = Rect(x: 1, y: 1, width: 1, height: 1)
  #expect(a.union(.zero) == a)
  #expect(
    a.union(Rect(x: 4, y: 0, width: 2, height: 1)) == Rect(x: 1, y: 0, width: 5, height: 2))
}

@Test func `taking more from the sides than there is leaves an empty area inside`() {
  let area = Rect(x: 3, y: 3, width: 2, height: 2).inset(by: Sides(all: 5))
  #expect(area.isEmpty)
  #expect(Rect(x: 3, y: 3, width: 2, height: 2).contains(area))
}

@Test func `a cell takes a bounded number of marks, and no joiner that joins nothing`() {
  let frame = Frame(size: Size(width: 4, height: 1))
  frame.write("a" + String(repeating: "\u{301}", count: 10_000) + "b", at: .zero)
  #expect(frame.character(x: 0, y: 0).unicodeScalars.count == 16)
  #expect(frame.character(x: 1, y: 0) == "b")
  frame.write("x\u{200D}y", at: .zero)
  #expect(frame.character(x: 0, y: 0).unicodeScalars.map(\.value) == [0x78])
  #expect(frame.character(x: 1, y: 0) == "y")
  let family: Character = "👨🏽‍👩🏽‍👧🏽‍👦🏽"
  frame.write(String(family), at: .zero)
  #expect(frame.character(x: 0, y: 0) == family)
}
