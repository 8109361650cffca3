import Testing

@testable import TideTest

@Suite struct `Reports of hostile specs` {
  private static let spec = #"""
    describe('d\27]0;a\7', function()
      it('n\nok 9 - forged\u{9b}', function() error('m\27[2J\u{202e}', 0) end)
      it('same', function() assert.same({ 'a\27[3J' }, { 'b\u{9b}' }) end)
      it('waits', function() pending('p\nok 8 - forged\27c') end)
    end)
    """#

  private func report(_ output: String) throws -> String {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", Self.spec)
    return try folder.run(output) { options in
      options.isVerbose = true
      options.hasColors = false
    }.text
  }

  @Test(arguments: ["utfTerminal", "plainTerminal", "TAP", "gtest", "json", "junit"])
  func `steer no terminal`(_ output: String) throws {
    let text = try report(output)
    let steering = text.unicodeScalars.filter {
      $0 != "\n" && $0 != "\t"
        && ($0.value < 0x20 || (0x7f...0x9f).contains($0.value) || $0.value == 0x202e)
    }
    #expect(steering.isEmpty, "\(text.debugDescription)")
    #expect(text.contains("same"))
  }

  @Test func `forge no lines of TAP`() throws {
    let text = try report("TAP")
    #expect(!text.contains("\nok 9") && !text.contains("\nok 8"))
    #expect(text.contains(#"d\27]0;a\7 n\10ok 9 - forged\u{9b}"#))
    #expect(text.contains(#"m\27[2J\u{202e}"#))
  }

  @Test func `keep their own colours`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", Self.spec)
    let text = try folder.run("utfTerminal") { $0.hasColors = true }.text
    #expect(text.contains("\u{1b}[31m◼\u{1b}[0m") || text.contains("\u{1b}[35m✱\u{1b}[0m"))
    #expect(!text.contains("\u{1b}]") && !text.contains("\u{1b}[2J"))
  }

  @Test func `keep the colours of marked differences`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      """
      it('x', function()
        assert:set_parameter('TableErrorHighlightColor', 'red')
        assert.same({ 1 }, { 2 })
      end)
      """)
    #expect(try folder.run("plainTerminal").text.contains("\u{1b}[31m*\u{1b}[0m"))
  }

  @Test func `write as XML what XML can hold`() {
    let element = XMLElement("a", [("name", "\u{9b}\u{202e}\u{7f}é")])
    #expect(element.text() == "\n<a name='&#155;&#8238;&#127;é'/>")
  }
}
