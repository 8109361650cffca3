import TideCheck
import TideTest
import Testing

@Suite struct `The grammar of assertions` {
  @Test func `has only words that the runner knows`() throws {
    let grammar = AssertionGrammar.tidelock
    let folder = try SpecFolder()
    let words = (grammar.assertions + grammar.modifiers).map { "\"\($0)\"" }
    try folder.write(
      "spec/words_spec.lua",
      """
      for _, word in ipairs { \(words.joined(separator: ", ")), "unheard" } do
        it("has " .. word, function()
          local _, message = pcall(assert[word])
          if tostring(message):find("unknown modifier", 1, true) then error("unknown", 0) end
        end)
      end
      for _, name in ipairs { \(grammar.functions.map { "\"\($0)\"" }.joined(separator: ", ")) } do
        it("has a function " .. name, function() assert(type(assert[name]) == "function") end)
      end
      """)
    let failed = try folder.run().tests.filter { $0.hasPrefix("not ok") }
    #expect(failed.count == 1)
    #expect(failed.allSatisfy { $0.contains("has unheard") }, "\(failed)")
  }
}
