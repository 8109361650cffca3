/// The order in which viewers' acts are carried out, so that no viewer keeps the others waiting.
///
///     message ──▶ its viewer is within its share of time ──▶ carried out at once
///             ──▶ the share is used up: it waits ──next──▶ carried out in a later turn
///
/// A share is a quarter of the time, of which as much can be saved up as lasts for a quarter of a
/// second. Of the viewers whose acts wait, those within their share go first, and those of one kind
/// take turns. The acts of one viewer stay in their order.
struct ActQueue {
  /// A message of a page, with the connection that it came by.
  struct Act {
    let bytes: [UInt8]
    let connection: any ViewerConnection
  }

  /// Gives the time in seconds; nil where time is virtual, and no share is ever used up.
  var clock: (() -> Double)?
  /// The viewers that have acted lately. The one that was served last is at the end.
  private var lines: [Line] = []
  /// When the last act of this turn was done; nil for none.
  private var lastEnd: Double?

  private struct Line {
    let viewer: PageViewer
    var acts: [Act] = []
    /// Seconds beyond what its share has given back.
    var used = 0.0
    var usedAt: Double
    var hasActed = false

    func used(at now: Double) -> Double { max(0, used - ActQueue.share * max(0, now - usedAt)) }
    func isWithinShare(at now: Double) -> Bool { used(at: now) <= ActQueue.burst }
  }

  private static let share = 0.25
  /// Seconds that may be used at once.
  private static let burst = 0.25
  /// So that an act that takes very long does not put its viewer last for very long.
  private static let mostUsed = 2.0

  private var now: Double { clock?() ?? 0 }

  var isEmpty: Bool { lines.allSatisfy(\.acts.isEmpty) }

  /// Whether an act of a viewer is carried out at once: none of the viewer's waits, and the share
  /// is not used up.
  func admits(_ viewer: PageViewer) -> Bool {
    guard let line = lines.first(where: { $0.viewer === viewer }) else { return true }
    return line.acts.isEmpty && line.isWithinShare(at: now)
  }

  /// Has an act wait.
  mutating func add(_ act: Act, of viewer: PageViewer) {
    let index = index(of: viewer, now)
    lines[index].acts.append(act)
  }

  /// Takes the act that is next.
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

  /// Takes the acts of a viewer that wait, in their order.
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

  /// Charges those who have acted in this turn for what followed from it: settling, and sending.
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
