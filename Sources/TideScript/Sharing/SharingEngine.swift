import TideSystem
import TideValues

/// Keeps models in sync between runtimes by ordering their updates.
///
/// ```swift
/// let engine: any SharingEngine = SharedModels()
/// let channel = engine.join("room", SharingMailbox { print("something has come") })
/// channel.send([SharingUpdate(key: .model, base: 0, number: 1, bytes: [1, 2, 3])])
/// channel.leave()
/// ```
///
/// An engine handles keys, revisions and bytes; it does not interpret the bytes. For each key it
/// stores the latest bytes with a revision, which grows across all keys. It accepts an update that
/// is based on the key's current revision, and refuses any other. Each member, including the
/// writer, receives the accepted updates in the order of revisions. Of several updates of one key,
/// the last one suffices. Any thread may use an engine.
public protocol SharingEngine: AnyObject, Sendable {
  /// Joins a model. The mailbox receives the current values, then each change.
  func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel
  /// The largest update that the engine accepts, in bytes; nil if unknown or unlimited.
  var largestUpdate: Int? { get }
  /// Whether the engine accepts no updates.
  var isReadOnly: Bool { get }
}

/// A runtime's connection to an engine.
///
/// ```swift
/// let channel = SharedModels().join("room", SharingMailbox {})
/// channel.leave()
/// ```
public protocol SharingChannel: Sendable {
  /// Sends updates. The outcome of each arrives in the mailbox.
  func send(_ updates: [SharingUpdate])
  /// Ends delivery to the mailbox. Updates already sent stay sent.
  func leave()
}

/// A requested change of one key.
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
  /// Distinguishes the writer's updates of a key.
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

  /// The approximate size in memory, in bytes.
  package var heldBytes: Int { (bytes?.count ?? 0) + key.size + 128 }
}

/// A confirmed change of one key.
///
/// ```swift
/// let change = SharingChange(key: .model, revision: 3, bytes: [1, 2, 3])
/// ```
public struct SharingChange: Sendable {
  /// The key within its model.
  public let key: SharingKey
  /// Greater than the revisions of all earlier changes.
  public let revision: Int
  /// Nil if the key was removed.
  public let bytes: [UInt8]?

  /// Describes a change.
  public init(key: SharingKey, revision: Int, bytes: [UInt8]?) {
    self.key = key
    self.revision = revision
    self.bytes = bytes
  }
}

/// Identifies the data that an engine's revisions count.
///
/// ```swift
/// SharingMailbox {}.complete(SharingOrigin(name: "board of Monday", revision: 17))
/// ```
public struct SharingOrigin: Sendable, Equatable {
  /// Unique. Data that is created again gets another name.
  public let name: String
  /// The last revision of the data.
  public let revision: Int

  /// Describes an origin.
  public init(name: String, revision: Int) {
    self.name = name
    self.revision = revision
  }
}

/// Addresses one part of a model.
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

  /// The size of its names in bytes.
  package var size: Int {
    if case .row(let list, let id) = self { list.utf8.count + id.utf8.count } else { 0 }
  }
}

/// The state of a runtime's connection to an engine.
///
/// ```swift
/// SharingMailbox {}.put(SharingState.offline, error: "the server does not answer")
/// ```
public enum SharingState: String, Sendable {
  /// Not connected; writes are sent later.
  case offline
  /// Connected, but the current values have not all arrived.
  case connecting
  /// All values have arrived, and writes are sent at once.
  case live
}

/// Why an update was not accepted.
///
/// ```swift
/// SharingMailbox {}.refuse(.model, 4, SharingRefusal.denied("you may only read"))
/// ```
public enum SharingRefusal: Sendable {
  /// The key has another revision, which arrives, or has arrived, as a change.
  case stale
  /// It is unknown whether the update was accepted. The next complete listing shows it.
  case unanswered
  /// The engine never accepts an update this large.
  case tooLarge(String)
  /// The engine cannot accept the update now: it is full, or the runtime may not write.
  case denied(String)
}

/// Collects what an engine reports until the runtime takes it.
///
/// ```swift
/// let mailbox = SharingMailbox { print("something has come") }
/// mailbox.put([SharingChange(key: .model, revision: 3, bytes: [1, 2, 3])], isComplete: true)
/// mailbox.put(.live, error: nil)
/// ```
///
/// It holds only the latest change of each key, so it never grows beyond the model itself. An
/// engine that may deliver more than fits waits for ``whenThereIsRoom(_:)``. Any thread may use it.
public final class SharingMailbox: Sendable {
  private let contents = Guarded(Contents())
  private let wake: @Sendable () -> Void
  /// The capacity that the mailboxes of one app share; nil for a mailbox without an app.
  private let share: MailboxShare?

