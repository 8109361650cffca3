import Testing
import TideGraph

@testable import TideBindings

/// `minor`, `currency`, and arithmetic that misses an integer by rounding.
@Suite struct MoneyTests {
  let registry = TransformerRegistry(now: { 0 })

  func make(_ call: String) throws -> AnyTransformer {
    try registry.make(BindingExpression("a -> b | \(call)").transforms[0])
  }

  func expect(_ call: String, _ amount: Int, _ shown: Value) throws {
    let transformer = try make(call)
    let result = try transformer.forward?(.integer(amount))
    #expect(result == shown, "\(amount) | \(call)")
    #expect(result?.typeName == shown.typeName, "\(amount) | \(call)")
    #expect(try transformer.reverse?(shown) == .integer(amount), "\(shown.shown) | !\(call)")
  }

  @Test func `minor units are a number with so many decimals, and back`() throws {
    try expect("minor(2)", 29, 0.29)
    try expect("minor(2)", 1250, 12.5)
    try expect("minor(2)", -5, -0.05)
    try expect("minor(0)", 7, 7)
    try expect("minor(3)", 1001, 1.001)
    #expect(try make("minor(2)").reverse?("12.50") == 1250)
    #expect(try make("minor(2)").reverse?(12) == 1200)
    #expect(try make("minor(2)").reverse?(.number(0.1 + 0.2)) == 30)
  }

  @Test func `every amount comes back from what a number and a text show`() throws {
    let minor = try make("minor(2)")
    for amount in Array(-1000...1000) + [99_999_999, 4_503_599_627_370_497, -1_234_567_890_123] {
      let number = try #require(try minor.forward?(.integer(amount)))
      #expect(try minor.reverse?(number) == .integer(amount))
      #expect(try minor.reverse?(.string(number.text ?? "")) == .integer(amount))
    }
    for code in ["EUR", "JPY", "BHD", "CLF", "CHF", "XOF"] {
      let currency = try make("currency(\(code))")
      for locale in FormatLocale.identifiers {
        registry.language.use(locale)
        for amount in [0, 1, -1, 99, 1250, -123_456, 1_234_567, .max, .min] {
          let text = try #require(try currency.forward?(.integer(amount)))
          #expect(try currency.reverse?(text) == .integer(amount), "\(locale) \(text.shown)")
        }
      }
    }
  }

  @Test func `what a number cannot hold exactly is refused`() throws {
    let minor = try make("minor(2)")
    #expect(throws: TideError.self) { try minor.forward?(.integer(9_007_199_254_740_993)) }
    #expect(throws: TideError.self) { try minor.forward?(0.5) }
    for wrong in ["0.005", "", ".", "1e5", "12 kg", "99999999999999999999", "--5"] as [Value] {
      #expect(throws: TideError.self, "\(wrong.shown)") { try minor.reverse?(wrong) }
    }
    for wrong in [0.005, 6_000_000_000.005, .number(.nan), .number(.infinity), true] as [Value] {
      #expect(throws: TideError.self, "\(wrong.shown)") { try minor.reverse?(wrong) }
    }
  }

  @Test(arguments: [
    ("en", "EUR", 1250, "€12.50"), ("en", "USD", -123_456, "-$1,234.56"),
    ("en", "JPY", 1250, "¥1,250"), ("en", "BHD", 1250, "BHD\u{a0}1.250"),
    ("de", "EUR", 1250, "12,50\u{a0}€"), ("de", "EUR", -123_456, "-1.234,56\u{a0}€"),
    ("nl", "EUR", -1250, "€\u{a0}-12,50"), ("de-CH", "CHF", 123_456, "CHF\u{a0}1’234.56"),
    ("de-CH", "CHF", -50, "CHF-0.50"), ("pt", "BRL", 1250, "R$\u{a0}12,50"),
    ("sv", "SEK", 1250, "12,50\u{a0}kr"), ("fr", "USD", 1250, "12,50\u{a0}$US"),
    ("pl", "PLN", 5, "0,05\u{a0}zł"), ("ja", "JPY", 1250, "￥1,250"),
    ("es-MX", "MXN", 1250, "$12.50"), ("zh", "CNY", 1250, "¥12.50"),
  ])
  func `a currency is written as the language does`(
    locale: String, code: String, amount: Int, text: String
  ) throws {
    registry.language.use(locale)
    try expect("currency(\(code))", amount, .string(text))
  }

  @Test func `an amount is read as people type it`() throws {
    registry.language.use("de")
    let currency = try make("currency(eur)")
    for text in [
      "12,50 €", "12,5", " 12.50 ", "€12,50", "EUR 12,50", "12,50EUR", "12,50\u{a0}eur", "12,500",
    ] {
      #expect(try currency.reverse?(.string(text)) == 1250, "\(text)")
    }
    for text in ["-12,50 €", "\u{2212}12,50", "€ -12,50", "-€12,50", "- 12,50"] {
      #expect(try currency.reverse?(.string(text)) == -1250, "\(text)")
    }
    #expect(try currency.reverse?("1.234 €") == 123_400)
    #expect(try currency.reverse?(12.5) == 1250)
    for text in ["", "€", "12,505", "$12", "12 € 5", "--5", "-€-5", "twelve"] {
      #expect(throws: TideError.self, "\(text)") { try currency.reverse?(.string(text)) }
    }
  }

  @Test func `an amount that cannot be read shows how one is written`() throws {
    registry.language.use("de")
    let error = #expect(throws: TideError.self) { try make("currency(EUR)").reverse?("viel") }
    #expect(
      error?.message
        == "cannot convert \"viel\" (string) to EUR: expected an amount such as 12,50\u{a0}€")
  }

  @Test(arguments: ["currency(EURO)", "currency", "minor", "minor(-1)", "minor(19)"])
  func `what is no currency and no number of decimals is refused when the binding is made`(
    call: String
  ) {
    let error = #expect(throws: TideError.self) { try make(call) }
    #expect(error?.code == .badArgument)
  }

  @Test func `an integer is the nearest one where rounding is the difference`() {
    #expect(Value.number(0.29 / 0.01).withoutRounding == 29)
    #expect(Value.number(-0.57 / 0.01).withoutRounding == -57)
    #expect(Value.number(0).withoutRounding == 0)
    for float in [28.5, 28.9999, 1e-9, 1e30, .infinity, 1e12 + 0.5, 4e13 + 0.25] as [Double] {
      #expect(Value.number(float).withoutRounding.typeName == Value.number(float).typeName)
    }
  }
}
