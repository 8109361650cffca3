import Testing

@testable import TideSystem

struct RunningProgramTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private final class Seen {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var ending: ProgramEnding?
  }

  private func run(
    _ arguments: [String], input: String? = nil, _ change: (inout ProgramRequest) -> Void = { _ in }
  ) throws -> Seen {
    var request = ProgramRequest(arguments)
    request.takesInput = input != nil
    change(&request)
    let program = try RunningProgram(loop, request)
    let seen = Seen()
    program.onOutput = { seen.output += $0 }
    program.onErrors = { seen.errors += $0 }
    program.onEnd = { seen.ending = $0 }
    if let input {
      program.write(Array(input.utf8))
      program.closeInput()
    }
    while seen.ending == nil { loop.turn(timeout: 10) }
    return seen
  }

  @Test func `what it writes comes before its end`() throws {
    let seen = try run(["sh", "-c", "echo out; echo err >&2; exit 7"])
    #expect(String(decoding: seen.output, as: UTF8.self) == "out\n")
    #expect(String(decoding: seen.errors, as: UTF8.self) == "err\n")
    #expect(seen.ending == ProgramEnding(code: 7))
  }

  @Test func `much is written to it and read from it at once`() throws {
    let text = String(repeating: "0123456789", count: 500_000)
    let seen = try run(["cat"], input: text)
    #expect(seen.output.count == 5_000_000)
    #expect(seen.ending?.code == 0)
  }

  @Test func `it has the environment and the folder that were asked for`() throws {
    let seen = try run(["sh", "-c", "echo $FRUIT$HOME; pwd"]) { request in
      request.environment = ["FRUIT": "fig", "HOME": "!"]
      request.folder = "/"
    }
    #expect(String(decoding: seen.output, as: UTF8.self) == "fig!\n/\n")
  }

  @Test func `a program that is not there is an error`() {
    #expect(throws: SystemError.self) {
      _ = try RunningProgram(loop, ProgramRequest(["no-such-program"]))
    }
    var request = ProgramRequest(["true"])
    request.folder = "/no/such/folder"
    #expect(throws: SystemError.self) { _ = try RunningProgram(loop, request) }
  }

  @Test func `signals end it, and are told`() throws {
    let program = try RunningProgram(loop, ProgramRequest(["sleep", "1000"]))
    var ending: ProgramEnding?
    program.onEnd = { ending = $0 }
    #expect(program.signal(SIGTERM))
    while ending == nil { loop.turn(timeout: 10) }
    #expect(ending?.signal == SIGTERM && ending?.code == 143)
    #expect(!program.signal(SIGTERM))
  }

  @Test func `what it has started ends with it`() throws {
    let seen = try run(["sh", "-c", "sleep 1000 & echo $!"])
    let child = try #require(Int32(String(decoding: seen.output, as: UTF8.self).dropLast()))
    var isGone = false
    for _ in 0..<100 where !isGone {
      isGone = kill(child, 0) != 0 || Self.isZombie(child)
      usleep(10_000)
    }
    #expect(isGone)
  }

  private static func isZombie(_ id: Int32) -> Bool {
    guard let file = fopen("/proc/\(id)/stat", "r") else { return true }
    defer { fclose(file) }
    var room = [CChar](repeating: 0, count: 300)
    fread(&room, 1, room.count - 1, file)
    return String(decoding: room.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains(") Z ")
  }

  @Test func `none of many runs leaves a descriptor`() throws {
    _ = try run(["true"])
    let before = Self.openDescriptors
    for _ in 0..<200 { _ = try run(["true"], input: "x") }
    // Other tests of this process open some meanwhile.
    #expect(Self.openDescriptors < before + 100)
  }

  private static var openDescriptors: Int {
    (0..<1024).count { fcntl(Int32($0), F_GETFD) >= 0 }
  }
}
