import Testing
import TideViews

@testable import TideTerminal

@Suite struct InputDecoderPasteTests {
  private let begin = Array("\u{1b}[200~".utf8)
  private let end = Array("\u{1b}[201~".utf8)

  @Test func `a paste is one event, wherever it is split`() {
    let bytes =
      Array("a".utf8) + begin + Array("two 漢字\rlines\u{1b}[A\r\n~".utf8) + end
      + Array("b".utf8)
    let expected: [InputEvent] = [
      .key(Key("a" as Character)), .paste("two 漢字\nlines\u{1b}[A\n~"), .key(Key("b" as Character)),
    ]
    #expect(decode([bytes]) == expected)
    for split in bytes.indices {
      #expect(decode([Array(bytes[..<split]), Array(bytes[split...])]) == expected)
    }
  }

  @Test func `a pause does not end a paste, a long one does`() {
    var decoder = InputDecoder()
    #expect(decoder.decode(begin + Array("ab\u{1b}".utf8)) == [])
    #expect(decoder.wait(1900) == [])
    #expect(decoder.decode(Array("[201".utf8)) == [])
    #expect(decoder.decode(Array("~".utf8)) == [.paste("ab")])
    #expect(decoder.patience == nil)
    #expect(decoder.decode(begin + Array("lost".utf8)) == [])
    #expect(decoder.wait(2000) == [.paste("lost")])
    #expect(decoder.decode(Array("x".utf8)) == [.key(Key("x" as Character))])
  }

  @Test func `a megabyte arrives whole`() {
    let line = "0123456789 the tide 漢字 comes\n"
    let text = String(repeating: line, count: 1_000_000 / line.utf8.count)
    let bytes = begin + Array(text.utf8) + end
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      events += decoder.decode(bytes[start..<min(start + 4096, bytes.count)])
    }
    #expect(events == [.paste(text)])
  }

  @Test func `what is no UTF-8 is repaired`() {
    #expect(decode([begin + [0x61, 0xff, 0x62] + end]) == [.paste("a\u{FFFD}b")])
  }

  @Test func `no byte of a paste is a key`() {
    let bytes = begin + Array("one\u{3}two\u{1b}[99;5u\u{1b}three\r".utf8) + end
    let expected: [InputEvent] = [.paste("one\u{3}two\u{1b}[99;5u\u{1b}three\n")]
    for split in bytes.indices {
      var decoder = InputDecoder()
      let first = decoder.decode(bytes[..<split])
      let events = first + decoder.wait(split < 6 ? 40 : 500) + decoder.decode(bytes[split...])
      #expect(events == expected, "split at \(split)")
    }
  }

  @Test(arguments: ["\u{3}", "\u{3}\u{3}", "\u{1b}[99;5u", "\u{1b}[1089::99;5u", "\u{1b}[27;5;99~"])
  func `Ctrl-C between pauses gets out of a paste that lost its end, and not out of the app`(
    press: String
  ) {
    var decoder = InputDecoder()
    #expect(decoder.decode(begin + Array("lost\u{3}".utf8)) == [])
    #expect(decoder.wait(60) == [])
    #expect(decoder.decode(Array(press.utf8)) == [])
    #expect(decoder.wait(60) == [.paste("lost\u{3}")])
    #expect(!decoder.isInPaste)
    #expect(decoder.decode([0x03]) == [.key(Key("c", modifiers: .control))])
  }

  @Test func `a part of a paste that begins with the byte of Ctrl-C goes on with it`() {
    var decoder = InputDecoder()
    #expect(decoder.decode(begin + Array("one".utf8)) == [])
    #expect(decoder.wait(60) == [])
    #expect(decoder.decode(Array("\u{3}two".utf8)) == [])
    #expect(decoder.wait(60) == [])
    #expect(decoder.decode(end) == [.paste("one\u{3}two")])
  }

  @Test func `what is beyond the limit is dropped, up to the end`() {
    for count in [999, 1000, 1001, 1005, 1256, 5000] {
      var paste = BracketedPaste(limit: 1000)
      for _ in 0..<count { #expect(paste.take(0x61) == nil) }
      let text = end.compactMap { paste.take($0) }
      #expect(text.map(\.count) == [min(count, 1000)], "of \(count)")
      #expect(text.first?.allSatisfy { $0 == 0x61 } == true, "of \(count)")
    }
  }

  @Test func `an end without a beginning is nothing`() {
    #expect(decode([end + Array("a".utf8)]) == [.key(Key("a" as Character))])
    #expect(decode([begin + end]) == [.paste("")])
  }
}
