import Foundation
import Testing

@testable import Monitor

/// A folder that looks like /proc, gone with its owner.
private final class FakeProc {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "proc-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    let file = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  func writeProcess(_ pid: Int, _ name: String, ticks: Int = 10, started: Int = 5) throws {
    let figures = "S 1 1 1 0 -1 0 0 0 0 0 \(ticks) 0 0 0 20 0 1 0 \(started) 0 7"
    try write("\(pid)/stat", "\(pid) (\(name)) \(figures)")
  }
}

@Suite struct LiveMachineTests {
  private let proc: FakeProc

  init() throws {
    proc = try FakeProc()
  }

  @Test func `this machine has figures`() throws {
    let sample = try #require(LiveMachine().sample())
    #expect(sample.uptime > 0)
    #expect(sample.memory.total > 0)
    #expect(sample.processors.count >= 2)
    let own = try #require(sample.processes.first { $0.pid == Int(getpid()) })
    #expect(own.state == "R" || own.state == "S")
    #expect(own.residentPages > 0)
    #expect(!own.command.isEmpty)
    #expect(!own.user.isEmpty)
    #expect(sample.processes.map(\.pid) == sample.processes.map(\.pid).sorted())
  }

  @Test func `files that are missing leave their figures at nothing`() throws {
    let machine = LiveMachine(folder: proc.path, users: "\(proc.path)/passwd")
    let sample = try #require(machine.sample())
    #expect(sample.host == "")
    #expect(sample.uptime == 0)
    #expect(sample.processors.isEmpty)
    #expect(sample.memory == MemoryFigures())
    #expect(sample.processes.isEmpty)
  }

  @Test func `a folder that is missing is a machine without figures`() {
    #expect(LiveMachine(folder: "\(proc.path)/nowhere").sample()?.processes.isEmpty == true)
  }

  @Test func `a process that vanishes while it is looked at is left out`() throws {
    try proc.writeProcess(10, "stays")
    try proc.write("11/cmdline", "gone\0")
    try proc.write("12/stat", "")
    try proc.write("13/stat", "13 (half) S 1 1")
    try proc.write("self/stat", "10 (stays) S")
    try proc.write("99999999999999/stat", "1 (x) S")
    let machine = LiveMachine(folder: proc.path)
    #expect(machine.sample()?.processes.map(\.name) == ["stays"])
    try proc.remove("10")
    #expect(machine.sample()?.processes.isEmpty == true)
  }

  @Test func `a command is read once, and anew for another program or another process`() throws {
    let machine = LiveMachine(folder: proc.path)
    func command() -> String? { machine.sample()?.processes.first?.command }
    try proc.writeProcess(10, "sh")
    try proc.write("10/cmdline", "sh\0-c\0ls\0")
    #expect(command() == "sh -c ls")
    try proc.write("10/cmdline", "changed\0")
    #expect(command() == "sh -c ls")
    try proc.writeProcess(10, "ls")
    #expect(command() == "changed")
    try proc.write("10/cmdline", "ls\0again\0")
    try proc.writeProcess(10, "ls", started: 6)
    #expect(command() == "ls again")
  }

  @Test func `users are found by the number of the folder's owner`() throws {
    try proc.writeProcess(10, "cat")
    try proc.write("passwd", "tide:x:\(getuid()):0::/:/bin/sh\n")
    let machine = LiveMachine(folder: proc.path, users: "\(proc.path)/passwd")
    #expect(machine.sample()?.processes.first?.user == "tide")
    let stranger = LiveMachine(folder: proc.path, users: "\(proc.path)/nowhere")
    #expect(stranger.sample()?.processes.first?.user == "\(getuid())")
  }

  @Test func `files longer than one read are read whole`() throws {
    let cores = (0..<300).map { "cpu\($0) \($0) 0 0 100 0 0 0 0 0 0" }
    try proc.write("stat", (["cpu  1 0 0 1 0 0 0 0 0 0"] + cores).joined(separator: "\n") + "\n")
    let processors = try #require(LiveMachine(folder: proc.path).sample()).processors
    #expect(processors.count == 301)
    #expect(processors.last?.user == 299)
  }
}
