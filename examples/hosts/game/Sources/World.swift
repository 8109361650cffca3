import FoundationEssentials
import Tidelock

/// The drones and the scripts that move them. In each frame scripts get a part of its time and no
/// more, whatever they do.
@MainActor final class World {
  static let frame = Duration.nanoseconds(16_666_667)
  private static let script = LuaBudget(time: .milliseconds(10))
  private static let guest = LuaBudget(time: .milliseconds(2))

  let drones: [Drone]
  /// How many frames had no time to move all drones.
  private(set) var unfinished = 0
  private let runtime: Runtime
  private let update: LuaFunction
  // Nil once it is left out.
  private var mod: LuaFunction?
  private var strikes = 0

  init(script: String, drones count: Int) throws {
    drones = (0..<count).map { Drone(number: $0) }
    runtime = try Runtime(
      app: URL(filePath: script), configuration: .init(memory: .megabytes(64)))
    try runtime.load()
    // Looked up once, because each frame calls them.
    update = try runtime.evaluate("update", as: LuaFunction.self)
    mod = try runtime.evaluate("mod", as: LuaFunction.self)
    try runtime.evaluate("adopt", as: LuaFunction.self).call(drones, as: Void.self)
  }

  /// One frame of the game.
  func turn(_ number: Int) throws {
    do { try update.call(1.0 / 60, as: Void.self, budget: Self.script) } catch let error as LuaError
      where error.kind == .time
    {
      unfinished += 1
    }
    runMod(number)
    // Timers, tasks, and what other threads have sent.
    runtime.settle()
  }

  /// Runs what a guest has written, as long as it behaves.
  private func runMod(_ frame: Int) {
    do {
      try mod?.call(frame, as: Void.self, budget: Self.guest)
      strikes = 0
    } catch {
      strikes += 1
      guard strikes == 3 else { return }
      mod = nil
      let isSlow = (error as? LuaError)?.kind == .time
      print("the mod is left out: \(isSlow ? "it is slow" : "\(error)")")
    }
  }

  func end() { runtime.end() }
}
