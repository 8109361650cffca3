/// The marks of removed rows that a model has at the server, the oldest first.
///
/// A mark tells programs that were away of a removal. Once it is old it is deleted:
///
///     marks ──old──▶ horizon is written ──confirmed──▶ marks up to it are deleted
///
/// The horizon is the last revision whose marks may be gone. A program that had not caught up with
/// it when it was written is sent the whole model again, because a listing needs no marks.
struct RemovalMarks {
  private var marks: [Mark] = []
  /// The revision of the horizon's own key at the server; 0 for none.
  private(set) var horizonRevision = 0
  private(set) var horizon = 0

  struct Mark {
    let revision: Int
    /// When the server made it, in seconds.
    let time: Double
  }

  /// More are not remembered, but found when the model is listed again.
  private static let most = 100_000

  mutating func note(_ revision: Int, at time: Double) {
    if marks.count >= Self.most { return }
    marks.append(Mark(revision: revision, time: time))
  }

  /// Takes over a horizon that the server has; nil for bytes that are none, which the next horizon
  /// replaces.
  ///
  /// - Returns: the horizon.
  mutating func noteHorizon(_ bytes: [UInt8], _ revision: Int) -> Int? {
    horizonRevision = revision
    horizon = 0
    // Marks are deleted only after they were received, so a horizon precedes its own revision.
    guard let number = Int(String(decoding: bytes, as: UTF8.self)), (0..<revision).contains(number)
    else { return nil }
    horizon = number
    return number
  }

  /// The marks to delete, if the oldest is due: all those together that are old enough.
  ///
  /// - Parameters:
  ///   - age: how old a mark is at least, in seconds.
  ///   - now: the server's time, as far as is known.
  mutating func takeOld(_ age: Double, at now: Double) -> [Mark] {
    guard let first = marks.first, first.time < now - age * Self.patience else { return [] }
    // In the order of the revisions, which is that of time.
    let count = marks.firstIndex { $0.time >= now - age } ?? marks.count
    defer { marks.removeFirst(count) }
    return Array(marks[..<count])
  }

  /// Takes back marks that were taken and not deleted.
  mutating func putBack(_ old: ArraySlice<Mark>) {
    marks.insert(contentsOf: old, at: 0)
    if marks.count > Self.most { marks.removeLast(marks.count - Self.most) }
  }

  /// The oldest one is due at so many times the age of those that are old enough.
  private static let patience = 1.1
}
