import Testing

@testable import TideTest

@Suite struct `The line of a failure` {
  private func run(_ spec: String, lines: Bool = false) throws -> String {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", spec)
    try folder.write("lib.lua", "return function(x)\n  return x.y.z\nend\n")
    return try folder.run("plainTerminal") { options in
      options.writesLines = lines
      options.modulePath = folder.path + "/?.lua"
    }.text
  }

  @Test func `is shown with it`() throws {
    let text = try run("it('is', function()\n\tassert.is_true(false)\nend)")
    #expect(text.hasSuffix("Expected:\n(boolean) true\n  2 |  assert.is_true(false)\n"), "\(text)")
  }

  @Test func `is that of the module where an error was raised`() throws {
    let text = try run("local lib = require 'lib'\nit('is', function() lib {} end)")
    #expect(text.contains("\n  2 |   return x.y.z\n"), "\(text)")
  }

  @Test func `is shown where a file cannot be compiled`() throws {
    #expect(try run("it('is', function()\n  x = = 1\nend)").contains("\n  2 |   x = = 1\n"))
  }

  @Test func `has a caret where the column is known`() throws {
    let location = try #require(SourceLine.Location(of: "app.lua:2:7: no such model"))
    let line = try #require(SourceLine(location, in: "a\n  é = [models]\n"))
    #expect(line.excerpt == "  2 |   é = [models]\n    |      ^")
    #expect(SourceLine.Location(of: "no location") == nil)
    #expect(SourceLine(SourceLine.Location("a.lua", 9), in: "a") == nil)
  }

  @Test func `is a field of the JSON`() throws {
    let text = try run("it('is', function()\n  assert.is_true(false)\nend)", lines: true)
    #expect(text.contains("\"line\":2,\"text\":\"  assert.is_true(false)\"}"), "\(text)")
  }
}
