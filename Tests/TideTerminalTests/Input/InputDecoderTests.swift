import Testing
import TideViews

@testable import TideTerminal

@Suite struct InputDecoderTests {
  @Test(arguments: KeySequences.all.indices)
  func `every key is understood, in one piece and split at every byte`(index: Int) throws {
    let (text, names) = KeySequences.all[index]
    let bytes = Array(KeySequences.escaped(text).utf8)
    let expected = try Key.sequence(names).map(InputEvent.key)
    #expect(decode([bytes]) == expected, "\(text)")
    for first in bytes.indices {
      let pieces = [Array(bytes[..<first]), Array(bytes[first...])]
      #expect(decode(pieces) == expected, "\(text) split at \(first)")
    }
    #expect(decode(bytes.map { [$0] }) == expected, "\(text) byte by byte")
    // Nothing of it is left in what follows.
    #expect(decode([bytes + Array("x".utf8)]) == expected + [.key(Key("x" as Character))])
  }

  @Test func `every key that has a name can be typed`() throws {
    let names =
      "Enter Tab Escape Space Backspace Delete Insert Up Down Left Right Home End PageUp PageDown "
      + (1...12).map { "F\($0)" }.joined(separator: " ")
    let known = Set(KeySequences.all.map(\.names))
    for name in names.split(separator: " ") { #expect(known.contains(String(name))) }
  }

  @Test(arguments: KeySequences.ignored)
  func `answers, reports and nonsense give nothing and spoil nothing`(text: String) {
    let bytes = Array(text.utf8)
    #expect(decode([bytes]) == [])
    for first in bytes.indices {
      let events = decode([Array(bytes[..<first]), Array(bytes[first...]), Array("x".utf8)])
      #expect(events == [.key(Key("x" as Character))], "split at \(first)")
    }
  }

  @Test func `an escape waits for more, and is the Escape key when nothing comes`() {
    for (bytes, names) in [
      ("␛", "Escape"), ("␛␛", "Escape Escape"), ("␛[", "Alt-["), ("␛O", "Alt-O"), ("␛]", "Alt-]"),
      ("␛P", "Alt-P"), ("␛␛[", "Escape Alt-["),
    ] {
      var decoder = InputDecoder()
      #expect(decoder.decode(Array(KeySequences.escaped(bytes).utf8)) == [])
      #expect(decoder.wait(49) == [])
      #expect(decoder.wait(50) == (try? Key.sequence(names))?.map(InputEvent.key))
      #expect(decoder.patience == nil)
      #expect(decoder.flush() == [])
    }
  }

  @Test(arguments: [
    "␛[1;5", "␛[<0;3", "␛[[", "␛O5", "␛[M!", "␛]11;", "␛P1$", "\u{e6}", "␛[200", "␛[27;2;1",
  ])
  func `what has certainly begun waits a second, and is dropped`(text: String) {
    var bytes = Array(KeySequences.escaped(text).utf8)
    // The first byte of a character.
    if text == "\u{e6}" { bytes = [0xe6, 0xbc] }
    var decoder = InputDecoder()
    #expect(decoder.decode(bytes) == [])
    #expect(decoder.wait(999) == [])
    #expect(decoder.patience == 1000)
    #expect(decoder.wait(1000) == [])
    #expect(decoder.patience == nil)
    #expect(decoder.decode(Array("a".utf8)) == [.key(Key("a" as Character))])
  }

  @Test func `a sequence that is too long is dropped whole`() {
    let long = "\u{1b}[" + String(repeating: "1;", count: 300) + "mx"
    #expect(decode([Array(long.utf8)]) == [.key(Key("x" as Character))])
  }

  @Test func `a string that another sequence cuts off does not swallow it`() {
    let events = decode([Array("\u{1b}]11;rgb\u{1b}[Ax".utf8)])
    #expect(events == [.key(Key(.up)), .key(Key("x" as Character))])
  }

  @Test func `bytes that are no UTF-8 are dropped, what is around them is kept`() {
    for bad: [UInt8] in [
      [0xff], [0xc3], [0xe6, 0xbc], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ] {
      let events = decode([Array("a".utf8) + bad + Array("b".utf8)])
      #expect(events == ["a", "b"].map { .key(Key($0 as Character)) })
    }
  }

  @Test func `a sequence that is cut off by another does not spoil it`() {
    #expect(decode([Array("\u{1b}[1;\u{1b}[A".utf8)]) == [.key(Key(.up))])
    #expect(decode([Array("\u{1b}[1;\u{3}".utf8)]) == [.key(Key("c", modifiers: .control))])
  }
}

extension InputDecoder {
  /// Lets so many milliseconds pass in which nothing comes.
  mutating func wait(_ milliseconds: Int) -> [InputEvent] {
    var rest = milliseconds
    var events: [InputEvent] = []
    while let patience, patience <= rest {
      rest -= patience
      events += flush()
    }
    return events
  }
}

/// Decodes pieces one after the other, and ends what is unfinished.
func decode(_ pieces: [[UInt8]]) -> [InputEvent] {
  var decoder = InputDecoder()
  return pieces.flatMap { decoder.decode($0) } + decoder.wait(5000)
}

@Suite struct InputDecoderMouseTests {
  @Test(
    arguments: [
      ("[<0;10;20M", MouseEvent(.press(.left), at: Point(x: 9, y: 19))),
      ("[<0;10;20m", MouseEvent(.release(.left), at: Point(x: 9, y: 19))),
      ("[<1;1;1M", MouseEvent(.press(.middle), at: .zero)),
      ("[<2;300;200M", MouseEvent(.press(.right), at: Point(x: 299, y: 199))),
      ("[<32;5;6M", MouseEvent(.drag(.left), at: Point(x: 4, y: 5))),
      ("[<64;5;6M", MouseEvent(.scroll(-3), at: Point(x: 4, y: 5))),
      ("[<65;5;6M", MouseEvent(.scroll(3), at: Point(x: 4, y: 5))),
      ("[<66;5;6M", MouseEvent(.scrollSideways(-3), at: Point(x: 4, y: 5))),
      ("[<67;5;6M", MouseEvent(.scrollSideways(3), at: Point(x: 4, y: 5))),
      (
        "[<20;5;6M",
        MouseEvent(.press(.left), at: Point(x: 4, y: 5), modifiers: [.shift, .control])
      ),
      ("[<8;5;6M", MouseEvent(.press(.left), at: Point(x: 4, y: 5), modifiers: .alt)),
      ("[32;5;6M", MouseEvent(.press(.left), at: Point(x: 4, y: 5))),
      ("[35;5;6M", MouseEvent(.release(.left), at: Point(x: 4, y: 5))),
      ("[M !!", MouseEvent(.press(.left), at: .zero)),
      ("[M#!!", MouseEvent(.release(.left), at: .zero)),
      ("[Ma%&", MouseEvent(.scroll(3), at: Point(x: 4, y: 5))),
    ] as [(String, MouseEvent)])
  func `reports are understood, split at every byte`(text: String, expected: MouseEvent) {
    let bytes = Array(("\u{1b}" + text).utf8)
    for split in bytes.indices {
      let events = decode([Array(bytes[..<split]), Array(bytes[split...]), Array("x".utf8)])
      #expect(events == [.mouse(expected), .key(Key("x" as Character))], "split at \(split)")
    }
  }

  @Test(arguments: ["[<35;5;6M", "[67;5;6M", "[MC%&"])
  func `a move without a button is a move`(text: String) {
    let expected = MouseEvent(.move, at: Point(x: 4, y: 5))
    #expect(decode([Array(("\u{1b}" + text).utf8)]) == [.mouse(expected)])
  }

  @Test(arguments: ["[<66;5;6m", "[<128;5;6M", "[<192;5;6M", "[<0;5M", "[<;;M", "[<3;1;1M"])
  func `buttons that nobody has and nonsense give nothing`(text: String) {
    #expect(decode([Array(("\u{1b}" + text).utf8)]) == [])
  }
}
