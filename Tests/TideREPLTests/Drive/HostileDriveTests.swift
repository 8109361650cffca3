import Glibc
import OwnThread
import Testing
import TideBindings
import TideLua
import TideScript
import TideViews

@testable import TideREPL

@Suite struct `Many and hostile clients of drive` {
  private static func app(rows: Int) -> String {
    """
    model "fruit" { name = "", count = 0, ticks = 0 }
    every(0.005, function() models.fruit.ticks = models.fruit.ticks + 1 end)
    local rows, titles = list {}, list {}
    for i = 1, \(rows) do
      rows:append(object { name = "row " .. i })
      titles:append("row " .. i)
    end
    model "rows" { all = rows }
    show(view.column {
      view.field { id = "name", bindTo = { text = "<> fruit.name" } },
      view.button { id = "add", title = "Add", on = { touchUpInside = function()
        models.fruit.count = models.fruit.count + 1 end } },
      view.list { id = "list", height = 5, items = titles },
    })
    """
  }

  private func onApp(
    rows: Int = 10, _ body: @escaping @Sendable (AttachedApp) throws -> Void
  ) async throws {
    try await onOwnThread {
      var configuration = Runtime.Configuration()
      configuration.lua.turn = .seconds(60)
      let app = try AttachedApp(Self.app(rows: rows), configuration: configuration)
      app.runtime.scene?.resize(Size(width: 40, height: 12))
      app.runtime.settle()
      try body(app)
    }
  }

  private static func count(_ app: AttachedApp, _ name: String) throws -> Int {
    try app.runtime.evaluate("models.fruit.\(name)", as: Int.self)
  }

  @Test func `10,000 requests are answered in order, and the app goes on`() async throws {
    try await onApp { app in
      let client = try app.attach()
      var answered = 0
      for _ in 0..<200 {
        let ids = (0..<50).map { _ in
          client.request("drive", ["verb": "tap", "arguments": ["add"]])
        }
        for id in ids where client.answer(to: id)?.text("error") == nil { answered += 1 }
      }
      #expect(answered == 10_000)
      #expect(try Self.count(app, "count") == 10_000)
      #expect(try Self.count(app, "ticks") > 10)
    }
  }

  @Test func `as many as there are sessions act side by side, over many turns`() async throws {
    try await onApp { app in
      let clients = try (0..<32).map { _ in try app.attach() }
      let ids = clients.map { $0.request("drive", ["verb": "tap", "arguments": ["add"]]) }
      // All requests have arrived before the first turn in which they could run.
      usleep(50_000)
      var most = 0
      var last = 0
      #expect(
        app.run {
          let count = (try? Self.count(app, "count")) ?? 0
          (most, last) = (max(most, count - last), count)
          return count == 32
        })
      #expect(most <= 2)
      for (client, id) in zip(clients, ids) { #expect(client.answer(to: id)?.kind == "driven") }
    }
  }

  @Test func `a long text is typed over many turns, and an interrupt stops it`() async throws {
    try await onApp { app in
      let client = try app.attach(), other = try app.attach()
      let text = String(repeating: "fig ", count: 500)
      let typing = client.request("drive", ["verb": "type", "arguments": ["name", text]])
      let looking = other.request("drive", ["verb": "get", "arguments": ["fruit.name"]])
      let seen = other.answer(to: looking)?.texts("lines")?.first ?? ""
      #expect(seen.utf8.count < text.utf8.count)
      #expect(client.answer(to: typing)?.text("error") == nil)
      #expect(
        try app.runtime.evaluate("models.fruit.name", as: String.self) == text)
      let again = client.request(
        "drive",
        ["verb": "type", "arguments": ["name", String(repeating: "x", count: 100_000)]])
      #expect(app.run { (try? Self.count(app, "ticks")) ?? 0 > 3 })
      client.send(#"{"kind":"interrupt"}"#)
      #expect(client.answer(to: again)?.text("name") == "interrupted")
      #expect(try app.runtime.evaluate("#models.fruit.name", as: Int.self) < 100_000)
    }
  }

