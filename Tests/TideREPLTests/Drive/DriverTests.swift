import Fuzzing
import OwnThread
import TideBindings
import TideLua
import TideScript
import TideViews
import Testing

@testable import TideREPL

/// An app that a test drives in its own process.
private final class DrivenApp {
  private let app: AttachedApp
  let driver: Driver

  var runtime: Runtime { app.runtime }

  init(
    _ script: String, isAlone: Bool = true, _ configuration: Runtime.Configuration = .init()
  ) throws {
    app = try AttachedApp(script, configuration: configuration)
    let runtime = app.runtime
    runtime.scene?.resize(Size(width: 40, height: 12))
    runtime.settle()
    var host = DriveHost()
    host.isAlone = isAlone
    driver = Driver(try Session(runtime), number: 1, host: host)
  }

  /// Performs a verb. Returns its lines.
  @discardableResult
  func callAsFunction(_ line: String) throws -> [String] {
    var answer: DriveAnswer?
    let command = try DriveCommand.commands(inLine: line)[0]
    driver.perform(command.request) { answer = $0 }
    for _ in 0..<1000 where answer == nil { runtime.turn(timeout: 0.01) }
    switch try #require(answer) {
    case .done(let lines, _): return lines.map { $0.replacing(app.folder.path, with: "") }
    case .failed(let error): throw error
    }
  }

  func json(_ line: String) throws -> String? {
    var answer: DriveAnswer?
    driver.perform(try DriveCommand.commands(inLine: line)[0].request) { answer = $0 }
    for _ in 0..<1000 where answer == nil { runtime.turn(timeout: 0.01) }
    if case .done(_, let json)? = answer { return json }
    return nil
  }
}

@Suite struct `A driven app` {
  private static let form = """
    model "fruit" { name = "fig", count = 0, tags = { "a", "b" } }
    show(view.column {
      view.field { id = "name", bindTo = { text = "<> fruit.name" } },
      view.field { id = "secret", secure = true, text = "hidden" },
      view.button { id = "add", title = "Add", on = { touchUpInside = function()
        models.fruit.count = models.fruit.count + 1 end } },
      view.label { id = "shown", bindTo = { text = "fruit.count" } },
      view.list { id = "list", height = 3, items = { "one", "two", "three" } },
    })
    """

