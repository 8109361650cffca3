import TideSystem

/// Runs an app in a separate process until it shows its first picture.
///
/// The scripts are written to a folder that only this user can read. `tidelock run` runs them,
/// confined and without permissions. Its budgets are small, because half-typed code may do
/// anything, and it is killed when its time has passed.
struct PreviewRun: Sendable {
  /// The program and its arguments, without the file and the marker.
  let program: [String]
  /// The prefix of the line with the picture; random, so that no script can forge such a line.
  let mark = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
  let app: PreviewApp

  /// The output of the program.
  struct Result: Sendable {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// The picture, as JSON.
    var picture: [UInt8]?
    /// The reason for a missing picture, if the program did not report it.
    var failure: String?
  }

  /// The time limit in seconds.
  private static let timeLimit = 5.0
  /// The limit of output in bytes.
  private static let sizeLimit = 16 << 20

  func run() -> Result {
    var result = Result()
    guard let folder = TemporaryFolder("preview") else {
      result.failure = "no folder can be made for the preview"
      return result
    }
    defer { folder.remove() }
    for script in app.scripts {
      guard folder.write(script.bytes, to: script.name) else {
        result.failure = "\(script.name) cannot be written for the preview"
        return result
      }
    }
    do { try run(in: folder.path, &result) } catch { result.failure = "\(error)" }
    return result
  }

  private func run(in folder: String, _ result: inout Result) throws {
    let loop = try EventLoop()
    var request = ProgramRequest(program + ["--snapshot-preview", mark, app.main])
    request.folder = folder
    request.environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"]
    var found = Result()
    var isOver = false
    let running = try RunningProgram(loop, request)
    running.onOutput = { found.output += $0.prefix(Self.sizeLimit - found.output.count) }
    running.onErrors = { found.errors += $0.prefix(Self.sizeLimit - found.errors.count) }
    running.onEnd = { _ in isOver = true }
    let timer = loop.after(Self.timeLimit) {
      found.failure = "the app takes longer than \(Int(Self.timeLimit)) seconds to show its view"
      isOver = true
    }
    while !isOver { loop.turn() }
    timer.cancel()
    running.end()
    found.picture = found.output.split(separator: UInt8(ascii: "\n")).lazy
      .first { $0.starts(with: mark.utf8) }.map { Array($0.dropFirst(mark.utf8.count)) }
    result = found
  }
}
