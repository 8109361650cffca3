import TideSystem
import TideValues

/// Keeps models the same between runtimes: an engine that orders what all of them write.
///
/// ```swift
/// let engine: any SharingEngine = SharedModels()
/// let channel = engine.join("room", SharingMailbox { print("something has come") })
/// channel.send([SharingUpdate(key: .model, base: 0, number: 1, bytes: [1, 2, 3])])
/// channel.leave()
/// ```
///
/// It knows keys, revisions and bytes, and nothing of models. Of each key it keeps the latest
/// bytes, with a revision that grows over all keys. It accepts an update where that says the
/// revision that the key has, and refuses it otherwise. Everybody who has joined gets every
/// accepted update in the order of the revisions, the writer included; of several of one key, the
/// last one suffices. Any thread may use it.
public protocol SharingEngine: AnyObject, Sendable {
  /// Joins a model, and has its mailbox get what there is of it, then what changes.
  func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel
  /// The largest update that it takes, in bytes; nil where it is not known, or does not matter.
  var largestUpdate: Int? { get }
  /// Whether nothing may be written.
  var isReadOnly: Bool { get }
}

/// A runtime's way to an engine.
///
/// ```swift
/// let channel = SharedModels().join("room", SharingMailbox {})
/// channel.leave()
/// ```
public protocol SharingChannel: Sendable {
  /// Sends updates; what becomes of each comes by the mailbox.
  func send(_ updates: [SharingUpdate])
  /// Lets nothing come to the mailbox any more. What was sent stays sent.
  func leave()
}

/// What a runtime wants a key to be.
///
/// ```swift
/// let update = SharingUpdate(
///   key: .row(list: "members", id: "a1"), base: 17, number: 4, bytes: nil)
/// ```
public struct SharingUpdate: Sendable {
  /// The key within its model.
  public let key: SharingKey
  /// The revision of the key that it is based on; 0 for a key that is new.
  public let base: Int
  /// Tells the writer's updates of a key apart.
  public let number: Int
  /// Nil to remove the key.
  public let bytes: [UInt8]?

  /// Describes an update.
  public init(key: SharingKey, base: Int, number: Int, bytes: [UInt8]?) {
    self.key = key
    self.base = base
    self.number = number
    self.bytes = bytes
  }

  /// About how many bytes it takes.
  package var heldBytes: Int { (bytes?.count ?? 0) + key.size + 128 }
}

/// What has become of a key.
///
/// ```swift
/// let change = SharingChange(key: .model, revision: 3, bytes: [1, 2, 3])
/// ```
public struct SharingChange: Sendable {
  /// The key within its model.
  public let key: SharingKey
  /// Greater than those of all changes before.
  public let revision: Int
  /// Nil where it was removed.
  public let bytes: [UInt8]?

  /// Describes a change.
  public init(key: SharingKey, revision: Int, bytes: [UInt8]?) {
    self.key = key
    self.revision = revision
    self.bytes = bytes
  }
}

/// What an engine has its revisions in.
///
/// ```swift
/// SharingMailbox {}.complete(SharingOrigin(name: "board of Monday", revision: 17))
/// ```
public struct SharingOrigin: Sendable, Equatable {
  /// Different from that of any other, also of one that has been made anew.
  public let name: String
  /// The last revision that it has.
  public let revision: Int

  /// Describes an origin.
  public init(name: String, revision: Int) {
    self.name = name
    self.revision = revision
  }
}

/// What has a value of its own within a model.
///
/// ```swift
/// let key = SharingKey.row(list: "members", id: "a1")
/// ```
public enum SharingKey: Hashable, Sendable {
  /// The model's own properties.
  case model
  /// A row of one of its lists.
  case row(list: String, id: String)

  /// The list that a row is in; nil for the model itself.
  var list: String? {
    if case .row(let list, _) = self { list } else { nil }
  }

  /// Bytes of its names.
  package var size: Int {
    if case .row(let list, let id) = self { list.utf8.count + id.utf8.count } else { 0 }
  }
}

/// Whether a runtime is in touch with the others.
///
/// ```swift
/// SharingMailbox {}.put(SharingState.offline, error: "the server does not answer")
/// ```
public enum SharingState: String, Sendable {
  /// Not connected; writes are sent later.
  case offline
  /// There is one, but not yet all of what there is.
  case connecting
  /// All is there, and what is written is sent at once.
  case live
}

/// Why an update was not accepted.
///
/// ```swift
/// SharingMailbox {}.refuse(.model, 4, SharingRefusal.denied("you may only read"))
/// ```
public enum SharingRefusal: Sendable {
  /// The key has another revision, which comes or has come as a change.
  case stale
  /// It is not known whether it was accepted; when all is there again, a change tells.
  case unanswered
  /// The engine takes nothing so large, and never will.
  case tooLarge(String)
  /// The engine does not take it now: it is full, or the runtime may not write.
  case denied(String)
}

/// What an engine has for a runtime, until that takes it.
///
/// ```swift
/// let mailbox = SharingMailbox { print("something has come") }
/// mailbox.put([SharingChange(key: .model, revision: 3, bytes: [1, 2, 3])], isComplete: true)
/// mailbox.put(.live, error: nil)
/// ```
///
/// Of each key it holds the latest change alone, so that it does not grow beyond the model itself
/// however much is written; an engine that may bring more than fits asks ``whenThereIsRoom(_:)``.
/// Any thread may use it.
public final class SharingMailbox: Sendable {
  private let contents = Guarded(Contents())
  private let wake: @Sendable () -> Void
  /// What the mailboxes of one app may hold together; nil for a mailbox alone.
  private let share: MailboxShare?

