import TideScript
import TideSystem

/// Reads the keys that are pressed while specs are watched, and reports each at once.
///
/// Ctrl-C is the program's as always. Without a terminal there are no keys.
final class TestKeys {
  var onKey: (UInt8) -> Void = { _ in }

  private let former: termios
  private var watch: DescriptorWatch?

  init?(_ loop: EventLoop) {
    var settings = termios()
    guard StandardStreams.areTerminal, tcgetattr(0, &settings) == 0 else { return nil }
    former = settings
    // In the background the terminal is another's.
    guard tcgetpgrp(0) == getpgrp() else { return nil }
    Interrupts.restore(former)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(0, TCSANOW, &settings) == 0 else { return nil }
    watch = try? loop.watch(descriptor: 0) { [unowned self] in read() }
  }

  deinit {
    watch?.cancel()
    Interrupts.restoreTerminal()
  }

  private func read() {
    var room = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(0, &room, room.count)
    // The terminal is gone: as if one had left.
    if count <= 0 { return onKey(UInt8(ascii: "q")) }
    // An arrow, say, is more than one byte, none of which is a key of ours.
    if count > 1 && room[0] == 0x1B { return }
    for key in room[..<count] { onKey(key) }
  }
}
