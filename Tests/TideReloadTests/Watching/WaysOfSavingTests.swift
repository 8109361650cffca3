import TestFolders
import Testing
import TideBindings
import TideScript
import TideSystem

@testable import TideReload

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// However a program saves, one save is one reload.
@Suite(.serialized) struct `Ways of saving` {
  /// Whether the loop turns between two calls of who saves, and for how long: shorter or longer
  /// than events are gathered.
  enum Pace: Double, CaseIterable {
    case atOnce = 0
    case quick = 0.004
    case slow = 0.03
  }

  @Test(arguments: WayOfSaving.all, Pace.allCases)
  func `each is one reload of what it changed`(way: WayOfSaving, pace: Pace) throws {
    if pace != .atOnce && !way.isOneHoweverSlow { return }
    let app = try SavedApp(way.layout)
    way.save(app.editor(pace: pace.rawValue))
    try expectOneReload(of: app, way)
  }

  @Test(arguments: WayOfSaving.all)
  func `each is one reload where files are looked at again and again`(way: WayOfSaving) throws {
    let app = try SavedApp(way.layout, isPolled: true)
    way.save(app.editor())
    try expectOneReload(of: app, way)
  }

  @Test func `each path may be relative`() throws {
    let app = try SavedApp(.plain, isRelative: true)
    app.editor().run("sed -i s/one/changed/ m1.lua")
    app.wait(forReports: 1)
    #expect(app.changes == [["lib/m1.lua"]])
    #expect(app.shown == "0 changed one one one one one one one")
  }

  @Test(.enabled(if: access("/usr/bin/vim", X_OK) == 0), arguments: ["yes", "no", "auto"])
  func `vim itself saves once`(backupCopy: String) throws {
    let app = try SavedApp(.plain)
    app.editor().run(
      "vim -es -u NONE -i NONE --cmd 'set nocp writebackup backupcopy=\(backupCopy)' "
        + "-c '%s/one/changed/' -c wq m1.lua < /dev/null > /dev/null")
    app.wait(forReports: 1)
    try app.saveFence()
    #expect(app.changes == [["lib/m1.lua"], ["fence.lua"]])
  }

  /// Another save marks the end: what the first one brings about is reported before it, or with it.
  private func expectOneReload(of app: SavedApp, _ way: WayOfSaving) throws {
    let values = (1...8).map { way.changed.contains($0) ? "changed" : "one" }
      .joined(separator: " ")
    var expected: [[String]] = []
    if !way.changed.isEmpty {
      expected.append(way.changed.map { "lib/m\($0).lua" })
      app.wait(forReports: 1)
      #expect(app.changes == expected)
      #expect(app.shown == "0 " + values)
    }
    // A module that is gone is required no more.
    if app.isMissing("m8.lua") { return #expect(app.quietChanges() == []) }
    try app.saveFence()
    #expect(app.changes == expected + [["fence.lua"]])
    #expect(app.shown == "1 " + values)
    #expect(app.errors == [])
  }
}

/// An app of eight modules and a ninth, the fence, which is saved to mark the end of a test.
private final class SavedApp {
  private let folder: ScratchFolder
  private let runtime: Runtime
  private let reloader: Reloader
  private let isPolled: Bool
  private let root: String
  private var reports: [ReloadReport] = []
  private let output = Output()

  private final class Output { var lines: [String] = [] }

  init(_ layout: WayOfSaving.Layout, isPolled: Bool = false, isRelative: Bool = false) throws {
    self.isPolled = isPolled
    folder = try ScratchFolder()
    Self.lay(layout, in: folder)
    root = isRelative ? Self.relative(folder.path) : folder.path
    var configuration = Runtime.Configuration()
    configuration.print = { [output] in output.lines.append($0) }
    if isPolled { configuration.clock = VirtualClock() }
    runtime = try Runtime(file: root + "/app.lua", configuration: configuration)
    let loop = runtime.loop
    reloader =
      isPolled
      ? Reloader(
        runtime,
        SaveWatcher(loop) { () throws(SystemError) in
          throw SystemError("no reports")
        })
      : Reloader(runtime)
    reloader.onReport = { [unowned self] in reports.append($0) }
    reloader.onNotice = { if !isPolled { Issue.record("\($0)") } }
    try runtime.load()
    reloader.start()
  }

  // MARK: Its files

  private static func lay(_ layout: WayOfSaving.Layout, in folder: ScratchFolder) {
    folder.write(
      """
      local parts = { require "fence" }
      for i = 1, 8 do parts[i + 1] = require("lib.m" .. i) end
      print(table.concat(parts, " "))
      """, to: "app.lua")
    folder.write("return 0", to: "fence.lua")
    var home = "lib"
    if layout == .linkedFolder {
      folder.makeFolder("versions")
      folder.makeFolder("versions/2")
      home = "versions/1"
      folder.link("lib", to: home)
    }
    folder.makeFolder(home)
    for number in 1...8 {
      folder.write(WayOfSaving.old, to: "\(home)/m\(number).lua")
      guard layout == .linkedFolder else { continue }
      folder.write(
        number == 1 ? WayOfSaving.new : WayOfSaving.old, to: "versions/2/m\(number).lua")
    }
    if layout == .linkedFile {
      folder.makeFolder("kept")
      folder.rename("lib/m1.lua", to: "kept/m1.lua")
      folder.link("lib/m1.lua", to: "../kept/m1.lua")
    }
  }

  private static func relative(_ path: String) -> String {
    let depth = WorkingFolder.path.split(separator: "/").count
    return String(repeating: "../", count: depth) + path.dropFirst()
  }

  func editor(pace: Double = 0) -> Editor {
    Editor(in: folder.path + "/lib") { [unowned self] in
      if pace > 0 { turn(for: pace) }
    }
  }

  func isMissing(_ name: String) -> Bool { access(folder.path + "/lib/" + name, F_OK) != 0 }

  func saveFence() throws {
    let count = reports.count
    folder.write("return 1 -- the end", to: "fence.lua")
    wait(forReports: count + 1)
  }

  // MARK: What came of it

  /// The files that each reload was for, from the app's folder.
  var changes: [[String]] {
    reports.map { $0.changed.map { String($0.dropFirst(root.count + 1)) } }
  }

  var shown: String? { output.lines.last }

  var errors: [String] { reports.compactMap { $0.error?.message } }

  func wait(forReports count: Int) {
    if isPolled { return runtime.loop.advance(by: 2) }
    let end = runtime.loop.now() + 20
    while reports.count < count, runtime.loop.now() < end { runtime.loop.turn(timeout: 0.1) }
  }

  /// The changes after a while in which there should be none.
  func quietChanges() -> [[String]] {
    if isPolled { runtime.loop.advance(by: 2) } else { turn(for: 0.1) }
    return changes
  }

  private func turn(for seconds: Double) {
    let end = runtime.loop.now() + seconds
    while runtime.loop.now() < end { runtime.loop.turn(timeout: end - runtime.loop.now()) }
  }
}
