import FoundationEssentials
import Terminal
import TideViews
import Tidelock

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An app in a folder of its own, watched as `tidelock run` watches it, on a terminal that nobody
/// looks at: a main script that requires all modules and shows something of the first of them, and
/// modules that bind the properties of one model of theirs to those of another.
@MainActor
final class ModularApp {
  let runtime: Runtime
  let scene: Scene
  private let folder: URL
  private let bindings: Int
  private let reloader: Reloader
  private let terminal: HiddenTerminal
  private var reports: [ReloadReport] = []
  private(set) var version = 0

  struct Failure: Error { let message: String }

  /// - Parameter bindings: of each module.
  init(modules: Int, bindings: Int) throws {
    self.bindings = bindings
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tidelock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let main = folder.appending(path: "app.lua")
    try Data(Self.mainText(modules).utf8).write(to: main)
    for number in 1...modules {
      try Data(Self.moduleText(number, bindings, version: 0).utf8)
        .write(to: folder.appending(path: "m\(number).lua"))
    }
    // However slow the machine is just now.
    runtime = try Runtime(app: main, configuration: Runtime.Configuration(turn: nil))
    reloader = Reloader(runtime)
    try runtime.load()
    guard let scene = runtime.scene else { throw Failure(message: "nothing is shown") }
    self.scene = scene
    terminal = try HiddenTerminal(columns: 80, rows: 24)
    try scene.mount(terminal.renderer)
    reloader.onReport = { [unowned self] in reports.append($0) }
    reloader.onNotice = { print($0) }
    reloader.start()
    // Files that were written just before they were read are looked at again.
    let end = ContinuousClock.now + .milliseconds(100)
    while ContinuousClock.now < end { runtime.loop.turn(timeout: 0.02) }
    reports = []
  }

  /// Ends the app and removes its folder.
  func close() {
    reloader.stop()
    scene.unmount()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes another version of some modules, in place as many editors do.
  func save(_ modules: ClosedRange<Int>) throws {
    version += 1
    for number in modules {
      let path = folder.appending(path: "m\(number).lua").path
      guard let file = fopen(path, "w") else { throw Failure(message: "\(path) is not writable") }
      fputs(Self.moduleText(number, bindings, version: version), file)
      fclose(file)
    }
  }

  /// Waits for the reload that a save brings about, and draws its frame.
  func show() throws -> ReloadReport {
    while reports.isEmpty { runtime.loop.turn() }
    runtime.settle()
    try scene.commit()
    guard reports.count == 1, let report = reports.popLast() else {
      throw Failure(message: "one save led to \(reports.count) reloads")
    }
    if let error = report.error { throw error }
    return report
  }

  /// Whether the frame shows the last version.
  var isCurrent: Bool { scene.window.snapshot().hasPrefix("1: version \(version) ") }

  /// As many modules as a screen has lines are looked at.
  private static func mainText(_ modules: Int) -> String {
    """
    local lines = {}
    for i = 1, \(modules) do
      local module = require("m" .. i)
      if i <= 24 then
        lines[i] = view.label {
          text = function() return i .. ": version " .. module.version .. " " .. module.shown.p1 end
        }
      end
    end
    return view.column(lines)
    """
  }

  private static func moduleText(_ number: Int, _ bindings: Int, version: Int) -> String {
    """
    local held, shown = {}, {}
    for i = 1, \(bindings) do held["p" .. i], shown["p" .. i] = i, 0 end
    held, shown = model "held\(number)" (held), model "shown\(number)" (shown)
    for i = 1, \(bindings) do bind("p" .. i .. " -> p" .. i, held, shown) end
    return { version = \(version), shown = shown }
    """
  }
}
