import Testing
import TideBindings
import TideScript
import TideViews

/// Uses what is deprecated where the compiler does not mind: behind a requirement that is not.
private protocol FormerSpelling {
  static func run() throws
}

private enum FormerSpellings: FormerSpelling {
  @available(*, deprecated, message: "tests what is deprecated")
  static func run() throws {
    let runtime = try Runtime(path: "former.lua"), other = try Runtime(path: "other.lua")
    let model = DictionaryObject(["n": 7])
    runtime.models["m"] = model
    runtime.functions["half"] = { (n: Int) in n / 2 }
    runtime.transformers["twice"] = Transformer { (n: Int) in 2 * n }
    runtime.viewClasses["gauge"] = ViewClass(properties: [:]) { _, _ in }
    #expect(try runtime.evaluate("half(models.m.n)") == 3)
    try runtime.evaluate("view.gauge {} bind('n -> twice | twice', models.m, models.m)")
    #expect(try runtime.evaluate("models.m.twice", as: Int.self) == 14)
    #expect(runtime.errors.isEmpty, "\(runtime.errors)")
    // What `register` throws is listed, and leaves everything as it was.
    other.models["m"] = model
    other.functions["bind"] = { (n: Int) in n }
    other.viewClasses["label"] = ViewClass(properties: [:]) { _, _ in }
    #expect(other.errors.map(\.code) == [.graph, .duplicate, .duplicate])
    #expect(other.models["m"] == nil)
    runtime.models["m"] = nil
    runtime.functions["half"] = Optional<(Int) throws -> Int>.none
    runtime.transformers["twice"] = Transformer<Int, Int>?.none
    runtime.viewClasses["gauge"] = nil
    #expect(runtime.models["m"] == nil && runtime.functions.names == [])
    #expect(runtime.viewClasses["gauge"] == nil)
  }
}

@Suite struct `Spellings of before, of runtimes` {
  @Test func `go on to work`() throws {
    let former: any FormerSpelling.Type = FormerSpellings.self
    try former.run()
  }
}
