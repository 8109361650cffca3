import Glibc
import Tidelock

/// Clients that use servers at random for a long time: tenants come, go, misbehave and wait, and
/// clients go away. In each round a server is made, used and shut down.
struct Soak {
  private static let clients = 32, names = 24, rounds = 24
  private static let limit = Duration.milliseconds(500)

  let script: String
  let seed: UInt64
  private let waits = Waits()
  private let counts = Counts()

  init(script: String, seed: UInt64) {
    self.script = script
    self.seed = seed
  }

  /// Prints figures after each round. Exits with 1 where memory or descriptors grow, or a wait
  /// outlasts its deadline.
  func run(for time: Duration) async {
    print("seed \(seed), \(Self.rounds) rounds in \(time)")
    let timer = waits.watch()
    defer { timer.cancel() }
    var early: Usage?
    for round in 1...Self.rounds {
      await turn(round, for: time / Self.rounds)
      let usage = Usage()
      print(
        "round \(round): \(counts.text), \(usage.memory >> 10) MiB, "
          + "\(usage.descriptors) descriptors, latest by \(max(.zero, waits.longest))")
      // A quarter of the time is for what is made once.
      if round == Self.rounds / 4 { early = usage }
    }
    guard let early else { return }
    let late = Usage()
    var failures: [String] = counts.failures
    if late.memory > early.memory * 5 / 4 + 16 << 10 {
      failures.append("memory grew from \(early.memory) KiB to \(late.memory) KiB")
    }
    if late.descriptors > early.descriptors {
      failures.append("descriptors grew from \(early.descriptors) to \(late.descriptors)")
    }
    if waits.longest > Waits.slack { failures.append("a wait was late by \(waits.longest)") }
    for failure in failures.prefix(10) { print("FAILED", failure) }
    if !failures.isEmpty { exit(1) }
    print("memory, descriptors and waits as they should be")
  }

  private func turn(_ round: Int, for time: Duration) async {
    let server = Server(), end = ContinuousClock.now + time
    await withDiscardingTaskGroup { group in
      for client in 0..<Self.clients {
        group.addTask {
          var random = Dice(seed: seed &+ UInt64(round * Self.clients + client))
          while ContinuousClock.now < end { await act(on: server, &random) }
        }
      }
      // The last clients find it closed.
      group.addTask {
        try? await Task.sleep(for: time * 9 / 10)
        await waits.measure(Self.limit) { await server.shutDown() }
      }
    }
  }

  /// One thing that a client does.
  private func act(on server: Server, _ random: inout Dice) async {
    let name = "tenant\(random.below(Self.names))"
    switch random.below(40) {
    case 0..<4: await server.admit(name, script: script)
    case 4: await waits.measure(Self.limit) { await server.dismiss(name) }
    case 5: await request(name, "loop", of: server)
    case 6: await request(name, ["hoard", "catch", "totl"][random.below(3)], of: server)
    case 7: await request(name, "forget", of: server)
    case 8..<12: await leave(name, ["forget", "total", "loop"][random.below(3)], server, &random)
    default: await request(name, "total", of: server)
    }
  }

  private func request(_ name: String, _ function: String, of server: Server) async {
    let response = await waits.measure(Self.limit) {
      await server.answer(name, function, within: Self.limit)
    }
    counts.add(response)
    // Nothing to do here but to come back.
    if response == .closed || response == .unknown { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// A client that goes away before it has its answer.
  private func leave(
    _ name: String, _ function: String, _ server: Server, _ random: inout Dice
  ) async {
    let client = Task { await request(name, function, of: server) }
    try? await Task.sleep(for: .microseconds(random.below(5_000)))
    client.cancel()
    await client.value
  }
}
