import Foundation
import Testing
import TideBindings
import TideGraph
import TideLua
import TideScript

@testable import TideREPL

@Suite struct `Measuring an app` {
  private let runtime: Runtime

  init() throws {
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = VirtualClock()
    runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(
      """
      m = model "m" { a = 1, b = 0, twice = computed(function(m) return m.a * 2 end) }
      transformer("loud", function(text) return text .. "!" end)
      label = view.label { id = "title", bindTo = { text = "m.a | loud" } }
      bind("a -> b", m, m)
      seen, sum = 0, 0
      effect(function() sum = sum + m.twice end)
      observe(m, "b", function() seen = seen + 1 end)
      function spend(n) local t = {} for i = 1, n do t[i] = { i } end return #t end
      slow = object { n = 0, cost = computed(function(o) return spend(1000 * o.n) end) }
      effect(function() return slow.cost and nil end)
      """, as: Value.self)
  }

  private func measure(_ script: String) throws -> ProfileReport {
    let measuring = try ProfileSession(runtime)
    try runtime.evaluate(script, as: Value.self)
    return measuring.end()
  }

  private func row(_ report: ProfileReport, _ kind: Profile.Name.Kind, _ text: String)
    -> ProfileReport.Row?
  {
    report.rows.first { $0.name.kind == kind && $0.name.text.contains(text) }
  }

  @Test func `tells how often each thing has run, and where it is written`() throws {
    let report = try measure("for i = 2, 11 do m.a = i end")
    #expect(row(report, .computed, "m.twice")?.runs == 10)
    #expect(row(report, .computed, "m.twice")?.name.location == "(evaluate):1")
    #expect(row(report, .binding, "a -> b")?.runs == 10)
    #expect(row(report, .transformer, "loud")?.runs == 10)
    #expect(row(report, .effect, "an effect")?.runs == 10)
    #expect(row(report, .observer, "m.b")?.runs == 10)
    #expect(row(report, .computed, "slow.cost") == nil)
    #expect(try runtime.evaluate("seen", as: Int.self) == 10)
  }

  @Test func `what ran inside counts for what it ran in, and for itself once`() throws {
    let report = try measure("slow.n = 20")
    let cost = try #require(row(report, .computed, "object.cost"))
    #expect(cost.runs == 1 && cost.ownBytes > 20_000 * 16)
    // A transformer runs in its binding.
    let loud = try measure("m.a = 100")
    let node = try #require(loud.nodes.firstIndex { $0.name.kind == .transformer })
    #expect(loud.ancestors(of: node).contains { loud.nodes[$0].name.kind == .binding })
    for (index, node) in loud.nodes.enumerated() {
      #expect(loud.ownSeconds[index] <= node.seconds)
      #expect(node.parent.map { $0 < index } ?? true)
    }
    #expect(abs(loud.ownSeconds.reduce(0, +) - loud.rows.reduce(0) { $0 + $1.ownSeconds }) < 1e-9)
  }

  @Test func `an app that is not measured has nothing noted`() throws {
    _ = try measure("m.a = 5")
    #expect(!runtime.graph.isMeasured)
    try runtime.evaluate("m.a = 6", as: Value.self)
    #expect(try measure("m.a = 6").nodes.isEmpty)
  }

  @Test func `one at a time measures, and measuring ends with who does`() throws {
    var measuring: ProfileSession? = try ProfileSession(runtime)
    #expect(throws: TideError.self) { try ProfileSession(runtime) }
    #expect(measuring != nil)
    measuring = nil
    #expect(try !measure("m.a = 7").nodes.isEmpty)
  }

