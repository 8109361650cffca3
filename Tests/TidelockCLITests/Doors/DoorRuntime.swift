import TestFolders
import AttackFiles
import Glibc
import OwnThread
import Synchronization
import TideBindings
import TideGraph
import TideLua
import TideREPL
@testable import TideReload
import TideRun
@testable import TideScript
import TideStore
import TideSystem
import TideViews
import TideWeb

/// Lets attacks come in at a door of a runtime within the test's process, which must live on.
///
/// Call it on a thread of its own: it turns the runtime's loop.
final class DoorRuntime {
  private let assault: Assault
  private let folder: ScratchFolder
  private let runtime: Runtime
  private let seen = Seen()
  private let shared = SharedModels()

  /// What the runtime has told of.
  private final class Seen {
    var lines: [String] = []
    var errors: [TideError] = []
    var failure: TideError?

    func note(_ line: String) { if lines.count < 200 { lines.append(line) } }
    func note(_ error: TideError) { if errors.count < 100 { errors.append(error) } }
  }

  init(_ assault: Assault) throws {
    self.assault = assault
    folder = try ScratchFolder()
    folder.write(assault.app, to: "app.lua")
    for module in assault.modules { folder.write(module.text, to: module.name) }
    var configuration = Runtime.Configuration()
    configuration.shared = shared
    configuration.lua.turn = .seconds(assault.turn)
    configuration.lua.memory = Assault.memory
    // In memory, since the app's folder is not the working one.
    if assault.needsStore {
      configuration.addStores()
      configuration.takesStubs = true
    }
    configuration.print = { [seen] line in
      // One that prints for ever must not crowd out what matters.
      if line.utf8.count < 100 && line != "x" { seen.note(line) }
      if line == Assault.token { seen.lines = [line] }
    }
    runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    runtime.onError = { [seen] in seen.note($0) }
  }

  /// What is wrong with the runtime after the attacks; nothing when all is well.
  func faults() throws -> [String] {
    do { try runtime.load() } catch {
      seen.failure = TideError(wrapping: error, graph: runtime.graph)
    }
    // Says so itself when it goes on too long, unless nothing turns the loop any more.
    runtime.loop.after(20, keepsRunning: false) { [unowned runtime] in runtime.exit(9) }
    if seen.failure == nil { try enter() }
    return judge().map { "\($0); \(seen.lines.suffix(3)) \(seen.errors.prefix(2))" }
  }

  // MARK: Entering

  private func enter() throws {
    switch assault.door.entry {
    case .keys(let keys): try press(keys)
    case .assigned:
      for number in 0..<assault.attacks.count + 2 {
        attempt { try runtime.set("door.n", to: "\(number + 1)") }
      }
    case .saves, .replaces, .changes: save()
    case .evaluate:
      for attack in assault.attacks {
        attempt { try runtime.evaluate(attack.source, as: Value.self) }
      }
      return prove()
    case .call:
      for attack in assault.attacks {
        attempt { _ = try runtime.lua.load(attack.source, name: "@" + attack.name).call([]) }
      }
      return prove()
    case .coroutine:
      for attack in assault.attacks { attempt { try resume(attack) } }
      return prove()
    case .send: try write()
    case .page: return try serve()
    case .sharing: return try share()
    case .inspector(let look): inspect(look)
    default: break
    }
    _ = try runtime.runUntilExit(TextRenderer(size: Size(width: 80, height: 24)))
  }

  private func press(_ keys: [String]) throws {
    let loop = AppLoop(runtime, TextRenderer(size: Size(width: 80, height: 24)))
    defer { loop.close() }
    try loop.catchUp()
    let again = Array(repeating: keys.last ?? "", count: assault.attacks.count + 2)
    for key in try Key.sequence((keys.dropLast() + again).joined(separator: " ")) {
      if runtime.exitCode != nil { return }
      try loop.send(.key(key))
    }
  }

