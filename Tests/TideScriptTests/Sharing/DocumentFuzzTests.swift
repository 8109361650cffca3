import Fuzzing
import Glibc
import Testing
import TideBindings
import TideGraph
import TideValues

@testable import TideScript

/// Random documents of shared models as a hostile peer may write them, between what the app itself
/// writes: the app lives, its memory stays within bounds, and what it writes afterwards is sent.
@Suite(.serialized) struct DocumentFuzzTests {
  private static let script = """
    Card = class "Card" { text = "", votes = 0, done = false }
    board = shared("board", { title = "none", count = 1, ratio = 0.5, isOpen = true,
      names = list { "a" }, cards = list { Card { text = "first" } } })
    on(board, "conflict", function() end)
    shown = ""
    effect(function()
      local parts = { tostring(board.title), tostring(board.count), #board.names, #board.cards }
      for index = 1, #board.cards do
        local card = board.cards[index]
        parts[#parts + 1] = type(card) == "string" and card or tostring(card)
      end
      shown = table.concat(parts, " ")
    end)
    """

  /// What reaches the app as from others, and takes what the app sends.
  private final class HostileEngine: SharingEngine {
    let lines = Guarded<[SharingMailbox]>([])
    let sent = Guarded<[SharingUpdate]>([])
    var largestUpdate: Int? { 1 << 20 }
    var isReadOnly: Bool { false }

    private struct Channel: SharingChannel {
      let engine: HostileEngine
      func send(_ updates: [SharingUpdate]) { engine.sent.withLock { $0 += updates } }
      func leave() {}
    }

