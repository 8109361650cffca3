/// Remote changes that wait to be applied: the latest of each key, in the order of revisions.
struct SharingBacklog {
  private var latest: [SharingKey: SharingChange] = [:]
  /// In the order of revisions. A revision that is no longer the latest of its key is skipped.
  private var queue: [(key: SharingKey, revision: Int)] = []
  private var next = 0
  /// The most changes that a turn applies, adapted to the time that they take.
  private var size = Self.leastSize
  /// Bytes of the waiting changes.
  private(set) var heldBytes = 0

  private static let leastSize = 64
  private static let mostSize = 1 << 20
  private static let manyRows = 5000
  /// Bytes after which a turn takes no further change.
  private static let mostBytes = 1 << 20
  /// The time that a turn may spend on changes: a quarter of a frame.
  private static let turnTime = Duration.milliseconds(4)
  /// When the next turn may apply changes. An update of long lists has a fixed cost, which pays off
  /// only for many changes.
  private var nextTurn = ContinuousClock.now

  var isEmpty: Bool { latest.isEmpty }
  /// Seconds until the next turn may apply changes; 0 for less than a millisecond.
  var delay: Double {
    let seconds = (nextTurn - .now) / .seconds(1)
    return seconds > 0.001 ? seconds : 0
  }

  mutating func removeAll() {
    (latest, queue, next, heldBytes) = ([:], [], 0, 0)
  }

  /// Adds changes in the order in which they happened.
  mutating func add(_ changes: [SharingChange]) {
    for change in changes {
      let former = latest.updateValue(change, forKey: change.key)
      heldBytes += change.heldBytes - (former?.heldBytes ?? 0)
      queue.append((change.key, change.revision))
    }
    if queue.count > 2 * latest.count + Self.leastSize {
      queue.removeSubrange(..<next)
      next = 0
      queue.removeAll { latest[$0.key]?.revision != $0.revision }
    }
  }

  /// The changes that one turn adopts: at least one if there is any.
  ///
  /// - Parameters:
  ///   - all: whether to take all changes, regardless of the time.
  ///   - models: the number of models that share the turn.
  mutating func take(all: Bool = false, among models: Int = 1) -> [SharingChange] {
    var part: [SharingChange] = []
    var bytes = 0
    while next < queue.count, all || part.count < size && bytes < Self.mostBytes / models {
      let (key, revision) = queue[next]
      next += 1
      guard let change = latest[key], change.revision == revision else { continue }
      latest[key] = nil
      bytes += change.heldBytes
      part.append(change)
    }
    heldBytes -= bytes
    if latest.isEmpty { removeAll() }
    return part
  }

  /// Puts back changes for which a turn had no memory.
  mutating func putBack(_ changes: [SharingChange]) {
    let rest = queue[next...]
    queue = changes.map { ($0.key, $0.revision) } + rest
    next = 0
    for change in changes where latest[change.key] == nil {
      latest[change.key] = change
      heldBytes += change.heldBytes
    }
  }

  /// Adapts the number of changes per turn to the time that the last changes took.
  ///
  /// - Parameters:
  ///   - fixed: the part of that time which fewer changes would have taken as well.
  ///   - rows: the number of rows; only with many rows does waiting for more changes pay off.
  ///   - models: the number of models that share the turn.
  mutating func adjustSize(
    after count: Int, in time: Duration, fixed: Duration, rows: Int, among models: Int = 1
  ) {
    let goal = max(Self.turnTime / models, fixed * 4)
    nextTurn = .now
    if rows > Self.manyRows { nextTurn += max(.zero, fixed * 4 - time) }
    if time > goal {
      size = max(1, Self.leastSize / models, count / 2)
    } else if count >= size, time < goal / 2 {
      size = min(Self.mostSize, size * 2)
    }
  }
}

extension SharingChange {
  /// The approximate size in memory, in bytes.
  package var heldBytes: Int { (bytes?.count ?? 0) + key.size + 128 }
}
