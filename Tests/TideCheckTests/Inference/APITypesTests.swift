import Testing
import TideScript

@testable import TideCheck

@Suite struct `The types of the API in the catalogue` {
  private let types = APITypes.shared

  @Test func `a function has its parameters, in each way that it is called`() {
    let ways = types.functions["observe"] ?? []
    #expect(ways.map { $0.parameters.map(\.name) }.contains(["object", "path", "fn", "options"]))
    #expect(ways.map(\.least).sorted() == [2, 3])
    #expect(types.functions["spawn"]?.first?.takesMore == true)
    #expect(types.functions["now"]?.first?.parameters.isEmpty == true)
  }

  @Test func `a class has what it inherits`() {
    #expect(types.members(of: "controller.list").isSuperset(of: ["selectNext", "add", "editable"]))
    #expect(types.fields(of: "AskTextOptions").keys.contains("buttons"))
    #expect(types.methods(of: "List")["move"]?.parameters.map(\.name) == ["from", "to"])
    #expect(types.members(of: "Event").contains("target"))
  }

  @Test func `it is known what may be left out`() {
    #expect(types.functions["store.open"]?.first?.least == 1)
    #expect(types.methods(of: "Store")["list"]?.least == 1)
    #expect(types.functions["trigger.notification"]?.first?.least == 1)
  }

  @Test(arguments: [
    ("\"a\"|\"b\"", ["\"a\"", "\"b\""]),
    ("string|fun(x: a|b): c|d", ["string", "fun(x: a|b): c|d"]),
    ("(number|string)?", ["number", "string"]),
    ("table<string, a|b>|integer", ["table<string, a|b>", "integer"]),
  ])
  func `a type has alternatives`(type: String, parts: [String]) {
    #expect(types.alternatives(of: type).map(String.init) == parts)
  }

  @Test func `the parameters of a function that is passed have types`() {
    #expect(types.parameterTypes(of: "fun(note: tidelock.Note)") == ["tidelock.Note"])
    let handler = "tidelock.DataObject|fun(sender: tidelock.View, event: tidelock.Event): any"
    #expect(types.parameterTypes(of: handler) == ["tidelock.View", "tidelock.Event"])
    #expect(types.parameterTypes(of: "string") == [])
  }
}
