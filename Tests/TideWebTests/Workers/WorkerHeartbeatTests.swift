import Fuzzing
import Testing

@testable import TideWeb

@Suite struct WorkerHeartbeatTests {
  private let patience = 10.0

  /// A heartbeat whose worker has said that it is ready.
  private func ready() -> WorkerHeartbeat {
    var heartbeat = WorkerHeartbeat(at: 0)
    heartbeat.answer(isPong: true, owesMore: false, at: 0)
    return heartbeat
  }

  @Test func `a worker that never begins is given up`() {
    var heartbeat = WorkerHeartbeat(at: 0)
    for second in 1...10 {
      #expect(heartbeat.beat(at: Double(second), patience: patience) == .wait)
    }
    #expect(heartbeat.beat(at: 11, patience: patience) == .giveUp)
  }

  @Test func `a worker that has read its only message is asked again`() {
    var heartbeat = ready()
    heartbeat.ask(at: 0.5)
    heartbeat.answer(isPong: false, owesMore: false, at: 0.6)
    #expect(heartbeat.beat(at: 1, patience: patience) == .ask)
  }

  @Test func `a page that goes with an unread message leaves a question behind`() {
    var heartbeat = ready()
    heartbeat.ask(at: 0.5)
    #expect(heartbeat.beat(at: 1, patience: patience) == .ask)
    heartbeat.answer(isPong: true, owesMore: false, at: 1.1)
    #expect(heartbeat.beat(at: 2, patience: patience) == .ask)
  }

  @Test func `a server that was kept from running judges nobody by that`() {
    var heartbeat = ready()
    #expect(heartbeat.beat(at: 1, patience: patience) == .ask)
    #expect(heartbeat.beat(at: 60, patience: patience) == .wait)
    #expect(heartbeat.beat(at: 61, patience: patience) == .wait)
  }

  @Test func `whoever answers in time is never given up, and whoever stops always is`() {
    let seed = FuzzRun.seed(of: "heartbeats")
    for run in 0..<500 {
      var random = SeededGenerator(seed: seed &+ UInt64(run))
      let silentFrom =
        Bool.random(using: &random) ? Double.random(in: 5...40, using: &random) : .infinity
      var heartbeat = ready()
      /// When what was sent is answered, the first first, and whether that is a pong.
      var due: [(at: Double, isPong: Bool)] = []
      var (now, nextBeat, isGivenUp) = (0.0, 1.0, false)
      func send(isPong: Bool) {
        let last = max(now, due.last?.at ?? 0)
        due.append((last + Double.random(in: 0...0.2, using: &random), isPong))
      }
      while now < 80, !isGivenUp {
        now += Double.random(in: 0.01...0.5, using: &random)
        while let first = due.first, first.at <= now, first.at < silentFrom {
          due.removeFirst()
          heartbeat.answer(
            isPong: first.isPong, owesMore: due.contains { !$0.isPong }, at: first.at)
        }
        if now < 60, Int.random(in: 0..<4, using: &random) == 0 {
          heartbeat.ask(at: now)
          send(isPong: false)
        }
        // Its page goes, and with it what was not read.
        if Int.random(in: 0..<20, using: &random) == 0 { due.removeAll { !$0.isPong } }
        if now < nextBeat { continue }
        nextBeat = now + 1
        switch heartbeat.beat(at: now, patience: patience) {
        case .ask: send(isPong: true)
        case .wait: break
        case .giveUp: isGivenUp = true
        }
      }
      #expect(isGivenUp == silentFrom.isFinite, "run \(run) of seed \(seed)")
    }
  }
}
