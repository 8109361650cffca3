/// The marks of a model's removed rows at the server, oldest first.
///
/// A mark tells programs that were offline about a removal. Old marks are deleted:
///
///     marks ──old──▶ horizon is written ──confirmed──▶ marks up to it are deleted
///
/// The horizon is the last revision whose marks may have been deleted. A program that had not yet
/// received everything up to it receives the whole model again, because a full listing needs no
/// marks.
struct RemovalMarks {
  private var marks: [Mark] = []
  /// The revision of the horizon's own key at the server; 0 for none.
  private(set) var horizonRevision = 0
  private(set) var horizon = 0

  struct Mark {
    let revision: Int
    /// When the server received it, in seconds.
    let time: Double
  }

  /// The most marks to remember. Others are found when the model is listed again.
  private static let most = 100_000

  mutating func note(_ revision: Int, at time: Double) {
    if marks.count >= Self.most { return }
    marks.append(Mark(revision: revision, time: time))
  }

  /// Adopts a horizon of the server. Returns nil if the bytes are not a horizon; the next horizon
  /// then replaces them.
  ///
  /// - Returns: the horizon.
  mutating func noteHorizon(_ bytes: [UInt8], _ revision: Int) -> Int? {
    horizonRevision = revision
    horizon = 0
    // A mark is deleted only after it was received, so a horizon is less than its own revision.
    guard let number = Int(String(decoding: bytes, as: UTF8.self)), (0..<revision).contains(number)
    else { return nil }
    horizon = number
    return number
  }

  /// Removes and returns all marks that are old enough, if the oldest is due.
  ///
  /// - Parameters:
  ///   - age: the minimum age of a mark, in seconds.
  ///   - now: the server's time of the latest message.
  mutating func takeOld(_ age: Double, at now: Double) -> [Mark] {
    guard let first = marks.first, first.time < now - age * Self.patience else { return [] }
    // In the order of revisions, which is also the order of time.
    let count = marks.firstIndex { $0.time >= now - age } ?? marks.count
    defer { marks.removeFirst(count) }
    return Array(marks[..<count])
  }

  /// Reinserts marks that were taken and not deleted.
  mutating func putBack(_ old: ArraySlice<Mark>) {
    marks.insert(contentsOf: old, at: 0)
    if marks.count > Self.most { marks.removeLast(marks.count - Self.most) }
  }

  /// A deletion starts when the oldest mark exceeds the minimum age by this factor, so that marks
  /// are deleted in groups.
  private static let patience = 1.1
}
