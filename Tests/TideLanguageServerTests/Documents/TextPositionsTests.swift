import Fuzzing
import TideLanguageServer
import TideSystem
import Testing

@Suite struct `Positions in texts` {
  private func text(
    _ text: String, _ encoding: TextPositions.Encoding = .utf16
  ) -> TextPositions {
    TextPositions(Array(text.utf8), encoding: encoding)
  }

  private func offset(_ line: Int, _ character: Int, in text: TextPositions) -> Int {
    text.offset(of: TextPosition(line: line, character: character))
  }

  @Test func `characters count units of UTF-16`() {
    let text = text("aä€😀b")
    #expect([0, 1, 2, 3, 5, 6].map { offset(0, $0, in: text) } == [0, 1, 3, 6, 10, 11])
    #expect(text.position(of: 10) == TextPosition(line: 0, character: 5))
  }

  @Test func `long lines are counted as short ones are`() throws {
    var random = SeededGenerator("long lines")
    let words = ["a", "ä", "€", "😀"]
    let line = (0..<6000).compactMap { _ in words.randomElement(using: &random) }
    var text = text("x\n\(line.joined())\n\(line.joined())")
    // An edit in the line moves what follows.
    text.replace(2..<2, with: Array("ä".utf8))
    let edited = ["ä"] + line
    var (offset, character) = (2, 0)
    for (index, word) in edited.enumerated() {
      if index % 37 == 0 || index > edited.count - 3 {
        let position = TextPosition(line: 1, character: character)
        #expect(text.position(of: offset) == position)
        #expect(text.offset(of: position) == offset)
      }
      offset += word.utf8.count
      character += word.utf16.count
    }
    #expect(text.offset(of: TextPosition(line: 1, character: character + 9)) == offset)
    #expect(text.position(of: offset + 1) == TextPosition(line: 2, character: 0))
    #expect(text.position(of: text.bytes.count).line == 2)
  }

  @Test func `a position between surrogates means the character`() {
    #expect(offset(0, 2, in: text("a😀b")) == 1)
  }

  @Test func `characters count bytes if that was agreed on`() {
    let text = text("aä€😀b", .utf8)
    #expect([0, 1, 3, 6, 10, 11].map { offset(0, $0, in: text) } == [0, 1, 3, 6, 10, 11])
    #expect([2, 4, 5, 7, 9].map { offset(0, $0, in: text) } == [1, 3, 3, 6, 6])
    #expect(text.position(of: 10) == TextPosition(line: 0, character: 10))
  }

  @Test func `lines end with a line feed, a carriage return, or both`() {
    let text = text("a\nb\r\nc\rd\n\re")
    #expect(text.lineCount == 6)
    #expect((0..<6).map { offset($0, 0, in: text) } == [0, 2, 5, 7, 9, 10])
    #expect((0..<6).map { text.range(ofLine: $0).count } == [1, 1, 1, 1, 0, 1])
  }

  @Test func `positions beyond ends are the ends`() {
    let text = text("ab\r\nc")
    #expect(offset(0, 99, in: text) == 2)
    #expect(offset(1, 99, in: text) == 5)
    #expect(offset(7, 0, in: text) == 5)
    #expect(offset(-1, 3, in: text) == 0)
    #expect(offset(0, -3, in: text) == 0)
    #expect(offset(.max, .max, in: text) == 5)
    #expect(text.position(of: 3) == TextPosition(line: 0, character: 2))
    #expect(text.position(of: 99) == TextPosition(line: 1, character: 1))
    #expect(text.position(of: -1) == TextPosition(line: 0, character: 0))
  }

  @Test(arguments: [Int.min, -1, 0, 1, .max], [true, false])
  func `no number traps, with a byte order mark or without`(number: Int, followsMark: Bool) {
    for encoding in [TextPositions.Encoding.utf16, .utf8] {
      for sample in ["ab\ncd", "äb\ncd", ""] {
        let text = TextPositions(
          Array(sample.utf8), encoding: encoding, followsMark: followsMark)
        for line in [0, 1, number] {
          let found = offset(line, number, in: text)
          #expect((0...sample.utf8.count).contains(found))
          let end = TextPosition(line: 0, character: number)
          let range = TextRange(start: TextPosition(line: line, character: number), end: end)
          #expect(text.offsets(of: range).upperBound <= sample.utf8.count)
        }
      }
    }
  }

  @Test func `a range whose end comes first is reversed`() {
    let range = TextRange(
      start: TextPosition(line: 1, character: 0), end: TextPosition(line: 0, character: 1))
    #expect(text("ab\ncd").offsets(of: range) == 1..<3)
  }

  @Test func `bytes that are not UTF-8 count as one each`() {
    let text = TextPositions([0x61, 0xff, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x62, 0x80])
    #expect(text.position(of: 4) == TextPosition(line: 0, character: 4))
    #expect(offset(1, 3, in: text) == 8)
    #expect(text.position(of: 9) == TextPosition(line: 1, character: 4))
  }

  @Test(arguments: [TextPositions.Encoding.utf16, .utf8])
  func `random edits agree with a plain model`(encoding: TextPositions.Encoding) {
    var random = SeededGenerator("text positions")
    for _ in 0..<300 {
      let start = TextModel.randomText(30, using: &random)
      var (model, text) = (TextModel(start, encoding: encoding), text(start, encoding))
      for _ in 0..<12 {
        let range = TextRange(
          start: model.randomPosition(using: &random), end: model.randomPosition(using: &random))
        let new = TextModel.randomText(4, using: &random)
        text.replace(text.offsets(of: range), with: Array(new.utf8))
        model.replace(range, with: new)
        // Compared as bytes, because equal strings may differ in bytes.
        guard text.bytes == Array(model.text.utf8), agree(text, model, using: &random) else {
          Issue.record(
            "after \(range) became \(new.debugDescription): \(text.text.debugDescription)")
          return
        }
      }
    }
  }

  private func agree(
    _ text: TextPositions, _ model: TextModel, using random: inout SeededGenerator
  ) -> Bool {
    var offset = 0
    for (index, scalar) in model.scalars.enumerated() {
      // There is no position between the two bytes of a line end.
      if index > 0, scalar == "\n", model.scalars[index - 1] == "\r" {
        offset += 1
        continue
      }
      if text.position(of: offset) != model.position(of: index) { return false }
      if text.offset(of: text.position(of: offset)) != offset { return false }
      offset += UTF8.width(scalar)
    }
    return (0..<10).allSatisfy { _ in
      let position = model.randomPosition(using: &random)
      return text.offset(of: position) == model.offset(of: position)
    }
  }

  @Test func `a keystroke in a text of ten megabytes scans only its surroundings`() {
    let line = "local value = 'some text of a usual line'\n"
    var text = text(String(repeating: line, count: (10 << 20) / line.utf8.count))
    // The time of this thread alone, because the machine may be busy.
    let start = EventLoop.threadTime()
    _ = TextPositions(text.bytes)
    let read = EventLoop.threadTime()
    for index in 0..<20 {
      let offset = text.offset(of: TextPosition(line: 100_000 + index, character: 5))
      text.replace(offset..<offset, with: [UInt8(ascii: "x")])
    }
    #expect((EventLoop.threadTime() - read) / 20 < read - start)
    #expect(text.text.contains("localx value"))
  }
}
