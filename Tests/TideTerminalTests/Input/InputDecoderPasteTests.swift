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

  @Test func `an escape's delay does not end a paste`() {
    var decoder = InputDecoder()
    #expect(decoder.decode(begin + Array("ab\u{1b}".utf8)) == [])
    #expect(!decoder.isWaiting)
    #expect(decoder.flush() == [])
    #expect(decoder.decode(Array("[201".utf8)) == [])
    #expect(decoder.decode(Array("~".utf8)) == [.paste("ab")])
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

  @Test func `Ctrl-C gets out of a paste that lost its end`() {
    let bytes = begin + Array("lost\u{3}x".utf8)
    #expect(
      decode([bytes]) == [
        .paste("lost"), .key(Key("c", modifiers: .control)), .key(Key("x" as Character)),
      ])
  }

  @Test func `an end without a beginning is nothing`() {
    #expect(decode([end + Array("a".utf8)]) == [.key(Key("a" as Character))])
    #expect(decode([begin + end]) == [.paste("")])
  }
}
