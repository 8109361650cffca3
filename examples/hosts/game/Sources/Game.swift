import Tidelock

/// A loop of its own, 60 times a second, in which scripts move ten thousand drones.
///
///     swift run Game game.lua 90 --figures
@main @MainActor struct Game {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let frames = arguments.dropFirst().first.flatMap { Int($0) } ?? 90
    let world = try World(script: arguments.first ?? "game.lua", drones: 10_000)
    let before = world.drones.map(\.x)

    let clock = ContinuousClock()
    var next = clock.now, spent: [Duration] = []
    for frame in 1...max(1, frames) {
      let start = clock.now
      try world.turn(frame)
      spent.append(start.duration(to: clock.now))
      // Here a game draws.
      next += World.frame
      try await Task.sleep(until: next, clock: clock)
    }

    let moved = zip(world.drones, before).filter { $0.x != $1 }.count
    let isInside = world.drones.allSatisfy { (0...100).contains($0.x) }
    print("\(moved) of \(world.drones.count) drones have moved")
    print(isInside ? "none has left the field" : "some have left the field")
    if arguments.contains("--figures") {
      let sorted = spent.sorted()
      print("a frame takes \(sorted[sorted.count / 2]), at most \(sorted[sorted.count - 1])")
      print("\(world.unfinished) frames had no time for all drones")
    }
    world.end()
  }
}