  package struct Contents {
    package var changes: [SharingKey: SharingChange] = [:]
    /// Whether all of what there is has come, since the last beginning.
    package var isComplete = false
    /// Where it has come from.
    package var origin: SharingOrigin?
    /// The engine has begun anew, and knows nothing of the revisions before.
    package var hasBegunAnew = false
    /// All of what there is comes once more: what does not come is gone.
    package var isListing = false
    package var refusals: [(key: SharingKey, number: Int, reason: SharingRefusal)] = []
    package var state: SharingState?
    package var error: String?
    /// Bytes of the changes.
    var heldBytes = 0
    /// Called when they have been taken.
    var whenTaken: (@Sendable () -> Void)?

    package init() {}

    package var isEmpty: Bool {
      changes.isEmpty && !isComplete && !hasBegunAnew && !isListing && refusals.isEmpty
        && state == nil
    }

    /// In the order in which they happened.
    package var sortedChanges: [SharingChange] {
      changes.values.sorted { $0.revision < $1.revision }
    }
  }

  /// Makes an empty one.
  ///
  /// - Parameter wake: called on the thread of the engine, perhaps under a lock, when there is
  ///   something to take: it must only post.
  public init(wake: @escaping @Sendable () -> Void) {
    share = nil
    self.wake = wake
  }

  init(_ share: MailboxShare, wake: @escaping @Sendable () -> Void) {
    self.share = share
    self.wake = wake
    share.add(1)
  }

  deinit { share?.add(-1) }

  private func change(_ body: (inout Contents) -> Void) {
    let wakes = contents.withLock { contents in
      let wasEmpty = contents.isEmpty
      body(&contents)
      return wasEmpty && !contents.isEmpty
    }
    if wakes { wake() }
  }

  /// Adds what has become of keys.
  ///
  /// - Parameters:
  ///   - changes: in the order in which they happened.
  ///   - isComplete: whether that is all there is of the model now.
  public func put(_ changes: [SharingChange], isComplete: Bool = false) {
    change { contents in
      for change in changes {
        let former = contents.changes.updateValue(change, forKey: change.key)
        contents.heldBytes += change.heldBytes - (former?.heldBytes ?? 0)
      }
      if isComplete { contents.isComplete = true }
    }
  }

  /// Says that all of what there is of the model has come.
  ///
  /// - Parameter origin: where from, for a runtime that keeps what it knows.
  public func complete(_ origin: SharingOrigin?) {
    change { contents in
      contents.isComplete = true
      contents.origin = origin
    }
  }

  /// Says whether there is a connection, and what is wrong.
  public func put(_ state: SharingState, error: String?) {
    change { contents in
      contents.state = state
      contents.error = error
    }
  }

  /// Says that an update was not accepted.
  public func refuse(_ key: SharingKey, _ number: Int, _ reason: SharingRefusal) {
    change { $0.refusals.append((key, number, reason)) }
  }

  /// Adds what another mailbox has held.
  package func put(_ other: Contents) {
    if other.isListing || other.hasBegunAnew { beginListing(isAnew: other.hasBegunAnew) }
    put(other.sortedChanges)
    if other.isComplete { complete(other.origin) }
    if let state = other.state { put(state, error: other.error) }
    for refusal in other.refusals { refuse(refusal.key, refusal.number, refusal.reason) }
  }

  /// Says that all of what there is comes once more.
  ///
  /// - Parameter isAnew: whether revisions have begun anew, because the engine has lost what it
  ///   had.
  public func beginListing(isAnew: Bool) {
    change { contents in
      contents.changes = [:]
      contents.heldBytes = 0
      contents.isComplete = false
      contents.isListing = true
      contents.hasBegunAnew = contents.hasBegunAnew || isAnew
    }
  }

  /// Bytes of changes that may wait before an engine had better send no more.
  private var capacity: Int { share?.capacity ?? MailboxShare.mostBytes }

  /// Whether it holds far more changes than there are keys, as of rows that came and went.
  func isOutgrowing(_ keys: Int) -> Bool {
    contents.withLock { $0.changes.count > 2 * keys + Self.mostGone }
  }

  /// So many removed keys may wait.
  private static let mostGone = 1000

  /// How many refusals nobody has taken so far.
  package var refusalCount: Int { contents.withLock(\.refusals.count) }

  /// Whether there is nothing to take.
  var isEmpty: Bool { contents.withLock(\.isEmpty) }
  /// Bytes of the changes that nobody has taken so far.
  var heldBytes: Int { contents.withLock(\.heldBytes) }

  /// Calls a function when an engine may send more: at once, or when the changes that wait have
  /// been taken. It must only post, because that happens on the runtime's thread.
  public func whenThereIsRoom(_ body: @escaping @Sendable () -> Void) {
    let hasRoom = contents.withLock { contents in
      if contents.heldBytes <= capacity { return true }
      contents.whenTaken = body
      return false
    }
    if hasRoom { body() }
  }

  /// What has come since it was taken last.
  ///
  /// - Parameter withChanges: whether changes are taken as well, or the state and refusals alone. A
  ///   listing is taken anyway: it comes in place of whatever waits.
  package func take(withChanges: Bool = true) -> Contents {
    let taken = contents.withLock { contents in
      var taken = contents
      if withChanges || contents.isListing {
        contents = Contents()
      } else {
        taken = Contents()
        swap(&taken.state, &contents.state)
        swap(&taken.error, &contents.error)
        swap(&taken.refusals, &contents.refusals)
      }
      return taken
    }
    taken.whenTaken?()
    return taken
  }
}
