import TideBindings
import TideScript
import TideSystem

/// The sessions of an app of which each viewer has one of its own.
///
///     reports of connections ──▶ the session of the connection ──▶ its thread
///
/// It belongs to the owner of the loop that the reports come to.
final class PrivateSessions {
  private let limits: Limits
  private let isDeveloping: Bool
  private let pictures: PagePictures
  private let make: PrivateApp.Maker
  private let loop: EventLoop
  private var sessions: [String: Session] = [:]
  /// By the number of the connection.
  private var ofConnections: [Int: Session] = [:]
  /// The new name of each session that resumed from kept values, by the name of the session that
  /// left them.
  private var successors: [String: String] = [:]
  /// The values of sessions that were closed, the oldest first.
  private var kept: [(name: String, values: [UInt8])] = []
  /// Leads back from the sessions' threads.
  private var relay: Relay<PrivateSessions>?

  struct Limits {
    /// Sessions at once, those included to which nobody is connected.
    var sessions = 32
    /// Seconds that a session goes on to which nobody is connected.
    var idle = 300.0
    /// Bytes of the values of all that were closed; one may have a sixteenth of it.
    var kept = 64 << 20
  }

  private final class Session {
    let name: String
    /// Those that it went on with.
    let values: [UInt8]?
    let thread: SessionThread
    /// Whose it is.
    let holder: PlaceHolder
    var connections: [Int: PageConnection] = [:]
    var idleTimer: LoopTimer?
    /// When the last connection was lost.
    var idleSince = 0.0
    var isClosing = false

    init(_ name: String, _ values: [UInt8]?, _ holder: PlaceHolder, _ thread: SessionThread) {
      self.name = name
      self.holder = holder
      self.values = values
      self.thread = thread
    }
  }

  init(
    _ loop: EventLoop, _ limits: Limits, isDeveloping: Bool, _ pictures: PagePictures,
    _ make: @escaping PrivateApp.Maker
  ) {
    self.pictures = pictures
    self.loop = loop
    self.limits = limits
    self.isDeveloping = isDeveloping
    self.make = make
    relay = Relay(self)
  }

  /// How many there are.
  var count: Int { sessions.count }
  /// Those to which somebody is connected.
  var connectedCount: Int { sessions.count { !$0.value.connections.isEmpty } }

  // MARK: Connections

  func take(_ report: PageConnection.Report, of connection: PageConnection) {
    if case .opened = report { open(connection) }
    guard let session = ofConnections[connection.number] else { return }
    session.thread.perform { $0.renderer.take(report, of: connection) }
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

  /// Finds the session of a connection, or begins one; nil where the page has to come again, and
  /// its connection is closed.
  private func session(of connection: PageConnection) throws(TideError) -> Session? {
    // A page that lost its connection while it reconnected does not know the new name.
    let asked = connection.holder.owns(connection.session) ? connection.session : ""
    let wanted = successors[asked] ?? asked
    if let known = sessions[wanted] {
      if !known.isClosing { return known }
      // It is still giving its values, with which the page goes on.
      connection.close()
      return nil
    }
    if let key = connection.holder.keys.first(where: isAtShare) {
      // Its own make room, not those of others.
      closeLongestIdle { $0.holder.keys.contains(key) }
      if isAtShare(key) {
        connection.refuse(.overShare)
        return nil
      }
    }
    if sessions.count >= limits.sessions { closeLongestIdle { _ in true } }
    // Those that are closing hold their threads still, so they count towards twice the limit.
    guard sessions.count(where: { !$0.value.isClosing }) < limits.sessions,
      sessions.count < 2 * limits.sessions
    else {
      connection.refuse(.full)
      return nil
    }
    let values = takeValues(of: wanted)
    return try begin(connection.holder, values, after: values == nil ? nil : connection.session)
  }

  private func isAtShare(_ key: PlaceHolder.Key) -> Bool {
    let held = sessions.values.count { !$0.isClosing && $0.holder.keys.contains(key) }
    return held >= key.share(of: limits.sessions)
  }

  private func begin(
    _ holder: PlaceHolder, _ values: [UInt8]?, after former: String?
  ) throws(TideError) -> Session {
    let name = holder.makeSessionName()
    let plan = SessionThread.Plan(
      name: name, isDeveloping: isDeveloping, kept: values, pictures: pictures, make: make)
    let (inbox, relay) = (loop.inbox, relay)
    let thread = try SessionThread(plan) { failure in
      inbox.post { relay?.content?.forget(name, failure) }
    }
    let session = Session(name, values, holder, thread)
    sessions[name] = session
    if let former { successors[former] = name }
    return session
  }

  private func close(_ connection: PageConnection, of session: Session) {
    ofConnections[connection.number] = nil
    session.connections[connection.number] = nil
    guard session.connections.isEmpty else { return }
    session.idleSince = EventLoop.monotonicTime()
    session.idleTimer = loop.after(limits.idle, keepsRunning: false) { [weak self, weak session] in
      if let session { self?.closeIdle(session) }
    }
  }

  /// A session's app has ended by itself, or could not be made.
  private func forget(_ name: String, _ failure: String?) {
    guard let session = sessions.removeValue(forKey: name) else { return }
    session.idleTimer?.cancel()
    session.thread.wait(until: 0)
    // The app never started: its values are kept again.
    if failure != nil, let values = session.values { keep(values, of: name) }
    for (number, connection) in session.connections {
      ofConnections[number] = nil
      connection.end(.end(failure == nil ? "The app has ended." : "The app cannot be started."))
    }
  }

  // MARK: Idle ones

  private func closeLongestIdle(where isMeant: (Session) -> Bool) {
    let idle = sessions.values.filter { $0.connections.isEmpty && !$0.isClosing && isMeant($0) }
    if let session = idle.min(by: { $0.idleSince < $1.idleSince }) { closeIdle(session) }
  }

  /// Ends a session, and keeps the values of its models for its page, which may come again.
  private func closeIdle(_ session: Session) {
    session.isClosing = true
    let (inbox, relay, name) = (loop.inbox, relay, session.name)
    session.thread.perform { content in
      let values = content.runtime.keptModels()
      inbox.post { relay?.content?.keep(values, of: name) }
    }
    session.thread.stop()
  }

  private static let mostKept = 10_000

  private func keep(_ values: [UInt8], of name: String) {
    // One alone must not take the place of all the others.
    if values.count > limits.kept / 16 { return }
    kept.append((name, values))
    var size = kept.reduce(0) { $0 + $1.values.count }
    while size > limits.kept || kept.count > Self.mostKept, !kept.isEmpty {
      size -= kept.removeFirst().values.count
    }
    // One that neither runs nor is kept has no successor to be found.
    if successors.count > Self.mostKept {
      let known = Set(kept.map(\.name)).union(sessions.keys)
      successors = successors.filter { known.contains($0.value) }
    }
  }

  private func takeValues(of name: String) -> [UInt8]? {
    guard let index = kept.firstIndex(where: { $0.name == name }) else { return nil }
    return kept.remove(at: index).values
  }

  // MARK: The end

  /// Ends all sessions.
  ///
  /// - Parameter isForGood: whether pages say that the app has ended; otherwise they wait for it.
  func stop(isForGood: Bool) {
    relay?.end()
    relay = nil
    let deadline = EventLoop.monotonicTime() + SessionThread.timeOfEnding
    for session in sessions.values {
      if !isForGood { session.thread.perform { $0.renderer.end(nil) } }
      session.thread.stop()
    }
    for session in sessions.values { session.thread.wait(until: deadline) }
    sessions = [:]
    ofConnections = [:]
  }
}