    func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
      lines.withLock { $0.append(mailbox) }
      mailbox.beginListing(isAnew: false)
      mailbox.complete(SharingOrigin(name: "first", revision: 0))
      mailbox.put(.live, error: nil)
      return Channel(engine: self)
    }
  }

  // MARK: Documents

  private static let names = [
    "title", "count", "ratio", "isOpen", "names", "cards", "text", "votes", "done", "sync", "none",
    SharedDocument.order, SharedDocument.kind, SharedDocument.value, "", "\u{1}other",
  ]

  private static func value(_ source: inout ByteSource, _ name: String) -> [UInt8] {
    if name == SharedDocument.kind, source.flag() {
      return Array(
        source.pick([
          "class\u{1f}\u{1f}Card", "class\u{1f}board\u{1f}Card", "object",
          "object\u{1f}text\u{1f}string\u{1f}",
          "object\u{1f}text\u{1f}string\u{1f}nil\u{1f}text\u{1f}string\u{1f}", "class", "\u{1f}",
          "object" + String(repeating: "\u{1f}p\u{1f}number\u{1f}nil", count: 3000),
        ]).utf8)
    }
    return Array(
      source.pick([
        "", "1", "\"fig\"", "true", "null", "1e308", "-0", "9223372036854775807", "[1,2,3]", "[]",
        "{}",
        "{\"$number\":\"nan\"}", "{\"$bytes\":\"ff00\"}", "{\"$bytes\":\"f\"}",
        "{\"a\":{\"b\":[{}]}}",
        "{\"$object\":\"Card\",\"text\":\"x\"}", "\"\\ud800\"", "aaaaanaaaa", "zzzzzzzzzzzz",
        String(repeating: "[", count: 3000), String(repeating: "{\"a\":", count: 2000),
        "[" + String(repeating: "0,", count: 20_000) + "0]",
        "\"" + String(repeating: "x", count: 50_000) + "\"",
      ]).utf8)
  }

  private static func document(_ source: inout ByteSource, like sent: [UInt8]?) -> [UInt8] {
    var document = sent.flatMap { source.flag() ? SharedDocument($0) : nil } ?? SharedDocument()
    if source.flag() {
      document.begin(
        .init(
          writer: UInt64(source.number(below: 4)), number: source.pick([0, 1, 2, 1000, Int.max])),
        cause: source.pick([
          "", "board@host app.lua:12", String(repeating: "ä", count: 300), "\u{0}",
        ]))
    }
    for _ in 0..<source.number(below: 5) {
      let name = source.pick(names)
      document.set(name, value(&source, name), isDefault: source.number(below: 4) == 0)
    }
    var bytes = document.bytes
    for _ in 0..<max(0, source.number(below: 8) - 5) where !bytes.isEmpty {
      let index = (source.number(below: 256) * bytes.count) >> 8
      switch source.number(below: 5) {
      case 0: bytes.remove(at: index)
      case 1: bytes[index] = UInt8(source.number(below: 256))
      case 2: bytes.removeSubrange(index...)
      case 3: bytes.insert(0xFF, at: index)
      default: bytes += bytes[index...]
      }
    }
    return bytes
  }

  private static func key(_ source: inout ByteSource) -> SharingKey {
    if source.number(below: 3) == 0 { return .model }
    let list = source.pick(["cards", "cards", "names", "title", "none", ""])
    return .row(
      list: list, id: source.pick(["a", "b", "c", "d", "", String(repeating: "x", count: 40)]))
  }

  private static let edits = [
    "board.title = board.title .. '!'", "board.count = board.count + 1", "board.names:append('n')",
    "board.cards:append(Card { text = 'new' })",
    "if #board.cards > 0 then board.cards:remove(1) end",
    "if #board.names > 1 then board.names:move(1, #board.names) end", "board.names:clear()",
    "local c = board.cards[1] if type(c) == 'userdata' then c.votes = 7 end",
  ]

  // MARK: Cases

  /// What is wrong after such documents; nil while all is well.
  static func fault(_ input: [UInt8]) -> String? {
    do {
      let engine = HostileEngine()
      var configuration = Runtime.Configuration(memory: .megabytes(64))
      configuration.shared = engine
      configuration.print = { _ in }
      configuration.clock = VirtualClock()
      let runtime = try Runtime(file: "board.lua", configuration: configuration)
      try runtime.evaluate(script, as: Value.self)
      runtime.turn(timeout: 0)
      let start = processorTime()
      try play(input, engine, runtime)
      let seconds = processorTime() - start
      if seconds > 20 { return "it took \(Int(seconds)) seconds of the processor" }
      return try faultAfterwards(engine, runtime)
    } catch { return "\(error)" }
  }

  private static func play(_ input: [UInt8], _ engine: HostileEngine, _ runtime: Runtime) throws {
    var source = ByteSource(input)
    var revision = 0
    while !source.isAtEnd {
      guard let mailbox = engine.lines.withLock({ $0.last }) else { return }
      let sent = engine.sent.withLock { $0.popLast() }
      switch source.number(below: 16) {
      case 0..<8:
        revision += source.number(below: 3)
        let isRemoval = source.number(below: 8) == 0
        let bytes = document(&source, like: sent?.bytes)
        mailbox.put([
          SharingChange(
            key: sent.flatMap { source.flag() ? $0.key : nil } ?? key(&source),
            revision: source.number(below: 10) == 0 ? source.pick([0, -1, Int.max / 2]) : revision,
            bytes: isRemoval ? nil : bytes)
        ])
      case 8: mailbox.beginListing(isAnew: source.flag())
      case 9:
        mailbox.complete(
          SharingOrigin(name: source.pick(["first", "", "other"]), revision: revision))
      case 10:
        let reason: SharingRefusal = source.pick([
          .stale, .unanswered, .tooLarge("too large"), .denied("denied"),
        ])
        mailbox.refuse(sent?.key ?? .model, source.number(below: 5), reason)
      case 11: mailbox.put(source.pick([.live, .offline, .connecting]), error: nil)
      case 12..<15: _ = try? runtime.evaluate(source.pick(edits), as: Value.self)
      default: runtime.loop.advance(by: 0.5)
      }
      runtime.turn(timeout: 0)
    }
  }

  private static func faultAfterwards(
    _ engine: HostileEngine, _ runtime: Runtime
  ) throws -> String? {
    if runtime.exitCode != nil { return "the app has ended" }
    if let broken = runtime.graph.brokenInvariants().first { return broken }
    let held = runtime.declarations.sharedModels.values.reduce(0) { $0 + $1.heldBytes }
    if held > 64 << 20 { return "\(held) bytes are held" }
    guard let mailbox = engine.lines.withLock({ $0.last }) else { return "nobody has joined" }
    mailbox.beginListing(isAnew: true)
    mailbox.complete(SharingOrigin(name: "new", revision: 0))
    mailbox.put(.live, error: nil)
    runtime.turn(timeout: 0)
    engine.sent.withLock { $0 = [] }
    try runtime.evaluate("board.title = 'the end'", as: Value.self)
    for _ in 0..<20 {
      runtime.loop.advance(by: 0.5)
      runtime.turn(timeout: 0)
      let isSent = engine.sent.withLock { sent in
        sent.contains { update in
          update.key == .model
            && update.bytes.flatMap { SharedDocument($0)?["title"] } == Array("\"the end\"".utf8)
        }
      }
      if isSent { return nil }
    }
    return "what is written afterwards is not sent"
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `what was found before is well`() {
    for (file, input) in FuzzRun.found(by: "documents") {
      let fault = Self.fault(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `random documents of others harm nobody`() {
    let isSearch = getenv("TIDELOCK_FUZZ_SECONDS") != nil
    var random = SeededGenerator(seed: FuzzRun.seed(of: "documents", otherwise: isSearch ? nil : 1))
    var run = FuzzRun("documents", stepsInSuite: 30)
    let found = run.firstFault(sizes: 20...400, using: &random, Self.fault)
    if let found { Issue.record("\(found.text)") }
  }
}
