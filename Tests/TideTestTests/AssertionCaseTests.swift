import FoundationEssentials
import Testing

@testable import TideTest

/// The cases of `Assertions`, which hold under a stock Lua, hold under the host as well.
@Suite struct `Cases of assertions` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path
  private static let files: [String] = ["Shared", "Own"].flatMap { name in
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/Assertions/\(name)"))
    return (names ?? []).filter { $0.hasSuffix(".lua") }.sorted().map { "\(name)/\($0)" }
  }

  /// A spec with a test for each case of a file. The modules are loaded from their sources, since
  /// each case needs some of its own.
  private static func spec(_ file: String) -> String {
    """
    for name in pairs(package.preload) do package.preload[name] = nil end
    local sources = '\(folder)/../../Sources/CTideTest/Lua/'
    package.path = sources .. '?.lua;' .. sources .. '?/init.lua;' .. package.path
    local folder = '\(folder)/Assertions/'
    local outcome = dofile(folder .. 'outcome.lua')
    local number = 0
    local function check(source, verdict, expected)
      number = number + 1
      it(number .. ' ' .. source:gsub('%s+', ' '), function()
        local got_verdict, got = outcome(source)
        if got_verdict ~= verdict or got ~= expected then
          error(('expected it %s:\\n%s\\nbut it %s:\\n%s'):format(verdict, expected, got_verdict, got), 0)
        end
      end)
    end
    local words = dofile(folder .. 'cases.lua')
    loadfile(folder .. '\(file)', 't', words(check))()
    """
  }

  @Test func `there are cases`() { #expect(Self.files.count > 20) }

  @Test(arguments: files) func `hold under the host`(_ file: String) throws {
    let scratch = try SpecFolder()
    try scratch.write("case_spec.lua", Self.spec(file))
    let result = try scratch.run("TAP")
    #expect(
      result.isGood,
      "\(result.text.split(separator: "\n").filter { !$0.hasPrefix("ok") }.joined(separator: "\n").prefix(3000))"
    )
    #expect(result.tests.count > 2)
  }
}
