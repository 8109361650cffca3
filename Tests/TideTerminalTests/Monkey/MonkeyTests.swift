import Foundation
import Fuzzing
import Glibc
import Testing
import Tidelock
import TideReload
import VirtualTerminals

@testable import Monitor
@testable import TideTerminal
@testable import TideViews

extension TerminalSuites {
  /// Random keys, mouse, pastes and sizes against every example.
  @Suite struct MonkeyTests {

    @Test func `what a monkey found before is well`() {
      for (file, input) in FuzzRun.found(by: "views") {
        let fault = Monkey.play(input)
        #expect(fault == nil, "\(file)")
      }
    }

    @Test func `whatever a monkey does, the terminal shows what the app is`() {
      var random = SeededGenerator(seed: FuzzRun.seed(of: "views"))
      var run = FuzzRun("views", stepsInSuite: 14)
      // The first byte chooses the app.
      let found = run.firstFault(
        sizes: 10...200, takesTurns: true, using: &random
      ) { Monkey.play($0) }
      if let found { Issue.record("\(found.text)") }
    }
  }
}

/// Plays with an app as nobody would: bytes into a pseudo-terminal, and what comes out of it into a
/// terminal in memory, which must show what the app is.
///
/// ```swift
/// let fault = Monkey.play([3, 1, 4, 1, 5])    // nil when all is well
/// ```
///
/// The first byte of a case chooses the app, the second what the terminal can show, and the rest
/// the steps. After each step `MonkeyChecks` looks at everything.
final class Monkey {
  static let apps = ["converter", "feed", "fruit", "gallery", "monitor", "people", "todo"]
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples")

  let runtime: Runtime
  private(set) var scene: Scene
  let renderer: TerminalRenderer
  let capabilities: TerminalCapabilities
  let screen: VirtualTerminal
  private let name: String
  private var dashboard: Dashboard?
  private let terminal: PseudoTerminal
  private let reader: TerminalReader
  private let reloader: Reloader
  /// What was done so far.
  private var log: [String] = []

  /// Plays a case, and says what went wrong.
  static func play(_ input: [UInt8]) -> String? {
    var source = ByteSource(input)
    let name = source.pick(apps)
    let capabilities = source.pick([
      .full, .full, TerminalCapabilities(colors: .ansi8),
      TerminalCapabilities(colors: .none, isUnicode: false, hasKeyProtocol: false),
    ])
    do {
      let monkey = try Monkey(name, capabilities)
      return try monkey.play(MonkeyInput(source, size: monkey.screen.size))
    } catch {
      return "\(name): \(error)"
    }
  }

  private init(_ name: String, _ capabilities: TerminalCapabilities) throws {
    self.name = name
    self.capabilities = capabilities
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.printBytes = { _ in }
    let app = Self.folder.appending(path: "\(name)/app.lua")
    if name == "monitor" {
      let recorded = Self.folder.appending(path: "monitor/recorded").path
      let dashboard = try Dashboard(
        app: app, source: .recorded(in: recorded), configuration: configuration)
      dashboard.step(every: 1)
      runtime = dashboard.runtime
      self.dashboard = dashboard
    } else {
      runtime = try Runtime(app: app, configuration: configuration)
    }
    try runtime.load()
    scene = runtime.scene ?? Scene()
    terminal = try PseudoTerminal()
    reader = TerminalReader(terminal)
    screen = VirtualTerminal(size: Size(width: 80, height: 24))
    renderer = TerminalRenderer(
      input: terminal.slave, output: terminal.slave, capabilities: capabilities,
      handlesSignals: false, capturesOutput: false)
    renderer.timeOfTurn = .infinity
    reloader = Reloader(runtime)
    runtime.onError = { [renderer] in renderer.log("\($0)") }
    try scene.mount(renderer)
  }

  deinit { scene.unmount() }

  private func play(_ input: MonkeyInput) throws -> String? {
    var input = input
    if let fault = try settle() { return report(fault) }
    while runtime.exitCode == nil, let step = input.next() {
      log.append("\(step)")
      take(step)
      if let fault = try settle() { return report(fault) }
    }
    scene.unmount()
    guard let bytes = reader.output() else { return report("the terminal took no more") }
    screen.feed(bytes)
    if !screen.modes.isEmpty { return report("left behind: \(screen.modes.sorted())") }
    return terminal.isCooked ? nil : report("the terminal stays raw")
  }

  private func report(_ fault: String) -> String {
    "\(name): \(fault)\n  after " + log.suffix(40).joined(separator: ", ")
  }

  private func take(_ step: MonkeyStep) {
    switch step {
    case .type(_, let bytes): type(bytes)
    case .wait(let seconds): runtime.loop.advance(by: seconds)
    case .reload: reloader.reload()
    case .reset: reloader.reset()
    case .overlay(let isShown): renderer.overlay = isShown ? ["Over", "everything 漢"] : nil
    case .status(let number):
      renderer.status = number == 0 ? nil : StatusLine("status \(number)", hint: "? keys")
    case .resize(let size):
      terminal.resize(columns: UInt16(size.width), rows: UInt16(size.height))
      screen.resize(size)
      // The pseudo-terminal belongs to no session, so nobody is sent the signal.
      renderer.takeSize()
    }
  }

  private func type(_ bytes: [UInt8]) { terminal.hand(bytes, to: renderer) }

  /// Lets the app do what is due, draws, and looks at everything.
  private func settle() throws -> String? {
    runtime.settle()
    if let current = runtime.scene, current !== scene {
      scene.unmount()
      scene = current
      try scene.mount(renderer)
    }
    for _ in 0..<5 where scene.needsFrame {
      try scene.commit()
      runtime.settle()
    }
    guard let bytes = reader.output() else { return "the terminal took no more" }
    screen.feed(bytes)
    return MonkeyChecks(monkey: self).fault()
  }
}
