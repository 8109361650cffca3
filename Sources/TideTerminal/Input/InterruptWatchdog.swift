import CTideTerminal
import Synchronization
import TideViews

/// Notices Ctrl-C among the keys that nobody reads, because a script keeps its thread busy.
///
/// A terminal in raw mode sends no signal for it, and one that speaks kitty's protocol not even the
/// byte. So what has been left unread for half a second is looked at on a thread of its own; it
/// stays for the one who reads, in order.
final class InterruptWatchdog {
  /// How long keys may be left unread, in milliseconds.
  private static let delay: Int32 = 500
  /// How often a script is interrupted before a person who insists gets their way.
  private static let retryLimit = 4

  private let onInterrupt: @Sendable (_ isInsistent: Bool) -> Void
  // All are changed on the watching thread alone.
  private var decoder = InputDecoder()
  private var presses = 0
  private var tries = 0
  private let endsInPaste = Atomic(false)

  private init(_ onInterrupt: @escaping @Sendable (_ isInsistent: Bool) -> Void) {
    self.onInterrupt = onInterrupt
  }

  /// Watches the terminal that has just been taken, until it is given back.
  ///
  /// - Parameter onInterrupt: called on another thread, again and again until the key is read; its
  ///   parameter says whether Ctrl-C was pressed more than once, and interrupting has not helped.
  /// - Returns: what has to live as long as the terminal is taken.
  static func watch(
    _ onInterrupt: @escaping @Sendable (_ isInsistent: Bool) -> Void
  ) -> InterruptWatchdog {
    let watcher = InterruptWatchdog(onInterrupt)
    _ = tide_terminal_watch(
      delay,
      { context, bytes, count, isFirst in
        guard let context else { return }
        Unmanaged<InterruptWatchdog>.fromOpaque(context).takeUnretainedValue()
          .look(at: UnsafeBufferPointer(start: bytes, count: count), isFirst: isFirst)
      }, Unmanaged.passUnretained(watcher).toOpaque())
    return watcher
  }

  /// Whether the input read so far ends within a paste, in which no byte is a key. Set by the
  /// reader.
  var isInPaste: Bool {
    get { endsInPaste.load(ordering: .relaxed) }
    set { endsInPaste.store(newValue, ordering: .relaxed) }
  }

  private func look(at bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
    if isFirst {
      decoder = InputDecoder()
      if isInPaste { decoder.resumePaste() }
      presses = 0
      tries = 0
    }
    let interrupt = InputEvent.key(Key("c" as Character, modifiers: .control))
    presses += decoder.decode(bytes).count { $0 == interrupt }
    guard presses > 0 else { return }
    tries += 1
    onInterrupt(presses > 1 && tries > Self.retryLimit)
  }
}
