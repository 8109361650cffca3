import Testing

@testable import TideBindings

@Suite struct ExpressionFuzzTests {
  static let seeds = [
    "name -> text | capitalized", "fruit.name <> @superview.dataObject.items[12].name | trim",
    "a !~> @superviewWithRestorationID['my ] id'].@sum.price | !plural(one, \"ma\\\"ny\", -0x1p4, nil)",
    "größe <-! 名前.@subviews[0] | format(\"%.2f €\") | default(nil, true, 1e5)", "@cell <~! x",
  ]

  /// Parses every way; whatever parses must come back from its description.
  static func probe(_ text: String) {
    if let expression = try? BindingExpression(text) {
      #expect((try? BindingExpression(expression.description)) == expression, "\(text)")
    }
    if let expression = try? ViewExpression(text) {
      #expect((try? ViewExpression(expression.description)) == expression, "\(text)")
    }
    do {
      _ = try Path(text)
    } catch {
      #expect(error.message.hasPrefix("column ") || error.message.hasPrefix("line "))
      #expect(error.message.hasSuffix("^"))
    }
  }

  @Test func `an expression cut at every character never traps`() {
    for seed in Self.seeds {
      for index in seed.indices {
        Self.probe(String(seed[..<index]))
        Self.probe(String(seed[index...]))
      }
    }
  }

  @Test func `random bytes and mutations never trap`() {
    var random = SeededGenerator("expression fuzz")
    let parts = Self.seeds.map { Array($0.utf8) }
    let alphabet = Array("ab1 .@[](){}'\"|!<>-~,\\\n\t%\u{0}é".utf8)
    for _ in 0..<20_000 {
      var bytes = parts[Int.random(in: parts.indices, using: &random)]
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = alphabet[Int.random(in: alphabet.indices, using: &random)]
        case 2: bytes.insert(alphabet[Int.random(in: alphabet.indices, using: &random)], at: index)
        default: bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
      Self.probe(String(decoding: bytes, as: UTF8.self))
    }
  }
}