  @Test func `it may begin and end in the middle of what it measures`() throws {
    var measuring: ProfileSession?
    var report: ProfileReport?
    try runtime.register("begin") { [unowned runtime] () throws -> Int in
      measuring = try ProfileSession(runtime)
      return 0
    }
    try runtime.register("finish") { () throws -> Int in
      report = measuring?.end()
      measuring = nil
      return 0
    }
    try runtime.evaluate(
      """
      o = object { n = 0 }
      o2 = object { v = computed(function() if o.n == 1 then begin() elseif o.n == 3 then finish() end return o.n end) }
      effect(function() return o2.v and nil end)
      for i = 1, 5 do o.n = i end
      """, as: Value.self)
    #expect(report?.rows.isEmpty == false)
    #expect(!runtime.graph.isMeasured)
    #expect(runtime.graph.brokenInvariants().isEmpty)
  }

  @Test func `objects that come and go have names of their own`() throws {
    let report = try measure(
      """
      for i = 1, 50 do
        do
          local o = object { n = i, twice = computed(function(o) return o.n * 2 end) }
          assert(o.twice == i * 2)
        end
        collectgarbage()
      end
      """)
    #expect(row(report, .computed, "object.twice")?.runs == 50)
  }

  @Test func `deep nesting is measured as far as it is kept`() throws {
    let report = try measure(
      """
      local last = object { n = 1 }
      for i = 1, 300 do
        local before = last
        last = object { n = computed(function() return before.n + 1 end) }
      end
      deep = last.n
      """)
    #expect(try runtime.evaluate("deep", as: Int.self) == 301)
    #expect(row(report, .computed, "object.n")?.runs == 300)
  }

  // MARK: Files

  private struct Speedscope: Decodable {
    struct Shared: Decodable { let frames: [Frame] }
    struct Frame: Decodable {
      let name: String
      let file: String?
      let line: Int?
    }
    struct Profile: Decodable {
      let type, unit: String
      let samples: [[Int]]
      let weights: [Int]
      let endValue: Int
    }
    let shared: Shared
    let profiles: [Profile]
  }

  @Test func `speedscope gets each way through the tree with its own time`() throws {
    let report = try measure("for i = 2, 50 do m.a = i slow.n = i % 3 end")
    let file = try JSONDecoder().decode(Speedscope.self, from: Data(report.speedscope.utf8))
    let profile = try #require(file.profiles.first)
    #expect(profile.type == "sampled" && profile.unit == "nanoseconds")
    #expect(profile.samples.count == profile.weights.count && !profile.samples.isEmpty)
    #expect(abs(profile.weights.reduce(0, +) - profile.endValue) <= profile.weights.count)
    #expect(profile.samples.joined().allSatisfy { file.shared.frames.indices.contains($0) })
    #expect(file.shared.frames.contains { $0.name.contains("m.twice") && $0.line == 1 })
  }

  @Test func `a flame graph shows no text that is more than text`() throws {
    let report = try measure(
      """
      local evil = model "<script>&\\27[2J" { a = 0, b = computed(function(m) return m.a end) }
      effect(function() return evil.b and nil end)
      """)
    let picture = report.flameGraph
    #expect(picture.hasPrefix("<svg") && picture.hasSuffix("</svg>\n"))
    #expect(!picture.contains("<script>") && !picture.contains("\u{1b}"))
    #expect(!report.table().contains("\u{1b}"))
    #expect(report.jsonLines.allSatisfy { !$0.contains("\u{1b}") })
  }

  @Test func `nothing has a table, too`() throws {
    let report = try measure("")
    #expect(report.table().contains("0 % of it busy") || report.table().contains("app.lua"))
    #expect(report.flameGraph.hasPrefix("<svg"))
  }

  // MARK: At the prompt

  @Test func `the prompt measures code, or what happens meanwhile`() throws {
    let session = try Session(runtime)
    func text(_ line: String) -> String {
      if case .values(let lines) = session.run(line) { lines.joined(separator: "\n") } else { "" }
    }
    #expect(text(":profile m.a = 40").contains("m.twice"))
    #expect(text(":profile").contains("measuring"))
    #expect(text("m.a = 41") == "")
    #expect(text(":profile").contains("m.twice"))
    #expect(!runtime.graph.isMeasured)
  }
}
