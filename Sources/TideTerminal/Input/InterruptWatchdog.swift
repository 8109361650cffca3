import CTideTerminal
import Synchronization
import TideViews

/// Detects an unread Ctrl-C while a script blocks the thread that reads input.
///
/// A terminal in raw mode sends no signal for Ctrl-C, and with kitty's protocol not even the byte
/// 0x03. So a separate thread inspects input that has been unread for half a second. The input
/// stays in order for its reader.
final class InterruptWatchdog {
  /// How long input may stay unread, in milliseconds.
  private static let delay: Int32 = 500
  /// The number of interrupts before repeated presses count as insistent.
  private static let retryLimit = 4

  private let onInterrupt: @Sendable (_ isInsistent: Bool) -> Void
  // Used only on the watching thread.
  private var decoder = InputDecoder()
  private var presses = 0
  private var tries = 0
  private let endsInPaste = Atomic(false)

  private init(_ onInterrupt: @escaping @Sendable (_ isInsistent: Bool) -> Void) {
    self.onInterrupt = onInterrupt
  }

  /// Watches the terminal that has just been acquired, until it is released.
  ///
  /// - Parameter onInterrupt: called on another thread, repeatedly until the key is read; its
  ///   parameter says whether Ctrl-C was pressed several times and interrupting has had no effect.
  /// - Returns: the watchdog, which must live as long as the terminal is acquired.
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

  /// Whether the input read so far ends within a paste, in which bytes are never keys. Set by the
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
