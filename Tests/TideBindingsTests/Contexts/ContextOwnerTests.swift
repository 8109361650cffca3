import Fuzzing
import OwnThread
import Testing
import TideBindings

/// Contexts whose actor is gone.
@Suite struct `A context without its actor` {
  private final class Meter: DataObject {
    @Property var level = 0
    @Property var shown = 0
  }

  /// Crosses threads to be released there.
  private struct Sent: @unchecked Sendable {
    var contexts: [BindingContext] = []
  }

  private actor Owner {
    private let context = BindingContext()
    private let source = Meter(), target = Meter()

    func bind() -> Int {
      context.bind(source.$level, to: target.$shown)
      source.level = 7
      return target.shown
    }

    /// A context that holds its objects.
    func observe() -> Sent {
      let context = BindingContext(), source = Meter(), target = Meter()
      context.observe(source.$level) { [source] new, _ in target.shown = new + source.level }
      source.level = 3
      return Sent(contexts: [context])
    }
  }

  @Test func `keeps its graph, and is released on any thread`() async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(number))
          var kept: [Sent] = []
          for _ in 0..<150 {
            let owner = Owner()
            #expect(await owner.bind() == 7, "seed \(seed)")
            kept.append(await owner.observe())
            if kept.count < 10 { continue }
            let sent = kept.remove(at: Int.random(in: 0..<kept.count, using: &random))
            if Bool.random(using: &random) {
              try await onOwnThread { withExtendedLifetime(sent) {} }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
