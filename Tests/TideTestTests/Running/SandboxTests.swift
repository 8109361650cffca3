import FoundationEssentials
import Testing

@testable import TideTest

/// Specs of `Attacks`, which try to get out and say themselves that they are refused.
@Suite struct `Specs in the sandbox` {
  private static let attacks =
    URL(filePath: #filePath).deletingLastPathComponent().path
    + "/../Attacks/"

  /// The specs lie in a project; beside it is a file that they may not read.
  private func folder(with name: String) throws -> SpecFolder {
    let folder = try SpecFolder()
    for (file, target) in [
      ("spec/\(name)_spec.lua", "app/spec/\(name)_spec.lua"), ("secret.lua", "secret.lua"),
    ] {
      try folder.write(
        target, String(contentsOf: URL(filePath: Self.attacks + file), encoding: .utf8))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/app/linked.lua", withDestinationPath: "../secret.lua")
    return folder
  }

  @Test(arguments: ["environments", "modules", "reaching", "reading"])
  func `are refused what would lead out`(name: String) throws {
    let result = try folder(with: name).run { $0.isSandboxed = true }
    #expect(result.isGood, "\(result.text)")
    #expect(result.tests.count > 3)
  }

  @Test func `what the runner reads for reasons is what specs have loaded`() throws {
    let folder = try SpecFolder()
    try folder.write("secret.lua", "\nassert.equal(2, page.hidden)\n")
    let spec = """
      it('fails', function()
        page = object { hidden = 1 }
        load('\\nassert.equal(2, 1)', '@\(folder.path)/secret.lua')()
      end)
      """
    try folder.write("a_spec.lua", spec)
    let result = try folder.run { $0.isSandboxed = true }
    #expect(!result.isGood)
    #expect(!result.text.contains("hidden"), "\(result.text)")
  }

  @Test func `functions of the host bear whatever they are called with`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      """
      \(hostFinder)
      local host = host_of(it)
      it('has one', function() assert.is_table(host) end)
      it('tries', function()
        local most = math.mininteger
        for _, given in ipairs {
          {}, { most, most, most }, { 'x', 'y', 'z' }, { 1.5 }, { {} },
          { math.maxinteger, math.maxinteger },
        } do
          for name, fn in pairs(host) do
            if type(fn) == 'function' and name ~= 'chunk' and name ~= 'write' then pcall(fn, table.unpack(given)) end
          end
        end
        pcall(host.listed, most)
        pcall(host.linesOf, debug.getinfo(1, 'S').source:sub(2), most, most)
        pcall(host.linesOf, debug.getinfo(1, 'S').source:sub(2), math.maxinteger, math.maxinteger)
      end)
      """)
    let result = try folder.run { $0.timeLimit = 20 }
    #expect(result.tests.first == "ok 1 - has one", "\(result.text)")
    #expect(result.tests.count >= 2, "\(result.text)")
  }
}
