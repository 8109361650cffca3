import TideBindings
import TideScript
import TideSystem
import TideValues

/// The last values that the sessions of this process have written in columns of rows: when one
/// session writes over a value that it has not seen, the value's author is told.
///
///     session A writes ──note──▶ place: value, A
///     session B writes over it, unseen ──tell──▶ A, or B where another program has written it
final class RowLosses: Sendable {
  static let all = RowLosses()

  /// A column of a row.
  struct Place: Hashable, Sendable {
    let file: String
    let table: String
    let keys: [SQLiteValue]
    let column: String
  }

  /// A committed value that another one has replaced unseen.
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
    /// In the order in which they were written first.
    var places: [Place] = []
  }

  private let state = Guarded(State())

  /// Places that are remembered. A loss shows within moments of the write.
  private static let most = 4096

  /// Remembers who has written a value.
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

  /// Tells the author of a value that it is lost. Where another program has written it, tells the one
  /// who has replaced it.
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

/// A database by which sessions know the author of a value.
struct WeakStore {
  weak var store: Store?
}

extension Store {
  /// Lists a loss, and notifies the person who edits rows here.
  ///
  /// - Parameter isOwn: whether the lost value was written here.
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
        + "if it is to stay")
    bindings.list(error)
    bindings.editedRecords?.onNotice?(error.message)
  }
}

extension SQLiteValue {
  /// As messages show it.
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
