import Fuzzing
import Glibc
import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem

@testable import TideViews
@testable import TideWeb

/// Random messages of a page, some of them broken: the app lives, its graph and scene are whole,
/// and a page that behaves is served.
@Suite(.serialized) struct MessageFuzzTests {
  private static let app = """
    fruit = model "fruit" { name = "fig", note = "", count = 3, isOn = false, day = 0,
      chosen = 1, rows = list { "a", "b", "c" } }
    pressed = 0
    local function press() pressed = pressed + 1 end
    show(view.column { keys = { F2 = press },
      view.menu { items = { { title = "File", items = { { title = "New", command = press } } } } },
      view.field { label = "name", bindTo = { text = "<> fruit.name" } },
      view.textArea { bindTo = { text = "<> fruit.note" } },
      view.numberField { bindTo = { value = "<> fruit.count" } },
      view.checkbox { title = "on", bindTo = { isOn = "<> fruit.isOn" } },
      view.slider { bindTo = { value = "<> fruit.count" }, maximum = 10 },
      view.datePicker { bindTo = { value = "<> fruit.day" } },
      view.picker { items = { "x", "y" } },
      view.tabs { titles = { "one", "two" }, view.label { text = "1" }, view.label { text = "2" } },
      view.list { items = fruit.rows, contextMenu = { { title = "one", command = press } },
        on = { didSelect = press } },
      view.scroll { height = 2, view.label { text = "long\\nlong\\nlong\\nlong" } },
      view.button { title = "OK", on = { touchUpInside = press, click = press, hover = press } },
      view.button { title = "never", enabled = false, on = { touchUpInside = press } },
    })
    """

  /// A message as a page sends it, of any kind, for a view that is there or not.
  private static func message(_ number: Int, _ source: inout ByteSource) -> [UInt8] {
    let view = source.number(below: 64)
    let integer = source.pick([
      "0", "1", "2", "-1", "5", "500", "501", "1000000", "1000001", "9223372036854775807",
      "-9223372036854775808", "1e308", "0.5", "null", "1e999",
    ])
    let other = source.pick(["0", "1", "3", "-5", "99", "2147483648", "9223372036854775807"])
    let text = source.pick([
      "", "a", "fig", "\\u0000", "\\ud800", "👍🏽", "e\\u0301", "2026-02-30", "9999999999-01-01",
      "nan",
      "1e400", "\\n\\r\\t", "Ctrl-S", "F2", "Enter", "Shift-Tab", "Hyper-x", "Up", "PageDown",
      String(repeating: "x", count: 2000),
    ])
    let rest = source.pick([
      "", ",\"\(text)\"", ",\(integer),\(other),\"\(text)\"", ",\(integer)", ",\(integer),\(other)",
      ",0,0,\"\(text)\"", ",1,1,\"\(text)\"", ",\(integer),\"\",\(other)",
      ",\(integer),\"shift\"", ",\(integer),true", ",[\(integer),\(other)]",
      ",\(integer),\(other),7",
      ",[" + String(repeating: "0,", count: source.number(below: 120)) + "0]",
    ])
    let kind = source.pick([
      "press", "edit", "date", "scroll", "value", "choose", "select", "open", "expand", "rows",
      "sort", "move", "delete", "menu", "context", "key", "submit", "step", "focus", "pick",
      "click", "double", "hover", "close", "size", "edit", "edit", "key", "none",
    ])
    let count = source.pick(["\(number)", "\(number)", "\(number)", "\(number)", integer])
    let message = source.pick(["", "1,", "2,", "9,", "\(other),"])
    return Array("[\(count),\(message)\"\(kind)\",\(view)\(rest)]".utf8)
  }

  private static func mutate(_ bytes: inout [UInt8], _ source: inout ByteSource) {
    if bytes.isEmpty { return }
    let index = (source.number(below: 256) * bytes.count) >> 8
    switch source.number(below: 6) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = UInt8(source.number(below: 256))
    case 2: bytes.insert(source.pick(Array("{}[]\":,\\u0-.e".utf8)), at: index)
    case 3: bytes.removeSubrange(index...)
    case 4: bytes += bytes[index...]
    default: bytes.insert(contentsOf: [UInt8](repeating: bytes[index], count: 3000), at: index)
    }
  }

  /// What is wrong after such pages; nil while all is well.
  static func fault(_ input: [UInt8]) -> String? {
    do {
      var configuration = Runtime.Configuration()
      configuration.print = { _ in }
      configuration.clock = VirtualClock()
      let runtime = try Runtime(file: "app.lua", configuration: configuration)
      try runtime.evaluate(app, as: Value.self)
      let renderer = WebRenderer(isDeveloping: true, PagePictures())
      renderer.follow(runtime)
      let loop = AppLoop(runtime, renderer)
      defer { loop.close() }
      try loop.catchUp()
      let start = processorTime()
      try play(input, runtime, renderer, loop)
      let seconds = processorTime() - start
      if seconds > 20 { return "it took \(Int(seconds)) seconds of the processor" }
      return try faultAfterwards(runtime, renderer, loop)
    } catch { return "\(error)" }
  }

  private static func play(
    _ input: [UInt8], _ runtime: Runtime, _ renderer: WebRenderer, _ loop: AppLoop
  ) throws {
    var source = ByteSource(input)
    var lines: [LawLine] = []
    var made = 0
    var number = 0
    while !source.isAtEnd {
      if lines.isEmpty || source.number(below: 16) == 0, lines.count < 6 {
        made += 1
        lines.append(try LawLine(made, session: "", renderer, runtime))
      }
      let index = source.number(below: lines.count)
      number += source.number(below: 3)
      var bytes = message(number, &source)
      for _ in 0..<max(0, source.number(below: 6) - 3) { mutate(&bytes, &source) }
      lines[index].send(bytes)
      if source.number(below: 4) > 0 { continue }
      for line in lines where line.isOpen {
        try line.deliver()
        _ = try line.arrive()
      }
      runtime.loop.advance(by: 0.05)
      try loop.catchUp()
      lines.removeAll { !$0.isOpen }
    }
    for line in lines { line.close() }
    try loop.catchUp()
  }

  private static func faultAfterwards(
    _ runtime: Runtime, _ renderer: WebRenderer, _ loop: AppLoop
  ) throws -> String? {
    if runtime.exitCode != nil { return "the app has ended" }
    if renderer.viewerCount > 0 { return "viewers are left over" }
    let broken = runtime.graph.brokenInvariants()
    if let first = broken.first { return first }
    let line = try LawLine(1_000_000, session: "", renderer, runtime)
    try loop.catchUp()
    let mirror = PageMirror()
    for message in try line.arrive() { try mirror.apply(message) }
    try runtime.evaluate("pressed = 0", as: Value.self)
    line.send("[1,\"press\",\(try mirror.node("button", "OK"))]")
    try line.deliver()
    try loop.catchUp()
    let pressed = try runtime.evaluate("pressed", as: Int.self)
    return pressed == 1 ? nil : "who behaves has pressed \(pressed) times"
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `what was found before is well`() {
    for (file, input) in FuzzRun.found(by: "messages") {
      let fault = Self.fault(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `random messages harm nobody`() {
    let isSearch = getenv("TIDELOCK_FUZZ_SECONDS") != nil
    var random = SeededGenerator(seed: FuzzRun.seed(of: "messages", otherwise: isSearch ? nil : 1))
    var run = FuzzRun("messages", stepsInSuite: 30)
    let found = run.firstFault(sizes: 20...600, using: &random, Self.fault)
    if let found { Issue.record("\(found.text)") }
  }
}
