import Foundation

/// A program that runs the specs of a folder.
struct Runner {
  let program: String
  let arguments: [String]

  static let tidelock = Runner(
    program: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tidelock").path, arguments: ["test"])
  /// Nil where it is not installed.
  static let busted: Runner? =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/busted")
    ? Runner(program: "/usr/bin/busted", arguments: []) : nil

  struct Failure: Error {
    let status: Int32
  }

  /// How long it takes, in milliseconds: the shortest of several times.
  func time(in folder: SpecFolder, times: Int) throws -> Double {
    var shortest = Double.infinity
    for _ in 0..<times {
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
      process.currentDirectoryURL = folder.url
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      let start = ContinuousClock.now
      try process.run()
      process.waitUntilExit()
      shortest = min(shortest, milliseconds(since: start))
      guard process.terminationStatus == 0 else {
        throw Failure(status: process.terminationStatus)
      }
    }
    return shortest
  }
}

func milliseconds(since start: ContinuousClock.Instant) -> Double {
  let parts = start.duration(to: .now).components
  return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
}
