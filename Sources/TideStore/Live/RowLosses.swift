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
    let keys: [SQLiteValue]
    let column: String
  }

  /// A committed value that another commit has overwritten unseen.
  struct Loss: Sendable {
    let place: Place
    let theirs: SQLiteValue
    let mine: SQLiteValue
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
    guard let written, written.value == loss.theirs, written.author !== store.authorship else {
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
      ? "\(theirs), which was written here, has been replaced by \(mine), which somebody else wrote at the same time"
      : "\(mine) has replaced \(theirs), which another program wrote at the same time"
    let error = TideError(
      .unwritten,
      "\"\(loss.place.column.inMessage)\" of a row of \(loss.place.table.inMessage): \(what); write it again "
        + "to keep it")
    bindings.list(error)
    bindings.editedRecords?.onNotice?(error.message)
  }
}

extension SQLiteValue {
  /// The value as messages show it.
  fileprivate var preview: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): Value.string(text).preview
    case .bytes(let bytes): Value.bytes(bytes).preview
    }
  }
}
