import Testing
import TideGraph

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

@Suite struct TransformerRegistryTests {
  let registry = TransformerRegistry()

  @Test func `B13 an unknown transformer is an error with the nearest name`() {
    for (typed, hint) in [
      ("capitalised", "; did you mean \"capitalized\"?"),
      ("upper", "; did you mean \"uppercase\"?"),
      ("frobnicate", ""),
    ] {
      let error = #expect(throws: TideError.self) { try registry.make(TransformCall(typed)) }
      #expect(error?.code == .unknownTransformer)
      #expect(error?.message == "there is no transformer \"\(typed)\"\(hint)")
    }
  }

  @Test func `a Swift transformer is registered by name and found again`() throws {
    registry.register(
      "initials",
      Transformer { (name: String) in
        String(name.split(separator: " ").compactMap(\.first))
      })
    #expect(try registry.make(TransformCall("initials")).forward?("Ada Lovelace") == "AL")
    let found: Transformer<String, String>? = registry["initials"]
    #expect(try found?.transform("Grace Hopper") == "GH")
    let other: Transformer<Int, String>? = registry["initials"]
    #expect(other == nil)
    #expect(throws: TideError.self) {
      try registry.make(TransformCall("initials", arguments: [1]))
    }
  }

  @Test func `a Swift transformer's input and output are converted`() throws {
    registry.register("half", Transformer({ (number: Double) in number / 2 }, reverse: { $0 * 2 }))
    let half = try registry.make(TransformCall("half"))
    #expect(try half.forward?(3) == 1.5)
    #expect(try half.forward?("3") == 1.5)
    #expect(try half.reverse?("1.5") == 3)
    #expect(throws: TideError.self) { try half.forward?("x") }
    #expect(throws: TideError.self) { try half.forward?(nil) }
    registry.register("orZero", Transformer { (number: Int?) in number ?? 0 })
    #expect(try registry.make(TransformCall("orZero")).forward?(nil) == 0)
  }

  @Test func `an own transformer takes a built-in's place until it is removed`() throws {
    let before = registry.generation
    registry.register("uppercase", AnyTransformer("uppercase") { _ in "mine" })
    #expect(try registry.make(TransformCall("uppercase")).forward?("a") == "mine")
    registry.remove("uppercase")
    #expect(try registry.make(TransformCall("uppercase")).forward?("a") == "A")
    #expect(registry.generation == before + 2)
  }

  @Test func `a maker gets the arguments and reports its own usage`() throws {
    registry.register("repeat", usage: "repeat(text, times)") { (arguments) throws(TideError) in
      try arguments.require(2...2)
      let times = try arguments.integer(1, in: 0...10, default: 1)
      let text = try arguments.text(0)
      return AnyTransformer("repeat") { _ in .string(String(repeating: text, count: times)) }
    }
    #expect(
      try registry.make(TransformCall("repeat", arguments: ["ab", 2])).forward?(nil) == "abab")
    let error = #expect(throws: TideError.self) { try registry.make(TransformCall("repeat")) }
    #expect(error?.message == "repeat(text, times) takes 2 arguments, not 0")
  }
}
