import TideSystem
import Testing

@Suite struct `JSON values` {
  private func value(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-12", "1.5", "\"\"", "[]", "{}", "[1,[2,[]],{}]",
    #"{"b":1,"a":{"c":[null,"x"]},"":false}"#, #""\"\\\n\tä😀""#, "9223372036854775807",
  ])
  func `what was read is written as it was`(text: String) throws {
    #expect(try value(text).text == text)
  }

  @Test func `fields are found by name, elements by index`() throws {
    let value = try value(#"{"a":{"b":[10,20.0,2.5]},"a2":"x"}"#)
    #expect(value["a"]["b"][0].int == 10)
    #expect(value["a"]["b"][1].int == 20)
    #expect(value["a"]["b"][2].int == nil)
    #expect(value["a"]["b"][2].double == 2.5)
    #expect(value["a2"].string == "x")
    #expect(value["b"].isNull)
    #expect(value["a2"]["b"][7].isNull)
    #expect(value["a"]["b"][-1].isNull)
  }

  @Test func `the last of several fields of a name counts`() throws {
    #expect(try value(#"{"a":1,"a":2}"#)["a"].int == 2)
  }

  @Test func `setting a field keeps the order of the others`() {
    var value: JSONValue = ["b": 1, "a": [true, nil]]
    value["b"] = "new"
    value["c"]["d"] = 0.5
    #expect(value.text == #"{"b":"new","a":[true,null],"c":{"d":0.5}}"#)
  }

  @Test func `numbers that JSON lacks are null`() {
    #expect(JSONValue.array([.double(.infinity), .double(.nan)]).text == "[null,null]")
  }

  @Test(arguments: ["", "{", "[1,]", "{\"a\" 1}", "nul", "1 2", "\"\u{1}\"", "{\"a\":1,}", "[1}"])
  func `what is no JSON throws`(text: String) {
    #expect(throws: JSONFault.self) { try value(text) }
  }

  @Test func `bytes that are no UTF-8 throw`() {
    #expect(throws: JSONFault.self) { try JSONValue(parsing: [0x22, 0xff, 0x22]) }
  }

  @Test func `depth and number of values are limited`() throws {
    let deep = String(repeating: "[", count: 201) + String(repeating: "]", count: 201)
    #expect(throws: JSONFault.self) { try value(deep) }
    #expect(try value(String(deep.dropFirst().dropLast())).text.utf8.count == 400)
    #expect(throws: JSONFault.self) { try JSONValue(parsing: Array("[1,2,3]".utf8), count: 3) }
    #expect(try JSONValue(parsing: Array("[1,2,3]".utf8), count: 4)[2].int == 3)
  }
}
