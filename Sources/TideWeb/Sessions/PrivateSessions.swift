import TideBindings
import TideScript
import TideSystem

/// The private sessions of an app. Each person has one session in all of their pages. If the host
/// does not name the person, each browser has one.
///
///     reports of connections ──▶ the owner's session ──▶ its thread or process
///
/// A session is found by its owner's name: from a reloaded page, from a second page, and from a
/// page that is opened much later. A page without a known owner has its own session, whose name is
/// the prefix of the page's name.
///
/// The sessions belong to the owner of the loop that receives the reports.
final class PrivateSessions {
  private let limits: Limits
  private let isDeveloping: Bool
  /// Whether each page has its own session, whoever opened it.
  private let isForEachPage: Bool
  private let start: Starter
  private let loop: EventLoop
  /// The sessions, by name.
  private var sessions: [String: Session] = [:]
  /// By the number of the connection.
  private var ofConnections: [Int: Session] = [:]
  /// The values of sessions that were closed.
  private var kept: ClosedSessionValues
  /// The times of recent crashes, by the name of the session.
  private var breaks: [String: [Double]] = [:]
  /// Passes reports back from the sessions' threads.
  private var relay: Relay<PrivateSessions>?

  /// Starts the app of a session, and calls `onEnd` on any thread when the app has ended.
  typealias Starter = (
    SessionPlan, _ onEnd: @escaping @Sendable (SessionEnding) -> Void
  ) throws(TideError) -> any SessionHost

  struct Limits {
    /// The most sessions at once, including those without a connected page.
    var sessions = 32
    /// Seconds that a session continues without a connected page.
    var idle = 300.0
    /// Bytes of the values of all closed sessions; one session may use a sixteenth of it.
    var kept = 64 << 20
  }

  private final class Session {
    let name: String
    /// The values with which it started.
    let values: [UInt8]?
    let host: any SessionHost
    /// The holder that owns it.
    let holder: PlaceHolder
    var connections: [Int: PageConnection] = [:]
    var idleTimer: LoopTimer?
    /// When the last connection was lost.
    var idleSince = 0.0
    var isClosing = false

    init(_ name: String, _ values: [UInt8]?, _ holder: PlaceHolder, _ host: any SessionHost) {
      self.name = name
      self.holder = holder
      self.values = values
      self.host = host
    }
  }

  init(
    _ loop: EventLoop, _ limits: Limits, isDeveloping: Bool, isForEachPage: Bool = false,
    start: @escaping Starter
  ) {
    self.loop = loop
    self.limits = limits
    self.isDeveloping = isDeveloping
    self.isForEachPage = isForEachPage
    self.start = start
    kept = ClosedSessionValues(limit: limits.kept)
    relay = Relay(self)
  }

  /// The number of sessions.
  var count: Int { sessions.count }
  /// The session whose values have been saved longest.
  var firstKept: String? { kept.first }
  /// The number of sessions with a connected page.
  var connectedCount: Int { sessions.count { !$0.value.connections.isEmpty } }

  // MARK: Connections

  func take(_ report: PageConnection.Report, of connection: PageConnection) {
    if case .opened = report { open(connection) }
    guard let session = ofConnections[connection.number] else { return }
    session.host.take(report, of: connection)
    if case .closed = report { close(connection, of: session) }
  }

  private func open(_ connection: PageConnection) {
    do {
      guard let session = try session(of: connection) else { return }
      session.connections[connection.number] = connection
      session.idleTimer?.cancel()
      session.idleTimer = nil
      ofConnections[connection.number] = session
    } catch {
      connection.end(.end(error.message))
    }
  }

  /// Finds the session of a connection, or starts one. Returns nil if the connection was closed or
  /// refused, and the page has to connect again.
  private func session(of connection: PageConnection) throws(TideError) -> Session? {
    let holder = connection.holder
    let owner = isForEachPage ? nil : holder.owner
    let name = owner ?? nameOfPage(connection)
    if let known = sessions[name] {
      if !known.isClosing { return known }
      // The session is still saving its values. The page reconnects and continues with them.
      connection.close()
      return nil
    }
    if let key = holder.keys.first(where: isAtShare) {
      // Only the holder's own sessions make room.
      closeLongestIdle { $0.holder.keys.contains(key) }
      if isAtShare(key) {
        connection.refuse(.overShare)
        return nil
      }
    }
    if sessions.count >= limits.sessions { closeLongestIdle { _ in true } }
    // Closing sessions still hold their threads, so they count towards twice the limit.
    guard sessions.count(where: { !$0.value.isClosing }) < limits.sessions,
      sessions.count < 2 * limits.sessions
    else {
      connection.refuse(.full)
      return nil
    }
    return try begin(name, for: connection, pagePrefix: owner == nil ? name : "")
  }

  /// The name of the session that belongs to a single page.
  private func nameOfPage(_ connection: PageConnection) -> String {
    if let name = connection.holder.session(ofPage: connection.session),
      sessions[name] != nil || kept.contains(name)
    {
      return name
    }
    return connection.holder.makeSessionName()
  }

  private func isAtShare(_ key: PlaceHolder.Key) -> Bool {
    let held = sessions.values.count { !$0.isClosing && $0.holder.keys.contains(key) }
    return held >= key.share(of: limits.sessions)
  }