  package struct Contents {
    package var changes: [SharingKey: SharingChange] = [:]
    /// Whether the listing is complete.
    package var isComplete = false
    /// The origin of the listing.
    package var origin: SharingOrigin?
    /// The last update of the mailbox's owner that the engine had accepted or refused before it
    /// made the listing; `Int.max` for all, nil if unknown. Refusals come before the listing, or
    /// with it.
    package var settled: Int?
    /// Whether the engine has lost its data and starts over with new revisions.
    package var hasBegunAnew = false
    /// Whether a listing has begun. Keys missing from it have been removed.
    package var isListing = false
    package var refusals: [(key: SharingKey, number: Int, reason: SharingRefusal)] = []
    package var state: SharingState?
    package var error: String?
    /// Bytes of the changes.
    var heldBytes = 0
    /// Called when the contents have been taken.
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

  /// Creates an empty mailbox.
  ///
  /// - Parameter wake: called when there is something to take, on the thread of the engine and
  ///   perhaps under a lock, so it may only post work.
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

  /// Adds changes.
  ///
  /// - Parameters:
  ///   - changes: in the order in which they happened.
  ///   - isComplete: whether the changes complete the listing.
  public func put(_ changes: [SharingChange], isComplete: Bool = false) {
    change { contents in
      for change in changes {
        let former = contents.changes.updateValue(change, forKey: change.key)
        contents.heldBytes += change.heldBytes - (former?.heldBytes ?? 0)
      }
      if isComplete { contents.isComplete = true }
    }
  }

  /// Reports that the listing is complete.
  ///
  /// - Parameter origin: the origin of the values, for a runtime that persists them.
  public func complete(_ origin: SharingOrigin?) { complete(origin, settled: nil) }

  /// Reports that the listing is complete.
  ///
  /// - Parameter settled: the last update that was accepted or refused before the listing.
  package func complete(_ origin: SharingOrigin?, settled: Int?) {
    change { contents in
      contents.isComplete = true
      contents.origin = origin
      contents.settled = settled
    }
  }

  /// Reports the state of the connection, and what is wrong.
  public func put(_ state: SharingState, error: String?) {
    change { contents in
      contents.state = state
      contents.error = error
    }
  }

  /// Reports that an update was not accepted.
  public func refuse(_ key: SharingKey, _ number: Int, _ reason: SharingRefusal) {
    change { $0.refusals.append((key, number, reason)) }
  }

  /// Adds the contents of another mailbox.
  package func put(_ other: Contents) {
    if other.isListing || other.hasBegunAnew { beginListing(isAnew: other.hasBegunAnew) }
    put(other.sortedChanges)
    // Before the listing is completed, because the contents may be taken as soon as it is.
    for refusal in other.refusals { refuse(refusal.key, refusal.number, refusal.reason) }
    if other.isComplete { complete(other.origin, settled: other.settled) }
    if let state = other.state { put(state, error: other.error) }
  }

  /// Begins a listing, which replaces all changes in the mailbox.
  ///
  /// - Parameter isAnew: whether the engine has lost its data and revisions start over.
  public func beginListing(isAnew: Bool) {
    change { contents in
      contents.changes = [:]
      contents.heldBytes = 0
      contents.isComplete = false
      contents.settled = nil
      contents.isListing = true
      contents.hasBegunAnew = contents.hasBegunAnew || isAnew
    }
  }

  /// The bytes of waiting changes beyond which an engine should pause.
  private var capacity: Int { share?.capacity ?? MailboxShare.mostBytes }

  /// Whether it holds far more changes than there are keys, because many rows were added and
  /// removed.
  func isOutgrowing(_ keys: Int) -> Bool {
    contents.withLock { $0.changes.count > 2 * keys + Self.mostGone }
  }

  /// The most removed keys that may wait.
  private static let mostGone = 1000

  /// The number of refusals not yet taken.
  package var refusalCount: Int { contents.withLock(\.refusals.count) }

  /// Whether there is nothing to take.
  var isEmpty: Bool { contents.withLock(\.isEmpty) }
  /// Bytes of the changes not yet taken.
  var heldBytes: Int { contents.withLock(\.heldBytes) }

  /// Calls a function when the engine may send more: at once, or when the waiting changes have been
  /// taken. The function may only post work, since it may run on the runtime's thread.
  public func whenThereIsRoom(_ body: @escaping @Sendable () -> Void) {
    let hasRoom = contents.withLock { contents in
      if contents.heldBytes <= capacity { return true }
      contents.whenTaken = body
      return false
    }
    if hasRoom { body() }
  }

  /// Takes the contents received since the last call.
  ///
  /// - Parameter withChanges: whether to take changes too, or only the state and refusals. A
  ///   listing is always taken, since it replaces all waiting changes.
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
