import CTideSystem

/// The process outside of the confinement that performs operations for the confined one, within the
/// limits set before confinement (``Confinement``).
package enum ProgramBroker {
  package static var exists: Bool { tide_broker_exists() }

  /// A C function that starts a shell command, as `tide_broker_run` does.
  ///
  /// It returns 0, an error number, or -1 without a broker. The caller closes both descriptors.
  /// `control` becomes readable when the command has ended and then yields its status as from
  /// `waitpid`; shutting it down kills the command.
  package typealias Starter =
    @convention(c) (
      _ command: UnsafePointer<CChar>, _ direction: CChar, _ channel: UnsafeMutablePointer<Int32>,
      _ control: UnsafeMutablePointer<Int32>
    ) -> Int32

  package static let starter: Starter = { tide_broker_run($0, $1, $2, $3) }

  /// Creates an unnamed file in the broker's scratch folder, open for reading and writing. Returns
  /// -1 with `errno` on failure.
  package static let makeScratchFile: @convention(c) () -> Int32 = { tide_broker_scratch() }

  /// Creates the environment for a program; see `tide_program_environment`.
  package static let makeEnvironment:
    @convention(c) (
      UnsafePointer<UnsafePointer<CChar>?>?
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = { tide_program_environment($0) }

  /// Opens a text in the editor that was chosen before confinement.
  ///
  /// - Returns: the editor's status as from `waitpid`, and the edited text.
  /// - Throws: ``ConfinementError``.
  package static func edit(_ text: String) throws(ConfinementError) -> (status: Int32, text: String)
  {
    var file: Int32 = -1
    try check(tide_broker_edit(&file))
    let isWritten = write(text, to: file)
    let reason = errno
    close(file)
    if !isWritten { try check(reason) }
    var status: Int32 = 0
    try check(tide_broker_finish_edit(&status, &file))
    defer { close(file) }
    return (status, read(file))
  }

  private static func check(_ failure: Int32) throws(ConfinementError) {
    if failure == 0 { return }
    throw ConfinementError("the editor cannot be run: \(SystemText.of(failure))")
  }

  private static func write(_ text: String, to file: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = systemWrite(file, part.baseAddress, part.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private static func read(_ file: Int32) -> String {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = systemRead(file, &room, room.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += room[..<count]
    }
  }
}

// Renamed, because methods above hide the system's functions.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}
private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}
