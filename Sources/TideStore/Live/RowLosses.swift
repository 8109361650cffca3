import TideBindings
import TideScript
import TideSystem
import TideValues

/// Remembers the last values that the sessions of this process wrote into rows. When a session
/// overwrites a value that it has not seen, the value's author is notified.
///
///     session A writes ──note──▶ place: value, A
///     session B overwrites it, unseen ──tell──▶ A, or B if another program has written it
final class RowLosses: Sendable {
  static let all = RowLosses()

  /// A column of a row.
  struct Place: Hashable, Sendable {
    let file: String
    let table: String
    let keys: [Key]
    let column: String
  }

  /// The value of a key column.
  struct Key: Hashable, Sendable {
    let column: String
    let value: SQLiteValue
  }

  /// A committed value that another commit has overwritten unseen.
  struct Loss: Sendable {
    let place: Place
    let theirs: SQLiteValue
    let mine: SQLiteValue
    /// Whether the same program had written the overwritten value.
    var isOwn = false
  }

  private struct Written {
    let value: SQLiteValue
    let inbox: LoopInbox
    let author: Relay<WeakStore>
  }

  private struct State {
    var written: [Place: Written] = [:]
    /// In the order of the first write.
    var places: [Place] = []
  }

  private let state = Guarded(State())

  /// The most places to remember. A loss is noticed within moments of the write.
  private static let most = 4096

  /// Remembers the author of a value.
  func note(_ value: SQLiteValue, at place: Place, by store: Store) {
    guard !place.file.isEmpty, let runtime = store.home.runtime else { return }
    let written = Written(value: value, inbox: runtime.loop.inbox, author: store.authorship)
    state.withLock { state in
      if state.written.updateValue(written, forKey: place) == nil { state.places.append(place) }
      if state.places.count < 2 * Self.most { return }
      for place in state.places.prefix(Self.most) { state.written[place] = nil }
      state.places.removeFirst(Self.most)
    }
  }

  /// Notifies the author of an overwritten value. If the author is another program, notifies the
  /// session that overwrote it.
  func tell(_ loss: Loss, by store: Store) {
    let written = state.withLock { $0.written[loss.place] }
    guard let written, written.value == loss.theirs else {
      return store.tell(of: loss, isOwn: false)
    }
    if written.author === store.authorship {
      var loss = loss
      loss.isOwn = true
      return store.tell(of: loss, isOwn: false)
    }
    written.inbox.post { [author = written.author] in
      author.content?.store?.tell(of: loss, isOwn: true)
    }
  }
}

/// Identifies the author of a value by a weak reference to its database.
struct WeakStore {
  weak var store: Store?
}

extension Store {
  /// Reports a loss as an error, and notifies the person who edits rows here.
  ///
  /// - Parameter isOwn: whether this session wrote the lost value.
  fileprivate func tell(of loss: RowLosses.Loss, isOwn: Bool) {
    guard let bindings = home.runtime?.bindings else { return }
    let (theirs, mine) = (loss.theirs.preview, loss.mine.preview)
    let what =
      isOwn
      ? "\(theirs), which was written here, has been replaced by \(mine), which another session wrote at the same time"
      : "\(mine) has replaced \(theirs), which "
        + "\(loss.isOwn ? "this" : "another") program wrote at the same time"
    let error = TideError(
      .unwritten,
      "\"\(loss.place.column.inMessage)\" of a row of \(loss.place.table.inMessage): \(what); write it again "
        + "to keep it")
    withdrawLoss(at: loss.place)
    if listedLosses.count == Self.mostLosses { listedLosses = [:] }
    listedLosses[loss.place] = ListedLoss(error: bindings.list(error), value: loss.mine)
    bindings.editedRecords?.onNotice?(error.message)
  }

  /// Reports an edit that cannot be written, and notifies the person who edits rows here.
  ///
  /// - Returns: the listed error.
  @discardableResult
  func tell(_ error: TideError) -> TideError? {
    guard let bindings = home.runtime?.bindings else { return nil }
    let listed = bindings.list(error)
    bindings.editedRecords?.onNotice?(error.message)
    return listed
  }

  /// A listed loss, with the value that is in its place.
  struct ListedLoss {
    let error: TideError
    let value: SQLiteValue
  }

  private static let mostLosses = 1000

  /// The value was written again.
  func withdrawLoss(at place: RowLosses.Place) {
    guard let known = listedLosses.removeValue(forKey: place) else { return }
    home.runtime?.bindings.withdraw(known.error)
  }

  /// Withdraws the losses whose row was removed, or whose value this program has written again.
  func reviewLosses() {
    for (place, loss) in listedLosses {
      do {
        let writing = RowWriting(place.table, place.keys)
        let present = try writing.present([place.column], in: self)?.first
        if present == nil || isFollowingOwnWrites && present != loss.value {
          withdrawLoss(at: place)
        }
      } catch  where error.isOfSchema {
        // The table, or its column, has been removed.
        withdrawLoss(at: place)
      } catch {
        // The value could not be read, and may still be lost.
      }
    }
  }
}

extension SQLiteValue {
  /// The value as messages show it.
  var preview: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): TransformCall.excerpt(text)
    case .bytes(let bytes): Value.bytes(bytes).preview
    }
  }
}
