import Glibc
import Testing

@testable import TideSystem

@Suite struct `System calls` {
  @Test(arguments: [
    ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", SystemCallFilter.Architecture.x86),
    ("/usr/include/asm-generic/unistd.h", .arm),
  ])
  func `have the numbers of the kernel's headers`(
    header: String, architecture: SystemCallFilter.Architecture
  ) throws {
    let known = try #require(Self.numbers(in: header), "the headers of the kernel are missing")
    for call in Self.all {
      let name = "\(call.name)"
      guard let number = architecture.number(of: call) else {
        #expect(known[name] == nil, "\(name) is \(known[name] ?? 0) there")
        continue
      }
      // Headers may be older than the newest call.
      #expect(known[name] == number || number > (known.values.max() ?? 0), "\(name)")
      #expect(number <= SystemCall.newest)
    }
  }

  static let all =
    SystemCall.refused + SystemCall.absent + SystemCall.aboutProcesses + SystemCall.signalling
    + SystemCall.memoryFiles + [
      .clone, .open, .openAt, .create, .socket, .socketPair, .connect, .bind,
      .listen, .sendTo, .sendMessage, .sendMessages, .kill, .controlProcess,
      .controlDevice, .controlFile, .setPriority, .setDiskPriority, .mapMemory,
    ]

  private static func numbers(in header: String) -> [String: Int]? {
    guard let file = fopen(header, "r") else { return nil }
    defer { fclose(file) }
    var numbers: [String: Int] = [:]
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, 512, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let parts = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
      guard parts.count >= 3, parts[0] == "#define", let number = Int(parts[2]) else { continue }
      for prefix in ["__NR_", "__NR3264_"] where parts[1].hasPrefix(prefix) {
        numbers[String(parts[1].dropFirst(prefix.count))] = number
      }
    }
    return numbers
  }
}
