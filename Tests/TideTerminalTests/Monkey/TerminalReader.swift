import Foundation
import Glibc
import OwnThread

/// Reads what a program writes to a terminal while it is writing: a terminal holds little, and a
/// large frame would wait for ever for somebody to take it.
final class TerminalReader {
  private let terminal: PseudoTerminal
  private let store = Store()
  private let thread: JoinedThread

  /// What has been read, shared with the thread that reads.
  private final class Store: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var isOver = false

    func add(_ more: [UInt8]) {
      condition.lock()
      bytes += more
      condition.broadcast()
      condition.unlock()
    }

    func end() {
      condition.lock()
      isOver = true
      condition.unlock()
    }

    var goesOn: Bool {
      condition.lock()
      defer { condition.unlock() }
      return !isOver
    }

    /// Everything up to a mark, for which it waits; nil when the mark does not come.
    func take(upTo mark: [UInt8]) -> [UInt8]? {
      condition.lock()
      defer { condition.unlock() }
      let limit = Date(timeIntervalSinceNow: 20)
      while !bytes.suffix(mark.count).elementsEqual(mark) {
        if !condition.wait(until: limit) { return nil }
      }
      defer { bytes = [] }
      return Array(bytes.dropLast(mark.count))
    }
  }

  init(_ terminal: PseudoTerminal) {
    self.terminal = terminal
    let master = terminal.master
    let store = store
    thread = JoinedThread {
      var room = [UInt8](repeating: 0, count: 65536)
      while store.goesOn {
        guard waitForInput(on: master, 20) else { continue }
        let count = read(master, &room, room.count)
        if count > 0 { store.add(Array(room[..<count])) }
      }
    }
  }

  /// Waits for the thread, which would otherwise read what is written to the next terminal with the
  /// same descriptor.
  deinit {
    store.end()
    writeMark()
    thread.join()
  }

  /// Everything that was written so far; nil when the terminal gave up.
  func output() -> [UInt8]? { writeMark() ? store.take(upTo: Self.mark) : nil }

  private static let mark = Array("\u{1b}_mark\u{1b}\\".utf8)

  @discardableResult
  private func writeMark() -> Bool {
    var rest = Self.mark[...]
    while !rest.isEmpty {
      // A full terminal takes a part, and the timer of an interpreter interrupts what waits for it.
      let count = rest.withUnsafeBytes { write(terminal.slave, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR && errno != EAGAIN { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
