import Foundation

/// A program started in a terminal of its own, timed until it has shown a text, and then ended.
public struct Launch {
  /// How long it took from the start until the text was there.
  public let milliseconds: Double

  /// The program ended, or could not be started, before it had shown the text.
  public struct Failure: Error {
    let output: String
  }

  /// Starts a program and waits until it has shown a text.
  ///
  /// - Throws: ``Failure`` when it ends without; `Process`'s errors when it does not start.
  public init(_ program: String, _ arguments: [String], until text: String) throws {
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    var reader: Int32 = -1
    var terminal: Int32 = -1
    guard openpty(&reader, &terminal, nil, nil, &size) == 0 else { throw Failure(output: "") }
    defer { close(reader) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin"]
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    let start = ContinuousClock.now
    try process.run()
    close(terminal)
    var seen: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let wanted = Array(text.utf8)
    while !seen.contains(wanted) {
      let count = read(reader, &bytes, bytes.count)
      if count <= 0 { break }
      seen += bytes[..<count]
    }
    let duration = start.duration(to: .now).components
    process.terminate()
    process.waitUntilExit()
    guard seen.contains(wanted) else {
      throw Failure(output: String(decoding: seen, as: UTF8.self))
    }
    milliseconds = Double(duration.seconds) * 1000 + Double(duration.attoseconds) / 1e15
  }
}
