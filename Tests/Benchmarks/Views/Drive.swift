import Driver
import Foundation
import Terminal

/// An app without a terminal that draws 60 times a second, while it is driven.
@MainActor
private final class DrivenApp {
  private let process = Process()
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "bench-\(UUID().uuidString)")
  var name: String { "\(process.processIdentifier)" }

  static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "tidelock").path

  private static let script = """
    local m = model "m" { name = "fig", ticks = 0, taps = 0 }
    every(1 / 60, function() m.ticks = m.ticks + 1 end)
    show(view.column {
      view.label { text = function() return ("#"):rep(m.ticks % 70) end },
      view.button { id = "ok", title = "OK", on = { touchUpInside = function() m.taps = m.taps + 1 end } },
    })
    print "up"
    """

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = folder.appending(path: "app.lua")
    try Data(Self.script.utf8).write(to: script)
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["run", script.path]
    // As what drives it has it.
    process.environment = ["LANG": "C.UTF-8", "PATH": "/usr/bin"]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    driver.check(!output.fileHandleForReading.availableData.isEmpty, "the app is up")
  }

  func end() {
    process.terminate()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Performs verbs on one connection. Returns the printed lines and the seconds.
  func drive(_ verbs: [String]) throws -> (lines: [Substring], seconds: Double) {
    let file = folder.appending(path: "verbs")
    try Data(verbs.joined(separator: "\n").utf8).write(to: file)
    let drive = Process(), output = Pipe()
    drive.executableURL = URL(filePath: Self.program)
    drive.arguments = ["drive", name, "-f", file.path]
    drive.environment = process.environment
    drive.standardOutput = output
    let start = ContinuousClock.now
    try drive.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let seconds = start.duration(to: .now) / .seconds(1)
    drive.waitUntilExit()
    driver.check(drive.terminationStatus == 0, "the verbs succeed")
    return (text.split(separator: "\n"), seconds)
  }
}

/// From the call of `tidelock drive` to the answer of one verb; a verb among many on one connection;
/// and how many of 60 frames a second are missed meanwhile.
@MainActor
func measureDriving() throws {
  let app = try DrivenApp()
  defer { app.end() }
  var times: [Double] = []
  for _ in 0..<15 {
    times.append(
      try Launch(DrivenApp.program, ["drive", app.name, "get", "m.name"], until: "fig").milliseconds
    )
  }
  driver.report("process", times.sorted()[times.count / 2])
  let count = 3000
  let taps = Array(repeating: "tap ok", count: count)
  let (lines, seconds) = try app.drive(["get m.ticks"] + taps + ["get m.ticks", "get m.taps"])
  driver.check(lines.count == 3 && lines[2] == "\(count)", "all taps have arrived")
  guard lines.count == 3, let first = Double(lines[0]), let last = Double(lines[1]) else { return }
  driver.report("verb", seconds * 1000 / Double(count))
  driver.report("missed", max(0, 60 - (last - first) / seconds))
}
