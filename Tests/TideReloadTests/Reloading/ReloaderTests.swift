import TestFolders
import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideReload

@Suite(.serialized) struct ReloaderTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// An app that is watched, and what came of its saves.
  private final class App {
    let runtime: Runtime
    let reloader: Reloader
    var reports: [ReloadReport] = []
    /// What was said of saves that wait.
    var waits: [Bool] = []
    var printed: [String] { output.lines }
    private let output = Output()

    final class Output { var lines: [String] = [] }

    init(_ path: String) throws {
      var configuration = Runtime.Configuration()
      configuration.print = { [output] in output.lines.append($0) }
      runtime = try Runtime(file: path, configuration: configuration)
      reloader = Reloader(runtime)
      reloader.onReport = { [unowned self] in reports.append($0) }
      reloader.onNotice = { Issue.record("\($0)") }
      reloader.start()
    }

    func load() throws { try runtime.load() }

    /// Presses keys in the question that is open, as a person does.
    func answer(pressing keys: String = "Enter") throws {
      for key in try Key.sequence(keys) {
        runtime.settle()
        try runtime.scene?.commit()
        runtime.scene?.send(.key(key))
      }
      runtime.settle()
    }

    /// Turns the loop until a condition holds.
    func turn(
      until condition: () -> Bool, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
      let end = runtime.loop.now() + 10
      repeat { runtime.loop.turn(timeout: 0.1) } while !condition() && runtime.loop.now() < end
      #expect(condition(), sourceLocation: sourceLocation)
    }

    func wait(forReports count: Int, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
      let end = runtime.loop.now() + 10
      while reports.count < count, runtime.loop.now() < end { runtime.loop.turn(timeout: 0.1) }
      #expect(reports.count == count, sourceLocation: sourceLocation)
    }
  }

  @Test func `a save runs the app anew and keeps its models`() throws {
    let path = folder.write("model 'm' { n = 1 }.n = 5", to: "app.lua")
    let app = try App(path)
    try app.load()
    folder.write("print(model 'm' { n = 1 }.n)", to: "app.lua")
    app.wait(forReports: 1)
    #expect(app.printed == ["5"])
    #expect(app.reports.first?.changed == [path])
    #expect(app.reports.first?.error == nil)
    #expect(app.reports.first?.line.hasPrefix("reloaded 1 of 1 modules in ") == true)
    #expect(app.reports.first?.line.hasSuffix(" ms: kept 1, reset 0, disposed 0") == true)
  }

  @Test func `a save of a module counts, where watching began before the loading`() throws {
    folder.write("return 1", to: "part.lua")
    let app = try App(folder.write("print((require 'part'))", to: "app.lua"))
    try app.load()
    folder.write("return 2", to: "part.lua")
    app.wait(forReports: 1)
    #expect(app.printed == ["1", "2"])
  }

  @Test func `a save of a module counts that a handler requires later`() throws {
    folder.write("return 1", to: "part.lua")
    let app = try App(
      folder.write("function later() print(require 'part') end", to: "app.lua"))
    try app.load()
    app.runtime.loop.turn(timeout: 0)
    try app.runtime.evaluate("later()", as: Value.self)
    app.runtime.loop.turn(timeout: 0)
    folder.write("return 2", to: "part.lua")
    app.wait(forReports: 1)
    #expect(app.reports.first?.changed.first?.hasSuffix("part.lua") == true)
  }

  @Test func `a failed save says why, and the next good one counts`() throws {
    let path = folder.write("print 'one'", to: "app.lua")
    let app = try App(path)
    try app.load()
    folder.write("print(", to: "app.lua")
    app.wait(forReports: 1)
    #expect(app.reports.first?.error?.location?.file == path)
    #expect(app.reports.first?.line == "not reloaded: the old version keeps running")
    folder.write("print 'two'", to: "app.lua")
    app.wait(forReports: 2)
    #expect(app.printed == ["one", "two"])
  }

  @Test func `a version that requires a file which is gone is no good until that is back`() throws {
    folder.write("return { n = 1 }", to: "part.lua")
    let path = folder.write("local part = require 'part' print(part.n)", to: "app.lua")
    let app = try App(path)
    try app.load()
    folder.remove("part.lua")
    folder.write("local part = require 'part' print(part.n + 1)", to: "app.lua")
    app.wait(forReports: 1)
    #expect(app.reports.first?.error?.message.contains("there is no module \"part\"") == true)
    folder.write("return { n = 1 }", to: "part.lua")
    app.wait(forReports: 2)
    #expect(app.reports.last?.error == nil)
    #expect(app.printed == ["1", "2"])
  }

  @Test func `a broken first version is fixed by a save`() throws {
    let path = folder.write("print(", to: "app.lua")
    let app = try App(path)
    #expect(throws: TideError.self) { try app.runtime.load() }
    folder.write("print 'fixed'", to: "app.lua")
    app.wait(forReports: 1)
    #expect(app.printed == ["fixed"])
  }

  @Test func `a module that comes with a save is watched too`() throws {
    let path = folder.write("print 'alone'", to: "app.lua")
    let app = try App(path)
    try app.load()
    folder.write("return 'one'", to: "words.lua")
    folder.write("print((require 'words'))", to: "app.lua")
    app.wait(forReports: 1)
    folder.write("return 'two'", to: "words.lua")
    app.wait(forReports: 2)
    #expect(app.printed == ["alone", "one", "two"])
    #expect(app.reports.last?.line.hasPrefix("reloaded 2 of 2 modules in ") == true)
  }

  @Test func `a module that is saved right after it was read counts`() throws {
    folder.write("return 'one'", to: "words.lua")
    let path = folder.write("print((require 'words'))", to: "app.lua")
    let app = try App(path)
    try app.runtime.load()
    // Before anybody knows that it is to be watched.
    folder.write("return 'two'", to: "words.lua")
    app.reloader.start()
    app.wait(forReports: 1)
    #expect(app.printed == ["one", "two"])
  }

  @Test func `a reset drops the state`() throws {
    let path = folder.write("local m = model 'm' { n = 1 } print(m.n) m.n = 5", to: "app.lua")
    let app = try App(path)
    try app.load()
    app.reloader.reload()
    app.reloader.reset()
    #expect(app.printed == ["1", "5", "1"])
    #expect(app.reports.map(\.isReset) == [false, true])
  }

  @Test func `nothing is reloaded after stop`() throws {
    let path = folder.write("print 'one'", to: "app.lua")
    let app = try App(path)
    try app.load()
    app.reloader.stop()
    folder.write("print 'two'", to: "app.lua")
    let end = app.runtime.loop.now() + 0.2
    while app.runtime.loop.now() < end { app.runtime.loop.turn(timeout: 0.05) }
    #expect(app.printed == ["one"])
  }

  // MARK: Questions

  private static let asking = """
    spawn(function() print(ask { text = "One?" }) print(ask { text = "Two?" }) end)
    return view.label { text = "below" }
    """

  /// An app with an open question, whose first save waits for the answer.
  private func waiting(_ script: String = ReloaderTests.asking) throws -> (app: App, path: String) {
    let path = folder.write(script, to: "app.lua")
    let app = try App(path)
    app.reloader.onWaiting = { app.waits.append($0) }
    try app.load()
    app.runtime.settle()
    #expect(app.runtime.isAskingQuestion)
    folder.write("print 'saved'", to: "app.lua")
    app.turn { app.waits == [true] }
    return (app, path)
  }

  @Test func `a save while a question is open waits until it is answered, and says so`() throws {
    let (app, path) = try waiting("spawn(function() print(ask { text = 'Sure?' }) end)")
    #expect(app.reports.isEmpty && app.runtime.isAskingQuestion)
    try app.answer()
    app.wait(forReports: 1)
    #expect(app.printed == ["OK", "saved"])
    #expect(app.waits == [true, false])
    #expect(app.reports.first?.changed == [path])
  }

  @Test func `a save waits for the answers to all questions, and further saves with it`() throws {
    let (app, path) = try waiting()
    let other = folder.write("return 1", to: "other.lua")
    folder.write("print('again', (require 'other'))", to: "app.lua")
    try app.answer()
    app.turn { app.runtime.isAskingQuestion && app.printed == ["OK"] }
    #expect(app.reports.isEmpty && app.waits == [true])
    try app.answer()
    app.wait(forReports: 1)
    #expect(app.printed == ["OK", "OK", "again\t1"])
    #expect(app.reports.first?.changed == [path])
    folder.write("return 2", to: "other.lua")
    app.wait(forReports: 2)
    #expect(app.reports.last?.changed.first == other)
  }

  @Test func `a save waits no more when the question is gone with its task`() throws {
    let (app, _) = try waiting(
      "task = spawn(function() print(ask { text = 'Sure?' }) end)")
    try app.runtime.evaluate("task:cancel()", as: Value.self)
    app.wait(forReports: 1)
    #expect(app.printed == ["saved"])
  }

  @Test func `a reload by hand ends the question, and nothing waits any more`() throws {
    let (app, _) = try waiting()
    app.reloader.reload()
    #expect(app.printed == ["saved"] && !app.runtime.isAskingQuestion)
    #expect(app.waits == [true, false])
    app.turn { true }
    #expect(app.reports.count == 1)
  }

  @Test func `a save does not wait for a question that nobody sees`() throws {
    let path = folder.write(Self.asking, to: "app.lua")
    let app = try App(path)
    app.reloader.waitsForAnswers = false
    try app.load()
    folder.write("print 'saved'", to: "app.lua")
    app.wait(forReports: 1)
    #expect(app.printed == ["saved"])
  }

  @Test func `a save that waits when the app is to end is run only if the app stays`() throws {
    let (app, _) = try waiting()
    app.runtime.exitCode = 0
    try app.answer()
    try app.answer()
    app.turn { app.printed == ["OK", "OK"] }
    #expect(app.reports.isEmpty && app.waits == [true])
    // As where a handler of `willQuit` has it stay.
    app.runtime.exitCode = nil
    app.wait(forReports: 1)
    #expect(app.printed == ["OK", "OK", "saved"])
  }
}

@Suite struct `Reports of a runtime` {
  @Test func `tell of reloads and errors, in order, and end with it`() async throws {
    var reports: AsyncStream<RuntimeReport>?
    do {
      let app = try ReloadedApp(["app.lua": "effect(function() end)"])
      reports = app.runtime.reports
      app.save(["app.lua": "print 'good'"])
      app.save(["app.lua": "print("])
      try app.run("effect(function() error 'listed' end)")
    }
    var lines: [String] = []
    for await report in try #require(reports) {
      switch report {
      case .reload(let reload): lines.append(reload.error == nil ? "good" : "bad")
      case .error(let error): lines.append(error.message)
      }
    }
    #expect(lines.count == 3)
    #expect(lines.prefix(2) == ["good", "bad"])
    #expect(lines.last?.contains("listed") == true)
  }
}