  private func save() {
    guard let file = assault.savedFile else { return }
    for version in 1...assault.lastVersion where runtime.lua.isOpen && runtime.exitCode == nil {
      folder.write(assault.version(version), to: file)
      _ = runtime.reload(changed: [folder.path + "/" + file])
      for _ in 0..<3 { runtime.turn(timeout: 0.001) }
    }
  }

  private func resume(_ attack: Attack) throws {
    let function = try runtime.lua.load(attack.source, name: "@" + attack.name)
    let thread = try runtime.lua.thread(running: function)
    for _ in 0..<5 {
      guard case .yielded = try thread.resume() else { return }
    }
    try thread.close()
  }

  /// Writes from another thread, until the app ends.
  private func write() throws {
    let sender = runtime.sender
    let count = assault.attacks.count + 2
    spawnThread {
      for number in 1...count {
        sender.send { try? $0.models["door"]?.set("n", .integer(number)) }
        usleep(2000)
      }
      sender.send {
        let entries = $0.models["door"]?["entries"]
        if entries == .integer(2) || entries == .integer(count) {
          $0.configuration.print(Assault.token)
        }
        $0.exit(Assault.code)
      }
    }
  }

  /// A viewer comes from another thread, until the app ends.
  private func serve() throws {
    let service = try WebService(WebOptions())
    try service.start(for: runtime)
    defer { service.stop() }
    let (address, entry) = (service.url, assault.door.entry)
    spawnThread {
      guard let viewer = try? DoorViewer(address) else { return }
      var number = 0
      while !viewer.hasEnded {
        number += 1
        viewer.act(entry, number)
        usleep(2000)
      }
    }
    _ = try runtime.runUntilExit(service.renderer)
  }

  /// Another app on a thread of its own writes the same model, until this one ends.
  private func share() throws {
    let (shared, isOver) = (shared, Flag())
    spawnThread {
      var configuration = Runtime.Configuration()
      configuration.shared = shared
      guard let other = try? Runtime(file: "other.lua", configuration: configuration) else {
        return
      }
      _ = try? other.evaluate(Assault.sharer, as: Value.self)
      while !isOver.isUp { other.turn(timeout: 0.01) }
      other.end()
    }
    defer { isOver.raise() }
    _ = try runtime.runUntilExit(TextRenderer(size: Size(width: 80, height: 24)))
  }

  private final class Flag: Sendable {
    private let state = Atomic(false)

    var isUp: Bool { state.load(ordering: .relaxed) }
    func raise() { state.store(true, ordering: .relaxed) }
  }

  /// Somebody looks into the app in between.
  private func inspect(_ look: Door.Entry.Look) {
    let app = InspectedApp(runtime, name: "app")
    // All of it is on the app's thread.
    nonisolated(unsafe) let inspector = DoorInspector(assault, look)
    app.connect(1) { inspector.take($0) }
    runtime.loop.after(0.002, repeating: true) {
      if let request = inspector.next() { app.ask(1, request) }
    }
  }

  /// A host's own calls show that the runtime goes on.
  private func prove() {
    attempt {
      let source = "after(0.001, function() print \"\(Assault.token)\" exit(\(Assault.code)) end)"
      // The attack may have taken the names from the globals.
      try runtime.evaluate(
        "local tidelock = require \"tidelock\" tidelock."
          + source
          .replacing("exit(", with: "tidelock.exit("), as: Value.self)
    }
    _ = try? runtime.runUntilExit()
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { seen.note(TideError(wrapping: error, graph: runtime.graph)) }
  }

  // MARK: Judging

  private func judge() -> [String] {
    if !runtime.lua.isOpen {
      return assault.mayBeGivenUp ? [] : ["it was given up"]
    }
    let broken = runtime.graph.brokenInvariants()
    if !broken.isEmpty { return ["the graph: \(broken)"] }
    if assault.mayBeLast { return [] }
    if assault.door.entry == .main, seen.failure != nil { return [] }
    if let failure = seen.failure { return ["it did not begin: \(failure)"] }
    if !seen.lines.contains(Assault.token) { return ["it does not go on"] }
    return runtime.exitCode == Assault.code ? [] : ["it ended with \(runtime.exitCode ?? -1)"]
  }
}
