import Testing

@testable import TideBindings

@Suite struct TransformerTests {
  @Test func `transformers compose, and reverse when both do`() throws {
    let scaled = Transformer<Double, Double>.scaled(by: 2)
    let both = scaled.then(.offset(by: 1))
    #expect(try both.transform(3) == 7)
    #expect(try both.reverse?(7) == 3)
    #expect(try both.reversed?.transform(7) == 3)
    #expect(try both.reversed?.reverse?(3) == 7)
    let text = both.then(Transformer { "\($0)" })
    #expect(try text.transform(3) == "7.0")
    #expect(text.reverse == nil)
    #expect(text.reversed == nil)
  }

  @Test func `the typed built-ins do what their names say`() throws {
    #expect(try Transformer.trimmed.transform(" a ") == "a")
    #expect(try Transformer.trimmed.reverse?(" a ") == "a")
    #expect(try Transformer.uppercased.transform("a") == "A")
    #expect(try Transformer.lowercased.transform("A") == "a")
    #expect(try Transformer.capitalized.transform("ada lovelace") == "Ada Lovelace")
    #expect(try Transformer.not.transform(true) == false)
    #expect(try Transformer.clamped(to: 0...1).transform(2) == 1)
    #expect(Transformer.scaled(by: 0).reverse == nil)
  }
}