  @Test func `does what a person would do`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form)
      try app("tap add")
      try app("doubleClick Add")
      #expect(try app("get fruit.count") == ["3"])
      try app("type name 's'")
      #expect(try app("get fruit.name") == ["\"figs\""])
      try app("select list 2")
      #expect(try app("get list.selectedIndex") == ["2"])
      try app("focus add")
      try app("keys Enter")
      #expect(try app("get fruit.count") == ["4"])
      #expect(try app("keys Ctrl-X") == ["No view handles Ctrl-X."])
    }
  }

  @Test func `names drive in the causes`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form)
      try app("tap add")
      #expect(try app("why fruit.count")[0].hasSuffix("a click on the button \"add\" (drive)"))
      app.runtime.scene?.focus(app.runtime.view(withID: "add"))
      app.runtime.scene?.send(.key(Key(.enter)))
      #expect(try !app("why fruit.count")[0].contains("drive"))
    }
  }

  @Test func `has a focus of its own beside a person's`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form, isAlone: false)
      let scene = try #require(app.runtime.scene)
      scene.focus(app.runtime.view(withID: "name"))
      #expect(throws: TideError.self) { try app("type x") }
      try app("focus add")
      #expect(scene.focused === app.runtime.view(withID: "name"))
      try app("keys Enter")
      #expect(try app("get fruit.count") == ["1"])
      // The same view as the person's.
      try app("type name x")
      try app("type y")
      #expect(try app("get fruit.name") == ["\"figxy\""])
      scene.send(.key(Key("z" as Character)))
      #expect(try app("get fruit.name") == ["\"figxyz\""])
    }
  }

  @Test func `shows its picture and its tree, without what is secret`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form)
      let picture = try app("capture")[0]
      #expect(picture.contains("[ Add ]"))
      #expect(!picture.contains("hidden"))
      let tree = try app("tree").joined(separator: "\n")
      #expect(tree.contains("field #name \"fig\""))
      #expect(!tree.contains("hidden\""))
      #expect(try app("tree add").count == 1)
      for line in ["get secret.text", "get views.secret.text", "why secret.text"] {
        #expect(throws: TideError.self, "\(line)") { try app(line) }
      }
      #expect(try !app("get secret").joined().contains("hidden\""))
      let error = #expect(throws: TideError.self) { try app("assert 'views.secret.text == 1'") }
      #expect(error?.message.contains("hidden") == false)
      // Values that only look like it are not changed.
      #expect(try app("get name.enabled") == ["true"])
      #expect(try app("capture --svg x")[0].hasPrefix("<svg"))
    }
  }

  @Test func `gives values as JSON`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form)
      #expect(try app.json("get fruit.name") == "\"fig\"")
      #expect(try app.json("get models.fruit.count") == "0")
      #expect(try app.json("get fruit.tags") == "[\"a\",\"b\"]")
      #expect(try app.json("eval '1 + 1, nil, true'") == "[2,null,true]")
      #expect(try app.json("eval print") == "\"a function\"")
      #expect(try app.json("errors") == "[]")
    }
  }

  @Test func `is waited for by what changes`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form)
      try app("eval 'after(0.01, function() models.fruit.count = 5 end)'")
      try app("wait 'models.fruit.count == 5'")
      try app("assert 'fruit.count == 5'")
      try app("assert true")
      #expect(throws: TideError.self) { try app("wait false --timeout 0") }
      #expect(try app("why models.fruit.count") == app("why fruit.count"))
      let error = #expect(throws: TideError.self) {
        try app("wait 'models.fruit.count > 5 and models.fruit.name' --timeout 0.01")
      }
      #expect(error?.code == .notTrue)
      #expect(error?.message.contains("models.fruit.count = 5") == true)
      #expect(error?.message.contains("models.fruit.name = \"fig\"") == true)
      let failed = #expect(throws: TideError.self) { try app("assert 'fruit.count.x.y'") }
      #expect(failed?.message.contains("it fails: ") == true, "\(failed?.message ?? "")")
    }
  }

  @Test(arguments: [
    ("tap ad", "did you mean \"add\"?"), ("select list 9", "there are 1 to 3"),
    ("select list x", "a whole number"), ("tap add Strg", "Shift"), ("type shown x", "focusable"),
    ("scroll list x", "whole number"), ("select list -9223372036854775808", "whole number"),
    ("drag list 9223372036854775807", "whole number"), ("capture list --svg x", "is text"),
    ("resize 80", "80 24"), ("keys Entr", "Entr"),
    ("get frut.name", "did you mean \"fruit\"?"), ("set fruit.name 'a", "is not closed"),
    ("why fruit", "fruit.name"), ("wait 'x ='", "expected near"),
  ])
  func `refuses what cannot be, and says why`(line: String, says: String) async throws {
    try await onOwnThread {
      let app = try DrivenApp(Self.form)
      let error = #expect(throws: TideError.self) { try app(line) }
      #expect(error.map { "\($0)".contains(says) } == true, "\(error.map { "\($0)" } ?? "")")
      #expect(try app("get fruit.count") == ["0"])
    }
  }

  @Test func `says that an act has listed an error`() async throws {
    try await onOwnThread {
      let app = try DrivenApp(
        "show(view.button { id = 'bad', title = 'Bad', on = { touchUpInside = function() error 'no' end } })"
      )
      #expect(try app("tap bad") == ["An error was listed; see errors."])
      #expect(try app("errors").count == 1)
    }
  }

  @Test func `is not held up by handlers that loop`() async throws {
    try await onOwnThread {
      var configuration = Runtime.Configuration()
      configuration.lua.turn = .milliseconds(500)
      let app = try DrivenApp(
        """
        show(view.column {
          view.list { id = "list", items = { "a", "b" }, on = { didSelect = function() while true do end end } },
          view.field { id = "name", on = { focus = function() while true do end end } },
          view.button { id = "ok", title = "OK", on = { click = function() while true do end end } },
        })
        """, isAlone: false, configuration)
      for line in ["select list 2", "focus name", "tap ok", "hover list"] { _ = try? app(line) }
      #expect(try app("errors").joined().contains("the turn took too long"))
      #expect(try app("get list.selectedIndex") == ["2"])
    }
  }

  @Test func `ends a wait whose client has gone`() async throws {
    try await onAttachedApp { app, client in
      client.send(#"{"kind":"drive","id":1,"verb":"wait","arguments":["1 == 2"],"timeout":"1000"}"#)
      #expect(app.run { app.runtime.loop.hasWork })
      client.send(#"{"kind":"interrupt"}"#)
      // The interrupt may arrive before the wait has begun.
      let name = client.wait { $0.number("id") == 1 }?.text("name")
      #expect(name == "notTrue" || name == "interrupted")
      #expect(app.run { !app.runtime.loop.hasWork })
    }
  }

  // MARK: The law

  /// The same acts by `drive` and by keys leave the same models, pictures and causes, but for who.
  @Test func `is left as by a person`() async throws {
    try await onOwnThread {
      var random = SeededGenerator("drive")
      for _ in 0..<20 {
        let driven = try DrivenApp(Self.form), used = try DrivenApp(Self.form)
        for _ in 0..<15 {
          let keys = ["Tab", "Shift-Tab", "Enter", "Space", "Down", "Up", "x", "Backspace", "End"]
          let key = keys.randomElement(using: &random) ?? "x"
          try driven("keys \(key)")
          used.runtime.scene?.send(.key(try Key(key)))
          used.runtime.settle()
        }
        for line in ["capture", "get fruit", "why fruit.name", "why fruit.count", "tree"] {
          let found = try driven(line).map { $0.replacing(" (drive)", with: "") }
          #expect(try found == used(line), "\(line)")
        }
      }
    }
  }
}
