import Fuzzing
import Testing

@testable import TideSystem

struct LineSplitterTests {
  private static func lines(
    _ pieces: [[UInt8]], longest: Int = 1000
  ) -> (lines: [String], fits: Bool) {
    var splitter = LineSplitter(longest: longest)
    var lines: [String] = []
    func add(_ line: UnsafeRawBufferPointer) { lines.append(String(decoding: line, as: UTF8.self)) }
    for piece in pieces {
      guard piece.withUnsafeBytes({ splitter.add($0, add) }) else { return (lines, false) }
    }
    splitter.finish(add)
    return (lines, true)
  }

  @Test func `lines end with a newline, with or without a carriage return`() {
    #expect(Self.lines([Array("a\nb\r\n\nc".utf8)]).lines == ["a", "b", "", "c"])
    #expect(Self.lines([Array("a\n".utf8)]).lines == ["a"])
    #expect(Self.lines([]).lines == [])
    #expect(Self.lines([Array("\r".utf8), Array("\n\r".utf8)]).lines == ["", ""])
  }

  @Test func `a line that is too long ends it`() {
    let (lines, fits) = Self.lines([Array("ab\nabcdef".utf8)], longest: 5)
    #expect(lines == ["ab"])
    #expect(!fits)
    #expect(!Self.lines([Array("abc".utf8), Array("def\n".utf8)], longest: 5).fits)
  }

  @Test func `it makes no difference where the pieces are cut`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8(ascii: ["a", "b", "\n", "\r"].randomElement(using: &generator) ?? "a")
      }
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &generator)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(Self.lines(pieces).lines == Self.lines([bytes]).lines)
    }
  }
}
