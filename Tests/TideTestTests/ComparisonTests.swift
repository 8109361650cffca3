import FoundationEssentials
import Glibc
import Testing

@testable import TideTest

/// The same specs, reported by busted and by us. What busted prints is kept in `Golden`, and
/// compared with busted itself where that is installed.
@Suite struct `Specs of busted` {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    /// Below `Specs`.
    let files: [String]
    var flags: [String] = []
    var configure: @Sendable (inout TestOptions) -> Void = { _ in }
    var testDescription: String { name }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().path
  static let specs = [
    "order", "hooks", "errors", "environment", "grammar", "tags", "shuffle", "raising", "broken",
    "standalone", "empty",
  ]
  static let together = ["environment", "expose_1", "hooks", "expose_2", "tags"]

  static let examples: [Example] =
    specs.map { Example(name: $0, files: [$0]) }
    + ["order", "hooks", "errors", "mixed"].flatMap { name in
      [
        Example(name: "\(name)-tap", files: [name], flags: ["-o", "TAP", "-v"]) {
          $0.output = "TAP"
          $0.isVerbose = true
        },
        Example(name: "\(name)-gtest", files: [name], flags: ["-o", "gtest"]) {
          $0.output = "gtest"
        },
        Example(name: "\(name)-junit", files: [name], flags: ["-o", "junit"]) {
          $0.output = "junit"
        },
        Example(name: "\(name)-utf", files: [name], flags: ["-o", "utfTerminal", "-v"]) {
          $0.output = "utfTerminal"
          $0.isVerbose = true
        },
      ]
    } + [
      Example(name: "together", files: together),
      Example(name: "together-shuffled", files: together, flags: ["--shuffle", "--seed", "3"]) {
        ($0.shufflesFiles, $0.shufflesTests, $0.seed) = (true, true, 3)
      },
      Example(name: "together-sorted", files: together, flags: ["--sort"]) {
        ($0.sortsFiles, $0.sortsTests) = (true, true)
      },
      Example(name: "together-exposed", files: together, flags: ["--no-auto-insulate"]) {
        $0.insulatesFiles = false
      },
      Example(name: "together-stopped", files: together, flags: ["--no-keep-going"]) {
        $0.keepsGoing = false
      },
      Example(name: "tags-listed", files: ["tags"], flags: ["-l", "-t", "slow"]) {
        ($0.listsOnly, $0.tags) = (true, ["slow"])
      },
      Example(name: "tags-slow", files: ["tags"], flags: ["-o", "TAP", "-t", "slow"]) {
        ($0.output, $0.tags) = ("TAP", ["slow"])
      },
      Example(
        name: "tags-excluded", files: ["tags"], flags: ["-o", "TAP", "--exclude-tags", "slow"]
      ) {
        ($0.output, $0.excludedTags) = ("TAP", ["slow"])
      },
      Example(name: "tags-filtered", files: ["tags"], flags: ["-o", "TAP", "--filter", "has .*#"]) {
        ($0.output, $0.filters) = ("TAP", ["has .*#"])
      },
      Example(name: "order-lazy", files: ["order"], flags: ["--lazy"]) { $0.isLazy = true },
      Example(name: "order-twice", files: ["order"], flags: ["--repeat", "2"]) { $0.repeats = 2 },
      Example(
        name: "order-quiet", files: ["order"], flags: ["--suppress-pending", "--defer-print"]
      ) {
        ($0.suppressesPending, $0.defersPrint) = (true, true)
      },
    ]

  @Test(arguments: examples)
  func `are reported alike`(_ example: Example) throws {
    let scratch = try SpecFolder()
    for file in example.files {
      let text = try String(
        contentsOf: URL(filePath: "\(Self.folder)/Specs/\(file)_spec.lua"), encoding: .utf8)
      try scratch.write("Specs/\(file)_spec.lua", text)
    }
    let result = try scratch.run("plainTerminal") { options in
      options.roots = example.files.map { "\(scratch.path)/Specs/\($0)_spec.lua" }
      example.configure(&options)
    }
    // Busted shows no lines of the specs.
    let text = result.text.replacing(/\n +[0-9]+ \| .*/, with: "")
    #expect(Self.plain(text) == Self.plain(try Self.golden(example)))
  }

  /// With the Lua that is ours: the system's own may be an older one, which says other things.
  private static let busted = ["/usr/bin/lua5.4", "/usr/bin/busted"]

  @Test(.enabled(if: busted.allSatisfy { access($0, X_OK) == 0 }), arguments: examples)
  func `are what busted makes of them`(_ example: Example) throws {
    let text = Self.bustedOutput(example)
    if getenv("TIDELOCK_RECORD") != nil {
      try Data(text.utf8).write(to: URL(filePath: Self.goldenPath(example)))
    }
    #expect(Self.plain(text) == Self.plain(try Self.golden(example)))
  }

  private static func golden(_ example: Example) throws -> String {
    try String(contentsOf: URL(filePath: goldenPath(example)), encoding: .utf8)
  }

  private static func goldenPath(_ example: Example) -> String {
    "\(folder)/Golden/\(example.name).txt"
  }

  private static func bustedOutput(_ example: Example) -> String {
    let files = example.files.map { "Specs/\($0)_spec.lua" }
    let words = (busted + example.flags + files).map { "'\($0)'" }.joined(separator: " ")
    guard let stream = popen("cd '\(folder)' && \(words) 2>/dev/null", "r") else { return "" }
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    var byte = fgetc(stream)
    while byte >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      byte = fgetc(stream)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Without times and addresses, and with attributes of XML in one order.
  private static func plain(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = String(line)
      line.replace(/[0-9]+\.[0-9]+ ms/, with: "T ms")
      line.replace(/: [0-9.e\-]+ seconds/, with: ": T seconds")
      line.replace(/0x[0-9a-f]+/, with: "0x…")
      guard let tag = line.firstMatch(of: /<(testcase|testsuites?)( .*?)(\/?)>/) else {
        return line
      }
      let attributes = tag.2.matches(of: /[a-z]+='[^']*'/).map { String($0.0) }
        .filter { !$0.hasPrefix("time") }.sorted()
      return "<\(tag.1) \(attributes.joined(separator: " "))\(tag.3)>"
    }
  }
}
