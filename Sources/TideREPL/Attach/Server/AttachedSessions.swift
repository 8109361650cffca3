import TideBindings
import TideScript

/// The sessions attached to an app, on the app's thread.
final class AttachedSessions {
  var onReload: ((_ module: String?) throws -> String)?
  var onReset: (() throws -> String)?
  var helpIndex: () -> HelpIndex = { .shared }
  var driveHost = DriveHost()
  let router: SessionRouter
  private unowned let runtime: Runtime
  private let mailbox: SocketMailbox
  private var attached: [Int: AttachedSession] = [:]
  /// The sessions' numbers in the order of attachment, for broadcasts.
  private var numbers: [Int] = []
  /// The session whose `:reload` or `:reset` is running; it gets the error as its answer.
  private var asking: Int?

  /// Passes events from the socket thread to the sessions.
  // Unchecked, because the socket thread only passes the reference on; `sessions` is used on the
  // app's thread alone.
  final class SessionRouter: @unchecked Sendable {
    unowned(unsafe) var sessions: AttachedSessions?
  }

  init(_ runtime: Runtime, _ mailbox: SocketMailbox) {
    self.runtime = runtime
    self.mailbox = mailbox
    router = SessionRouter()
    router.sessions = self
  }

  deinit { router.sessions = nil }

  var count: Int { attached.count }

  func take(_ event: SocketMailbox.Event, from number: Int) {
    switch event {
    case .attached: open(number)
    case .request(let message): attached[number]?.take(message)
    case .interrupted: attached[number]?.interrupt()
    case .gone:
      numbers.removeAll { $0 == number }
      attached.removeValue(forKey: number)?.end()
    }
  }

  private func open(_ number: Int) {
    do {
      let session = try Session(runtime)
      session.onReload = onReload.map { reload in
        { [unowned self] module in try asked(by: number) { try reload(module) } }
      }
      session.onReset = onReset.map { reset in
        { [unowned self] in try asked(by: number, reset) }
      }
      session.helpIndex = helpIndex
      attached[number] = try AttachedSession(
        session, number: number, mailbox: mailbox, driving: driveHost)
      numbers.append(number)
    } catch {
      mailbox.send(
        Message("error", ["text": .text("no session can be made: \(error)")]), to: number)
    }
  }

  func removeAll() {
    let ending = attached.values
    attached = [:]
    numbers = []
    for session in ending { session.end() }
  }

  private func asked<Answer>(by number: Int, _ body: () throws -> Answer) rethrows -> Answer {
    asking = number
    defer { asking = nil }
    return try body()
  }

  /// - Parameter reason: the cause, for sessions that did not ask for the reload.
  func tell(_ line: String, because reason: String? = nil) {
    for number in numbers { attached[number]?.note(reload: line) }
    for number in numbers {
      let text = reason.flatMap { number == asking ? nil : "\($0)\n\(line)" } ?? line
      mailbox.send(Message("notice", ["text": .text(text)]), to: number)
    }
  }

  func takes(_ line: UnsafeRawBufferPointer) -> Bool {
    if numbers.isEmpty { return false }
    let printer = numbers.first { attached[$0]?.isPrinting == true }
    // One string for all sessions, truncated to a readable length.
    let cut = line.prefix(Self.longestLine)
    var text = String(decoding: cut, as: UTF8.self)
    if cut.count < line.count { text += "… (\(line.count) bytes)" }
    for number in printer.map({ [$0] }) ?? numbers {
      mailbox.sendOutput(Message("output", ["text": .text(text)]), to: number)
    }
    return printer != nil
  }

  private static let longestLine = 1 << 20
}
