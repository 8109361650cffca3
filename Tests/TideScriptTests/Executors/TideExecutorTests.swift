import Testing
import TideBindings
import TideScript

/// An executor with a thread of its own.
@Suite(.timeLimit(.minutes(10))) struct `An executor's thread` {
  private final class Meter: DataObject {
    @Property var level = 0
    @Property var shown = 0
    var onEnd: @Sendable () -> Void = {}

    deinit { onEnd() }
  }

  private actor Store {
    // First, so that it is released before the objects.
    private let executor = TideExecutor()
    private let context = BindingContext()
    private let source = Meter(), target = Meter()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func begin(_ onEnd: @escaping @Sendable () -> Void) {
      context.bind(source.$level, to: target.$shown)
      target.onEnd = onEnd
      Task { finish() }
    }

    private func finish() { source.level += 1 }
  }

  @Test func `lasts until the job has ended that lets go of its last actor`() async {
    await confirmation(expectedCount: 100) { ended in
      for _ in 0..<100 {
        await withCheckedContinuation { continuation in
          let store = Store()
          Task { await store.begin { continuation.resume() } }
        }
        ended()
      }
    }
  }
}
