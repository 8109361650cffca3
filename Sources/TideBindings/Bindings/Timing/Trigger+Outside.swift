import CTideSlots
import Synchronization
import TideGraph

// Triggers that fire outside the graph's thread.

extension Trigger {
  /// Fires for each element of a sequence.
  ///
  /// ```swift
  /// options.triggers = [.elements(of: socket.messages)]
  /// ```
  ///
  /// The sequence is read on a task of its own, which ends with the binding. The next element is
  /// requested once the binding has carried its value for the previous one. An error that the
  /// sequence throws is listed, and ends the trigger. Requires a runtime, whose event loop the
  /// elements wake.
  public static func elements<Elements: AsyncSequence & Sendable>(
    of elements: Elements
  ) -> Trigger {
    Trigger("elements of \(Elements.self)") { table, fire in
      let post = try table.clock(for: "a trigger by a sequence").post
      let relay = Relay(fire)
      let listing = Relay { [weak table] error in _ = table?.list(error) }
      let task = Task {
        do {
          for try await _ in elements {
            await withCheckedContinuation { continuation in
              let passage = Passage(continuation)
              post {
                relay.content?()
                passage.end()
              }
            }
          }
        } catch {
          if !Task.isCancelled { post { listing.content?(error) } }
        }
      }
      return Running {
        relay.end()
        listing.end()
        task.cancel()
      }
    }
  }

  /// Makes a trigger that fires when a function is called: at once on the graph's own thread,
  /// through the runtime's inbox on other threads.
  ///
  /// - Parameter begin: arranges the calls of `fire`, and returns a function that stops them.
  package static func outside(
    _ description: String,
    begin: @escaping (_ fire: @escaping @Sendable () -> Void) throws -> () -> Void
  ) -> Trigger {
    Trigger(description) { table, fire in
      let clock = try table.clock(for: "a trigger from outside")
      let relay = Relay(fire)
      let stop = try begin { [post = clock.post, thread = clock.thread] in
        guard thread() == tide_thread_identity() else {
          post { relay.content?() }
          return
        }
        relay.content?()
      }
      return Running {
        relay.end()
        stop()
      }
    }
  }
}

/// Resumes the task that reads a sequence exactly once, even if the event loop ends before the
/// posted function runs.
private final class Passage: Sendable {
  private let continuation: CheckedContinuation<Void, Never>
  private let isOver = Atomic(false)

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  deinit { end() }

  func end() {
    if !isOver.exchange(true, ordering: .relaxed) { continuation.resume() }
  }
}
