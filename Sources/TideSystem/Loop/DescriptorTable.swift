import CTideSystem

/// The descriptors that an event loop watches.
///
/// It opens its own descriptors only when it watches or waits: a program may have thousands of
/// loops that never do.
final class DescriptorTable {
  /// Provides the waker, a descriptor that interrupts a wait.
  private let inbox: LoopInbox
  /// The waker, while there is a poller.
  private var waker: Int32 = -1
  /// Waits for all descriptors; -1 while closed.
  private var poller: Int32 = -1
  private var watches: [UInt64: DescriptorWatch] = [:]
  private var made: UInt64 = 0
  /// The waker's number, which no watch has.
  private static let wakerNumber: UInt64 = 0
  private static let capacity = 64
  private var ready = [UInt64](repeating: 0, count: capacity)
  /// The number of watches that keep an app running.
  private(set) var keepingCount = 0
  /// Called when a watch is added or removed.
  var onChange: () -> Void = {}

  init(_ inbox: LoopInbox) { self.inbox = inbox }

  deinit { if poller >= 0 { close(poller) } }

  private func openPoller() throws(SystemError) {
    if poller >= 0 { return }
    waker = inbox.openWaker()
    if waker < 0 { throw .eventLoop(errno, "no event descriptor can be made") }
    let made = tide_poller_make()
    if made < 0 { throw .eventLoop(errno, "no event loop can be made") }
    let failure = tide_poller_add(made, waker, Self.wakerNumber)
    if failure != 0 {
      close(made)
      throw .eventLoop(failure, "the event loop cannot be woken")
    }
    poller = made
  }

  /// Closes the poller and the waker if nothing is watched; the next wait opens them again. Returns
  /// whether it closed anything.
  func closeIdlePoller() -> Bool {
    guard poller >= 0, watches.isEmpty else { return false }
    close(poller)
    inbox.closeWaker()
    (poller, waker) = (-1, -1)
    return true
  }

  /// A descriptor that is readable as soon as one of the watched ones is ready, including those
  /// watched later; -1 if the system has no descriptor left. The table closes it.
  func openedPoller() -> Int32 {
    do { try openPoller() } catch { return -1 }
    return poller
  }

  func add(
    _ descriptor: Int32, keepsRunning: Bool, isWriting: Bool = false, body: @escaping () -> Void
  ) throws(SystemError) -> DescriptorWatch {
    try openPoller()
    let failure =
      isWriting
      ? tide_poller_add_writing(poller, descriptor, made + 1)
      : tide_poller_add(poller, descriptor, made + 1)
    if failure != 0 { throw .eventLoop(failure, "descriptor \(descriptor) cannot be watched") }
    made += 1
    let watch = DescriptorWatch(
      descriptor: descriptor, keepsRunning: keepsRunning, number: made, watches: self, body: body)
    watches[watch.number] = watch
    if keepsRunning { keepingCount += 1 }
    onChange()
    return watch
  }

  /// Called once by a watch when it is cancelled.
  func forget(_ watch: DescriptorWatch) {
    watches[watch.number] = nil
    tide_poller_remove(poller, watch.descriptor)
    if watch.keepsRunning { keepingCount -= 1 }
    onChange()
  }

  var count: Int { watches.count }

  /// Waits for the given time, or without limit for nil. Returns the watches that are ready.
  func wait(_ seconds: Double?) -> [DescriptorWatch] {
    if poller < 0 {
      if seconds == 0 { return [] }
      do { try openPoller() } catch {
        waitForWaker(seconds)
        return []
      }
    }
    let count = tide_poller_wait(poller, &ready, Int32(Self.capacity), Self.nanoseconds(seconds))
    guard count > 0 else { return [] }
    var found: [DescriptorWatch] = []
    for number in ready.prefix(Int(count)) {
      if number == Self.wakerNumber {
        tide_waker_clear(waker)
      } else if let watch = watches[number] {
        found.append(watch)
      }
    }
    return found
  }

  /// Waits without a poller, because no descriptors are left. Without a waker either, it waits at
  /// most 10 milliseconds.
  private func waitForWaker(_ seconds: Double?) {
    let waker = inbox.openWaker()
    let nanoseconds = Self.nanoseconds(seconds)
    var milliseconds = nanoseconds < 0 ? -1 : Int32(clamping: nanoseconds / 1_000_000 + 1)
    if waker < 0, milliseconds < 0 || milliseconds > 10 { milliseconds = 10 }
    // `poll` ignores a negative descriptor.
    var entry = pollfd(fd: waker, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, milliseconds) > 0 { tide_waker_clear(waker) }
  }

  /// Rounded up, so that a deadline has passed when the wait ends.
  private static func nanoseconds(_ seconds: Double?) -> Int64 {
    guard let seconds else { return -1 }
    return Int64(min(max(0, (seconds * 1e9).rounded(.up)), 1e18))
  }
}

extension SystemError {
  /// The error for a system call that an event loop needs.
  static func eventLoop(_ number: Int32, _ message: String) -> SystemError {
    switch number {
    case EEXIST: SystemError(message, number: number, reason: "it is watched already")
    case EPERM: SystemError(message, number: number, reason: "a plain file can always be read")
    default: SystemError(message, number: number)
    }
  }
}

/// A function that an event loop calls whenever a descriptor is readable, closed by its peer, or
/// broken.
///
/// ```swift
/// let watch = try loop.watch(descriptor: 0) { print(readLine() ?? "") }
/// watch.cancel()
/// ```
///
/// Cancel it before closing the descriptor, because the number may be reused for another file.
public final class DescriptorWatch {
  /// The watched descriptor; the caller closes it.
  public let descriptor: Int32
  /// Whether it keeps a headless app running.
  let keepsRunning: Bool
  /// Never reused, unlike a descriptor, so late kernel events cannot reach a different watch.
  let number: UInt64
  private(set) var body: (() -> Void)?
  private weak var watches: DescriptorTable?

  init(
    descriptor: Int32, keepsRunning: Bool, number: UInt64, watches: DescriptorTable,
    body: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.keepsRunning = keepsRunning
    self.number = number
    self.watches = watches
    self.body = body
  }

  /// Whether the watch is active.
  public var isEnabled: Bool { body != nil }

  /// Cancels the watch; any watch's function may do so, including its own.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    watches?.forget(self)
  }
}
