import Fuzzing
import Testing
import TideViews

@testable import TideTerminal

@Suite struct InputDecoderRandomTests {
  @Test(arguments: UInt64(1)...20)
  func `random bytes give the same events in whatever pieces they come`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let bytes = randomBytes(.random(in: 1...200, using: &random), &random)
      var whole = InputDecoder()
      let expected = whole.decode(bytes)
      var pieced = InputDecoder()
      var events: [InputEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...max(1, min(7, rest.count)), using: &random)
        events += pieced.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(events == expected, "seed \(seed)")
      #expect(pieced.patience == whole.patience, "seed \(seed)")
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `after random bytes, pauses and Ctrl-C, keys are understood`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = InputDecoder()
    for _ in 0..<200 {
      _ = decoder.decode(randomBytes(.random(in: 1...50, using: &random), &random))
      if Bool.random(using: &random) { _ = decoder.wait(.random(in: 0...3000, using: &random)) }
    }
    _ = decoder.wait(5000)
    _ = decoder.decode([0x03])
    #expect(decoder.patience == nil)
    #expect(
      decoder.decode(Array("\u{1b}[Ax".utf8)) == [.key(Key(.up)), .key(Key("x" as Character))])
  }

  @Test(arguments: UInt64(1)...20)
  func `what people do gives the same events in whatever pieces and with whatever pauses it comes`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let inputs = (0..<8).map { _ in randomInput(&random) }
      var whole = InputDecoder()
      let expected = inputs.flatMap { whole.decode($0) }
      #expect(whole.patience == nil, "seed \(seed)")
      var pieced = InputDecoder()
      var events: [InputEvent] = []
      for byte in inputs.joined() {
        events += pieced.decode([byte])
        // In a paste not around a byte that is Ctrl-C elsewhere: alone between pauses, it is a way out.
        if pieced.isInPaste && byte != UInt8(ascii: ".") { continue }
        if Int.random(in: 0..<4, using: &random) > 0 { continue }
        // Only what may be a key by itself is in a hurry; a long pause ends a paste.
        let most = pieced.patience.map { $0 == 50 && !pieced.isInPaste ? 49 : 999 } ?? 5000
        events += pieced.wait(.random(in: 0...most, using: &random))
      }
      #expect(events == expected, "seed \(seed): \(inputs)")
    }
  }

  /// A key, a press of the mouse, an answer or a paste, in any of the encodings.
  private func randomInput(_ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let parts = ["a", "漢", "\u{3}", "\u{1b}", "\u{1b}[A", "\u{1b}]", "\r\n", "\u{1b}[99;5u", "~"]
      let count = Int.random(in: 0...6, using: &random)
      let text = (0..<count).map { _ in (parts.randomElement(using: &random) ?? "") + "." }
      return Array("\u{1b}[200~.\(text.joined())\u{1b}[201~".utf8)
    case 1: return Array((KeySequences.ignored.randomElement(using: &random) ?? "").utf8)
    case 2:
      let kind = [0, 1, 2, 32, 35, 64, 65, 66, 67].randomElement(using: &random) ?? 0
      return Array("\u{1b}[<\(kind);5;6\(Bool.random(using: &random) ? "M" : "m")".utf8)
    default:
      let text = KeySequences.all.randomElement(using: &random)?.bytes ?? ""
      return Array(KeySequences.escaped(text).utf8)
    }
  }

  /// Mostly bytes that mean something in sequences.
  private func randomBytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let likely = Array("\u{1b}\u{1b}\u{1b}[[[OO<?;;;0123456789:~ABCMPmuv$^@]\\\u{7}\u{3}漢é".utf8)
    return (0..<count).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
        ? .random(in: 0...255, using: &random) : likely.randomElement(using: &random) ?? 0
    }
  }
}
