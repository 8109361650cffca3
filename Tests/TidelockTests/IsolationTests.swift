import Foundation
import Testing

/// What the program `Isolated`, which is built beside the tests, does with actors, tasks and
/// threads.
@Suite(.serialized) struct `Graphs of actors and threads` {
  private struct Outcome {
    let status: Int32
    let output: String
  }

  private func run(_ name: String = "Isolated", _ arguments: String...) throws -> Outcome {
    let program = Process()
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    program.executableURL = tests.deletingLastPathComponent().appending(path: name)
    program.arguments = arguments
    program.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { $1 })
    let pipe = Pipe()
    program.standardOutput = pipe
    program.standardError = pipe
    try program.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    program.waitUntilExit()
    return Outcome(
      status: program.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }

  @Test func `hold for objects that are made, sent, bound and exposed in actors`() throws {
    let outcome = try run("Isolated", "scenarios")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.hasSuffix("all right\n"))
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max >> 1)])
  func `never give a wrong value`(seed: UInt64) throws {
    let isSlow = ProcessInfo.processInfo.environment["TIDELOCK_SANITIZER"] != nil
    let outcome = try run("Isolated", "random", "\(seed)", isSlow ? "300" : "2000")
    #expect(outcome.status == 0, "seed \(seed): \(outcome.output)")
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max >> 1)])
  func `go with their actors, so that memory and descriptors stay flat`(seed: UInt64) throws {
    let isSlow = ProcessInfo.processInfo.environment["TIDELOCK_SANITIZER"] != nil
    let outcome = try run("Isolated", "cycle", isSlow ? "200" : "1000", "\(seed)")
    #expect(outcome.status == 0, "seed \(seed): \(outcome.output)")
  }

  @Test func `fit beside each other in their hundreds`() throws {
    let outcome = try run("Isolated", "live", "300")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("300 live"), "\(outcome.output)")
  }

  @Test func `of an interpreter are not given to a second thread while a call is under way`()
    throws
  {
    let outcome = try run("Isolated", "second")
    #expect(outcome.status != 0)
    #expect(outcome.output.contains("two threads use one LuaState"), "\(outcome.output)")
  }

  @Test func `serve a host whose code belongs to the main actor by default`() throws {
    let outcome = try run("MainActorHost")
    #expect(outcome.output == "quiet at 7 7\n", "\(outcome.output)")
  }

  @Test func `stop a debug build where somebody else uses a property, and refuse it otherwise`()
    throws
  {
    let outcome = try run("Isolated", "stop")
    #if DEBUG
      #expect(outcome.status != 0)
      #expect(outcome.output.contains("belongs to the main actor"), "\(outcome.output)")
    #else
      #expect(outcome.output.contains("went on with [\"graph\"]"), "\(outcome.output)")
    #endif
  }
}
