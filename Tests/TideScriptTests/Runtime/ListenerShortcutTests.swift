import Fuzzing
import OwnThread
import Testing
import TideBindings
import TideGraph
import TideScript

/// The interpreter calls a function that alone observes a property without asking the graph.
@Suite struct `The shortcut to a lone listener` {
  @Test(arguments: 0..<20)
  func `tells of the same values and errors as the plain walk`(seed: Int) async throws {
    // A graph of its own: one that other tests have filled has millions of slots.
    let (direct, plain) = try await onOwnThread {
      try (
        Self.transcript(of: UInt64(seed), withholding: []),
        Self.transcript(of: UInt64(seed), withholding: .loneListener)
      )
    }
    for (step, (direct, plain)) in zip(direct, plain).enumerated() where direct != plain {
      Issue.record("seed \(seed), step \(step): \(direct), not \(plain)")
      return
    }
    #expect(direct.count == plain.count)
  }

  /// What was logged, and the errors that are listed, after each operation of a seed.
  private static func transcript(of seed: UInt64, withholding withheld: Shortcuts) throws
    -> [String]
  {
    let runtime = try Runtime(file: "app.lua")
    var random = SeededGenerator(seed: seed &+ 31)
    try runtime.evaluate(
      """
      objects, handles, log = {}, {}, ""
      for i = 1, 4 do objects[i] = object { a = 0, b = 0, t = "x" } end
      function add(i, name, kind)
        local number = #handles + 1
        local other = objects[i % #objects + 1]
        local reactions = {
          function(new, old) log = log .. number .. ":" .. tostring(old) .. ">" .. tostring(new) .. " " end,
          function(new) log = log .. number .. "=" .. tostring(new) .. " " end,
          function(new) if other.t ~= "end" then other.t = other.t == "p" and "q" or "p" end end,
          function(new) if new == 3 then error("three", 0) end log = log .. number .. "! " end,
          function(new) log = log .. number .. "once " handles[number]:cancel() end,
        }
        handles[number] = observe(objects[i], name, reactions[kind])
      end
      """, as: Value.self)
    var steps: [String] = []
    for _ in 0..<60 {
      runtime.graph.withhold(withheld)
      let object = Int.random(in: 1...4, using: &random)
      let name = ["a", "b", "a", "t"].randomElement(using: &random) ?? "a"
      let value = Int.random(in: 0...4, using: &random)
      let script =
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
          // What observes text writes none, or it would go on for ever.
          "add(\(object), '\(name)', \(name == "t" ? [1, 2, 4, 5][value % 4] : value + 1))"
        case 2: "for i = 1, 3 do objects[\(object)].\(name) = i end"
        case 3: "objects[\(object)].\(name) = 'text'"
        case 4: "local h = handles[\(value)] if h then h:cancel() end"
        case 5: "bind('a -> b', objects[\(object)], objects[\(object)])"
        default: "objects[\(object)].\(name) = \(value)"
        }
      _ = try? runtime.evaluate(script, as: Value.self)
      let log = try runtime.evaluate("log", as: String.self)
      steps.append("\(script): \(log) \(runtime.errors.map(\.message))")
    }
    return steps
  }
}
