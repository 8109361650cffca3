import TideBindings
package import TideScript
import TideSystem

/// What inspectors of the same process examine, from threads of their own: an app, or its sessions.
package protocol InspectionSource: Sendable {
  /// Connects an inspector by its number.
  ///
  /// - Parameter take: receives answers and events, on any thread.
  func connect(_ number: Int, take: @escaping @Sendable (Message) -> Void)
  /// Sends a request. The answer is delivered to the connection's `take`.
  func ask(_ number: Int, _ message: Message)
  func disconnect(_ number: Int)
}

/// An app that inspectors of the same process examine, from threads of their own.
///
///     ask ──▶ the app's inbox ──▶ Inspection
///     take ◀── Inspection
///
/// Requests are answered on the app's thread, between its other work.
package final class InspectedApp: InspectionSource {
  private let inbox: LoopInbox
  private let content: Relay<Content>

  /// The state on the app's thread.
  private final class Content {
    unowned let runtime: Runtime
    let name: String
    var inspections: [Int: (inspection: Inspection, take: @Sendable (Message) -> Void)] = [:]

    init(_ runtime: Runtime, _ name: String) {
      self.runtime = runtime
      self.name = name
    }
  }

  /// - Parameter name: the name that inspectors show.
  package init(_ runtime: Runtime, name: String) {
    inbox = runtime.loop.inbox
    content = Relay(Content(runtime, name))
  }

  // MARK: From other threads

  package func connect(_ number: Int, take: @escaping @Sendable (Message) -> Void) {
    inbox.post { [content] in
      guard let content = content.content else { return }
      take(Message("hello", ["name": .text(content.name)]))
      guard let inspection = try? Inspection(content.runtime, tell: take) else { return }
      content.inspections[number] = (inspection, take)
    }
  }

  package func ask(_ number: Int, _ message: Message) {
    inbox.post { [content] in
      guard let (inspection, take) = content.content?.inspections[number] else { return }
      take(inspection.answer(message))
    }
  }

  package func disconnect(_ number: Int) {
    inbox.post { [content] in content.content?.inspections[number] = nil }
  }

  // MARK: On the app's thread

  /// Reports a reload to the inspectors.
  package func note(reload line: String) {
    for (inspection, _) in (content.content?.inspections ?? [:]).values {
      inspection.note(reload: line)
    }
  }

  /// Reports the end of the app to the inspectors.
  package func end() {
    for (_, take) in (content.content?.inspections ?? [:]).values { take(Message("ended")) }
    content.end()
  }
}