  private func begin(
    _ name: String, for connection: PageConnection, pagePrefix: String
  ) throws(TideError) -> Session {
    let values = kept.take(name)
    let plan = SessionPlan(
      pagePrefix: pagePrefix, isDeveloping: isDeveloping, person: connection.person,
      owner: isForEachPage ? .page : connection.holder.sessionOwner, kept: values,
      notice: notice(of: name, isResuming: values != nil, to: connection))
    let (inbox, relay) = (loop.inbox, relay)
    let host: any SessionHost
    do {
      host = try start(plan) { ending in
        inbox.post { relay?.content?.forget(name, ending) }
      }
    } catch {
      if let values { keep(values, of: name, connection.holder) }
      throw error
    }
    let session = Session(name, values, connection.holder, host)
    sessions[name] = session
    return session
  }

  /// The notice for the pages of a new session; nil for none.
  private func notice(
    of name: String, isResuming: Bool, to connection: PageConnection
  ) -> String? {
    if isResuming { return breaks[name] == nil ? nil : Self.resumption }
    // A page that was open before has lost its values. An inspector's page has none to lose.
    return isForEachPage || connection.session.isEmpty ? nil : PageNotice.unkept.rawValue
  }

  private func close(_ connection: PageConnection, of session: Session) {
    ofConnections[connection.number] = nil
    session.connections[connection.number] = nil
    guard session.connections.isEmpty else { return }
    session.idleSince = loop.now()
    session.idleTimer = loop.after(limits.idle, keepsRunning: false) { [weak self, weak session] in
      if let session { self?.closeIdle(session) }
    }
  }

  /// Handles the end of a session's app, which ended by itself, could not be started, or crashed.
  private func forget(_ name: String, _ ending: SessionEnding) {
    guard let session = sessions.removeValue(forKey: name) else { return }
    session.idleTimer?.cancel()
    session.host.wait(until: 0)
    for number in session.connections.keys { ofConnections[number] = nil }
    let connections = session.connections.values
    switch ending {
    case .ended:
      breaks[name] = nil
      for connection in connections { connection.end(.end("The app has ended.")) }
    case .failed:
      // The app never started. The next connection tries again with its values.
      if let values = session.values { keepAfterBreak(values, of: session) }
      for connection in connections { connection.end(.end(Self.failure)) }
    case .broken:
      // The page reconnects and continues with the last known values.
      if keepAfterBreak(session.host.lastValues ?? session.values ?? [], of: session) {
        for connection in connections { connection.refuse(.broken) }
      } else {
        for connection in connections { connection.end(.end(Self.givenUp)) }
      }
    }
  }

  /// Keeps the values of an app that crashed. Returns false, and keeps nothing, if the app has
  /// crashed with them too often.
  @discardableResult
  private func keepAfterBreak(_ values: [UInt8], of session: Session) -> Bool {
    let name = session.name
    let now = EventLoop.monotonicTime()
    let recent = (breaks[name] ?? []).filter { now - $0 < Self.timeOfBreaks } + [now]
    let isGivenUp = recent.count >= Self.mostBreaks
    breaks[name] = isGivenUp ? nil : recent
    if !isGivenUp { keep(values, of: name, session.holder) }
    return !isGivenUp
  }

  /// After this many crashes within `timeOfBreaks` seconds, an app is not started again with its
  /// values.
  private static let mostBreaks = 4
  private static let timeOfBreaks = 60.0
  private static let failure =
    "The app cannot be started. Whoever runs it finds the reason in its log. Load this page to try "
    + "again."
  private static let resumption =
    "The app stopped unexpectedly, and goes on with what it had kept last."
  private static let givenUp =
    "The app stopped unexpectedly several times. Load this page to begin again."

  // MARK: Idle sessions

  private func closeLongestIdle(where isMeant: (Session) -> Bool) {
    let idle = sessions.values.filter { $0.connections.isEmpty && !$0.isClosing && isMeant($0) }
    if let session = idle.min(by: { $0.idleSince < $1.idleSince }) { closeIdle(session) }
  }

  /// Ends a session and saves the values of its models, because its page may return.
  private func closeIdle(_ session: Session) {
    session.isClosing = true
    breaks[session.name] = nil
    let (inbox, relay, name, holder) = (loop.inbox, relay, session.name, session.holder)
    session.host.stop { values in
      inbox.post { relay?.content?.keep(values, of: name, holder) }
    }
  }

  private func keep(_ values: [UInt8], of name: String, _ holder: PlaceHolder) {
    kept.add(values, of: name, holder)
    if breaks.count > Self.mostBroken {
      let known = Set(kept.names).union(sessions.keys)
      breaks = breaks.filter { known.contains($0.key) }
    }
  }

  /// The most sessions whose crashes are remembered.
  private static let mostBroken = 10_000

  // MARK: Stopping

  /// Ends all sessions.
  ///
  /// - Parameter isForGood: whether pages report that the app has ended; otherwise they try to
  ///   reconnect.
  func stop(isForGood: Bool) {
    relay?.end()
    relay = nil
    let deadline = EventLoop.monotonicTime() + SessionThread.timeOfEnding
    for session in sessions.values {
      if !isForGood { session.host.releasePages() }
      session.host.stop(givingValues: nil)
    }
    for session in sessions.values { session.host.wait(until: deadline) }
    sessions = [:]
    ofConnections = [:]
  }
}