  @Test func `who goes in the middle of typing types no more`() async throws {
    try await onApp { app in
      let other = try app.attach()
      do {
        let client = try app.attach()
        client.request(
          "drive",
          ["verb": "type", "arguments": ["name", String(repeating: "x", count: 100_000)]])
        #expect(
          app.run { (try? app.runtime.evaluate("#models.fruit.name", as: Int.self)) ?? 0 > 0 })
      }
      #expect(app.run { app.server?.count == 1 })
      let typed = try app.runtime.evaluate("#models.fruit.name", as: Int.self)
      #expect(typed < 100_000)
      for _ in 0..<20 { app.runtime.turn(timeout: 0.001) }
      #expect(try app.runtime.evaluate("#models.fruit.name", as: Int.self) == typed)
      #expect(other.values("1") == ["1"])
    }
  }

  @Test func `half a line holds up nobody`() async throws {
    try await onApp { app in
      let half = try app.attach(), other = try app.attach()
      half.send(Array(#"{"kind":"drive","verb":"ta"#.utf8))
      let id = other.request("drive", ["verb": "tap", "arguments": ["add"]])
      #expect(other.answer(to: id)?.text("error") == nil)
      half.send(Array("p\",\"arguments\":[\"add\"],\"id\":7}\n".utf8))
      #expect(half.answer(to: 7)?.text("error") == nil)
      #expect(try Self.count(app, "count") == 2)
    }
  }

  @Test(arguments: [
    #"{"kind":"drive","id":1}"#, #"{"kind":"drive","id":1,"verb":"tap"}"#,
    #"{"kind":"drive","id":1,"verb":"tap","arguments":"add"}"#,
    #"{"kind":"drive","id":1,"verb":"wait","arguments":["true"],"timeout":"nan"}"#,
    #"{"kind":"drive","id":1,"verb":"keys","arguments":["\u0000"]}"#,
    #"{"kind":"drive","id":1,"verb":"tap","arguments":["add","add","add"]}"#,
    #"{"kind":"drive","id":1,"verb":"tree","arguments":["\ud800"]}"#,
    #"{"kind":"drive","id":1,"verb":"mount","arguments":["app.lua"]}"#,
  ])
  func `what is no request is refused with a reason`(line: String) async throws {
    try await onApp { app in
      let client = try app.attach()
      client.send(line)
      let answer = client.wait { $0.number("id") == 1 || $0.kind == "error" }
      #expect(answer?.text("message")?.isEmpty == false || answer?.text("text")?.isEmpty == false)
      #expect(try Self.count(app, "count") == 0)
      #expect(try app.attach().values("1") == ["1"])
    }
  }

  @Test func `an argument of a megabyte is an argument`() async throws {
    try await onApp { app in
      let client = try app.attach()
      let long = String(repeating: "fig", count: 350_000)
      for verb in ["paste", "tap", "get", "keys", "assert", "capture"] {
        let arguments = verb == "paste" ? ["name", long] : [long]
        let id = client.request("drive", ["verb": .text(verb), "arguments": .texts(arguments)])
        let answer = client.answer(to: id)
        #expect((answer?.text("error") == nil) == (verb == "paste"), "\(verb)")
        #expect((answer?.text("message") ?? "").utf8.count < 10_000, "\(verb)")
      }
    }
  }

  @Test func `who reads nothing is closed, and others are served meanwhile`() async throws {
    try await onApp { app in
      let deaf = try app.attach(), other = try app.attach()
      for _ in 0..<90 {
        deaf.request("drive", ["verb": "eval", "arguments": ["string.rep('x', 1000000)"]])
      }
      let id = other.request("drive", ["verb": "tap", "arguments": ["add"]])
      #expect(other.answer(to: id)?.text("error") == nil)
      #expect(app.run(seconds: 60) { app.server?.count == 1 })
      #expect(other.values("1") == ["1"])
    }
  }

  @Test func `10,000 rows are looked at in one answer`() async throws {
    try await onApp(rows: 10_000) { app in
      let client = try app.attach()
      for (verb, path) in [("tree", "list"), ("get", "rows.all"), ("capture", "list")] {
        let id = client.request("drive", ["verb": .text(verb), "arguments": .texts([path])])
        let answer = client.answer(to: id)
        #expect(answer?.text("error") == nil, "\(verb): \(answer?.text("message") ?? "no answer")")
      }
      let row = client.request("drive", ["verb": "select", "arguments": ["list", "10000"]])
      #expect(client.answer(to: row)?.text("error") == nil)
      #expect(client.values("views.list.selectedObject") == ["\"row 10000\""])
    }
  }
}
