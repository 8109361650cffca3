/// The order in which viewers' acts are carried out, so that no viewer keeps the others waiting.
///
///     message ──▶ its viewer is within its share of time ──▶ carried out at once
///             ──▶ the share is used up: it waits ──next──▶ carried out in a later turn
///
/// A viewer's share is a quarter of the time, and up to a quarter of a second of it may be used at
/// once. Viewers within their share go first. Otherwise viewers whose acts wait take turns. The
/// acts of one viewer stay in order.
struct ActQueue {
  /// A page's message and the connection that delivered it.
  struct Act {
    let bytes: [UInt8]
    let connection: any ViewerConnection
  }

  /// Returns the time in seconds; nil for virtual time, where no share is ever used up.
  var clock: (() -> Double)?
  /// The viewers that have acted lately. The one that was served last is at the end.
  private var lines: [Line] = []
  /// When the last act of this turn was done; nil for none.
  private var lastEnd: Double?

  private struct Line {
    let viewer: PageViewer
    var acts: [Act] = []
    /// Seconds used at `usedAt` that the share had not replenished yet.
    var used = 0.0
    var usedAt: Double
    var hasActed = false

    func used(at now: Double) -> Double { max(0, used - ActQueue.share * max(0, now - usedAt)) }
    func isWithinShare(at now: Double) -> Bool { used(at: now) <= ActQueue.burst }
  }

  private static let share = 0.25
  /// Seconds that may be used at once.
  private static let burst = 0.25
  /// The most seconds that are charged, so that one very long act does not delay its viewer for
  /// long.
  private static let mostUsed = 2.0

  private var now: Double { clock?() ?? 0 }

  var isEmpty: Bool { lines.allSatisfy(\.acts.isEmpty) }

  /// Whether a viewer's act is carried out at once: the viewer has no waiting acts and has not used
  /// up its share.
  func admits(_ viewer: PageViewer) -> Bool {
    guard let line = lines.first(where: { $0.viewer === viewer }) else { return true }
    return line.acts.isEmpty && line.isWithinShare(at: now)
  }

  /// Queues an act.
  mutating func add(_ act: Act, of viewer: PageViewer) {
    let index = index(of: viewer, now)
    lines[index].acts.append(act)
  }

  /// Removes and returns the next act; nil if none waits.
  mutating func next() -> (act: Act, viewer: PageViewer)? {
    let now = now
    guard
      let index = lines.firstIndex(where: { !$0.acts.isEmpty && $0.isWithinShare(at: now) })
        ?? lines.firstIndex(where: { !$0.acts.isEmpty })
    else { return nil }
    var line = lines.remove(at: index)
    let act = line.acts.removeFirst()
    lines.append(line)
    return (act, line.viewer)
  }

  /// Removes and returns a viewer's waiting acts, in order.
  mutating func takeAll(of viewer: PageViewer) -> [Act] {
    guard let index = lines.firstIndex(where: { $0.viewer === viewer }) else { return [] }
    defer { lines[index].acts = [] }
    return lines[index].acts
  }

  /// Charges a viewer for an act that began at a time.
  mutating func note(actOf viewer: PageViewer, since start: Double) {
    guard clock != nil else { return }
    let end = now
    let index = index(of: viewer, end)
    lines[index].hasActed = true
    charge(end - start, index, end)
    lastEnd = end
  }

  /// The beginning of an act, for `note`.
  func begin() -> Double { now }

  /// Charges the viewers who acted in this turn, in equal parts, for settling and sending.
  mutating func endTurn() {
    guard let lastEnd else { return }
    self.lastEnd = nil
    let now = now
    let count = Double(lines.count(where: \.hasActed))
    for index in lines.indices where lines[index].hasActed {
      lines[index].hasActed = false
      charge((now - lastEnd) / count, index, now)
    }
    lines.removeAll { $0.acts.isEmpty && $0.used(at: now) == 0 }
  }

  private mutating func index(of viewer: PageViewer, _ now: Double) -> Int {
    if let index = lines.firstIndex(where: { $0.viewer === viewer }) { return index }
    lines.append(Line(viewer: viewer, usedAt: now))
    return lines.count - 1
  }

  private mutating func charge(_ seconds: Double, _ index: Int, _ now: Double) {
    lines[index].used = min(lines[index].used(at: now) + max(0, seconds), Self.mostUsed)
    lines[index].usedAt = now
  }
}
