import Testing
import TideBindings
import TideGraph

@testable import TideScript

@Suite struct `A dump` {
  private func dump(_ expression: String) throws -> String {
    // Some make a great deal to dump first.
    let runtime = try Runtime(
      file: "test.lua", configuration: Runtime.Configuration(turn: .seconds(60)))
    guard case .string(let text) = try runtime.evaluate(expression, as: Value.self) else {
      return ""
    }
    return text
  }

  @Test func `shows what is below`() throws {
    #expect(
      try dump("dump(object { a = 1, b = list { 'x', dict { k = true } } })") == """
        object {
          a = 1,
          b = list {
            "x",
            dict {
              k = true,
            },
          },
        }
        """)
  }

  @Test func `has numbers first, in their order`() throws {
    #expect(
      try dump("dump { b = 1, [10] = 2, [2] = 3, [1.5] = 4, a = 5 }") == """
        {
          [1.5] = 4,
          [2] = 3,
          [10] = 2,
          a = 5,
          b = 1,
        }
        """)
  }

  @Test func `marks cycles`() throws {
    #expect(try dump("local t = {} t.self = t return dump(t)") == "{\n  self = { (cycle) },\n}")
    #expect(
      try dump("local m = model 'm' { other = property {} } m.other = m return dump(m)")
        == "m {\n  other = m (cycle),\n}")
  }

  @Test(arguments: [
    "local t = {} for i = 1, 30 do t = { t, t, t, t } end return dump(t)",
    "local t = {} for i = 1, 200000 do t[i] = { i } end return dump(t)",
    "local t = {} for i = 1, 1000 do t = { t } end return dump(t)",
    "return dump(list { ('x'):rep(1000000) })",
  ])
  func `of very much shows the beginning`(script: String) throws {
    let text = try dump(script)
    #expect(text.contains("…"))
    #expect(text.utf8.count < 2_000_000)
  }
}

@Suite struct `A log gate` {
  @Test func `lets so many a second through and counts the others`() {
    var gate = LogGate(limit: 2)
    let passed = [0, 0.1, 0.2, 0.9, 1, 1.5, 1.9, 2.5].map { gate.admit(at: $0) }
    #expect(passed == [true, true, false, false, true, true, false, true])
    #expect(gate.takeDropped() == 3)
    #expect(gate.takeDropped() == 0)
  }
}
