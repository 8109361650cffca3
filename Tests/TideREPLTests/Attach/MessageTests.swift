import Testing
import TideBindings
import TideScript

@testable import TideREPL

@Suite struct `A message` {
  @Test func `is read as it was written`() throws {
    let message = Message(
      "evaluate",
      [
        "id": 7, "text": "a \"b\"\n\\ \u{1} 漢 \u{1F600}", "unfinished": true, "words": ["x", ""],
        "least": .number(.min), "none": .texts([]),
      ])
    #expect(!message.line.contains("\n"))
    #expect(try Message(line: message.line) == message)
  }

  @Test func `of a failure commands no terminal, and is coloured here`() {
    let failure = Message(
      "result",
      [
        "error": "a.lua:3:1: error[E0402]: bad \u{1b}[2J\n  x\n  ^\n  from y",
        "colored": "\u{1b}]0;owned\u{7}", "code": "E0402", "file": "a.lua", "line": 3, "column": 1,
      ])
    #expect(
      failure.diagnosticText(style: .plain)
        == "a.lua:3:1: error[E0402]: bad \\27[2J\n  x\n  ^\n  from y")
    #expect(
      failure.diagnosticText(style: .colored)
        == "\u{1b}[1ma.lua:3:1:\u{1b}[0m \u{1b}[1;31merror[E0402]:\u{1b}[0m "
        + "\u{1b}[1mbad \\27[2J\u{1b}[0m\n  x\n  \u{1b}[1;32m^\u{1b}[0m\n"
        + "  \u{1b}[2mfrom y\u{1b}[0m")
    let odd = Message("result", ["error": "\u{9b}2J"])
    #expect(odd.diagnosticText(style: .colored) == "\\u{9b}2J")
  }

  @Test func `has fields of any JSON that is not nested`() throws {
    let message = try Message(
      line: #" {"a" : "\u00e9\ud83d\ude00\ud800x\/" ,"kind":"k","b":null,"c":false,"a":-3 } "#)
    #expect(message == Message("k", ["a": -3, "c": false]))
    let text = try Message(line: #"{"kind":"k","a":"\u00e9\ud83d\ude00\ud800x\/\b\f"}"#).text("a")
    #expect(text == "é\u{1F600}\u{FFFD}x/\u{8}\u{c}")
  }

  @Test(arguments: [
    "", "{", "}", "[]", "1", "{}", "{\"kind\"}", "{\"kind\":}", "{\"kind\":1}", "{\"kind\":\"x\"",
    "{\"kind\":\"x\"}}", "{\"kind\":\"x\",}", "{\"kind\":\"x\" \"a\":1}",
    "{\"kind\":\"x\",\"a\":1.5}",
    "{\"kind\":\"x\",\"a\":1e3}", "{\"kind\":\"x\",\"a\":99999999999999999999}",
    "{\"kind\":\"x\",\"a\":--1}", "{\"kind\":\"x\",\"a\":tru}", "{\"kind\":\"x\",\"a\":{}}",
    "{\"kind\":\"x\",\"a\":[[]]}", "{\"kind\":\"x\",\"a\":[1]}", "{\"kind\":\"x\",\"a\":[\"b\"",
    "{\"kind\":\"x", "{\"kind\":\"\\", "{\"kind\":\"\\q\"}", "{\"kind\":\"\\u12\"}",
    "{\"kind\":\"\\u+123\"}", "{\"kind\":\"a\tb\"}",
  ])
  func `that is none says where it is broken`(_ line: String) {
    #expect(throws: TideError.self) { try Message(line: line) }
  }

  @Test func `cut at every byte is no message, and never more than an error`() {
    let bytes = Array(#"{"kind":"evaluate","id":-12,"text":"\u00e9漢","w":["a","b"],"f":true}"#.utf8)
    for end in bytes.indices {
      #expect(throws: TideError.self) { try MessageReader.read(bytes[..<end]) }
    }
  }

  @Test func `that is deep or not UTF-8 is refused at once`() {
    let deep = #"{"kind":"x","a":"# + String(repeating: "[", count: 1_000_000)
    #expect(throws: TideError.self) { try Message(line: deep) }
    let odd = Array("{\"kind\":\"".utf8) + [0xFF, 0xC0] + Array("\"}".utf8)
    #expect(throws: TideError.self) { try MessageReader.read(odd[...]) }
  }

  @Test func `comes out of pieces of any size`() throws {
    let bytes = Array("one\n\n\r\ntwo\nthree".utf8)
    for size in 1...bytes.count {
      var buffer = LineBuffer(limit: 10)
      var lines: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        try buffer.add(bytes[start..<min(start + size, bytes.count)])
        while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(lines == ["one", "two"])
      #expect(!buffer.isEmpty)
    }
  }

  @Test func `has a longest line, that of many is none`() throws {
    var buffer = LineBuffer(limit: 10)
    try buffer.add(Array("123456789\n123456789\n123".utf8))
    #expect(buffer.next()?.count == 9)
    #expect(buffer.next()?.count == 9)
    #expect(buffer.next() == nil)
    #expect(throws: TideError.self) { try buffer.add(Array("45678901".utf8)) }
  }
}
