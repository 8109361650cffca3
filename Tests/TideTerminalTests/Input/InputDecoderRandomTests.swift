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
      #expect(pieced.isWaiting == whole.isWaiting, "seed \(seed)")
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `after random bytes, pauses and Ctrl-C, keys are understood`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = InputDecoder()
    for _ in 0..<200 {
      _ = decoder.decode(randomBytes(.random(in: 1...50, using: &random), &random))
      if Bool.random(using: &random) { _ = decoder.flush() }
    }
    _ = decoder.flush()
    _ = decoder.decode([0x03])
    #expect(!decoder.isWaiting)
    #expect(
      decoder.decode(Array("\u{1b}[Ax".utf8)) == [.key(Key(.up)), .key(Key("x" as Character))])
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
