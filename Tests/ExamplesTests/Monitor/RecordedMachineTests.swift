import Foundation
import Testing

@testable import Monitor

/// Where the monitor's recorded samples are.
enum Recordings {
  static let path = folder.appending(path: "recorded").path
  static let app = folder.appending(path: "app.lua")

  private static let folder = Examples.folder.appending(path: "monitor")
}

@Suite struct RecordedMachineTests {
  @Test func `the recorded samples are read in order, and come to an end`() throws {
    let machine = try RecordedMachine(Recordings.path)
    var samples: [Sample] = []
    while let sample = machine.sample() { samples.append(sample) }
    #expect(samples.count == 20)
    #expect(samples.map(\.uptime) == samples.map(\.uptime).sorted())
    for sample in samples {
      #expect(sample.host == "lighthouse")
      #expect(sample.processors.count == 5)
      #expect(sample.memory.total == 16_277_412 * 1024)
      #expect(sample.processes.count > 25)
    }
    #expect(machine.sample() == nil)
  }

  @Test func `a recorded process has a user and a command`() throws {
    let sample = try #require(try RecordedMachine(Recordings.path).sample())
    let pam = try #require(sample.processes.first { $0.pid == 1411 })
    #expect(pam.name == "(sd-pam)")
    #expect(pam.user == "ada")
    let thread = try #require(sample.processes.first { $0.pid == 2 })
    #expect(thread.isKernelThread)
    #expect(thread.command == "[kthreadd]")
  }

  @Test func `lines that make no sense are left out`() {
    let text = """
      ==> uptime <==
      12.5 40

      ==> processes <==
      root 1 (init) S 0 1 1 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 4 100 30\t/sbin/init
      root
      root nonsense
      ==> later <==
      """
    let sample = Sample(recorded: Array(text.utf8))
    #expect(sample.uptime == 12.5)
    #expect(sample.processes.map(\.command) == ["/sbin/init"])
  }

  @Test func `a folder without samples is refused`() throws {
    let path = NSTemporaryDirectory() + "empty-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: RecordingError.self) { try RecordedMachine(path) }
    #expect(throws: RecordingError.self) { try RecordedMachine("\(path)/nowhere") }
    try Data("milk, bread".utf8).write(to: URL(filePath: "\(path)/notes.txt"))
    #expect(throws: RecordingError.self) { try RecordedMachine(path) }
  }
}
