import Testing
import TideGraph

@testable import TideBindings

@Suite struct EnumerationTests {
  static let names = ["low", "medium", "high"]

  @Test(arguments: [
    (Value.string("low"), "low"), ("high", "high"), (1, "low"), (.number(3), "high"),
    ("2", "medium"),
    (" low ", "low"),
  ])
  func `an enumeration converts from its names and indexes`(value: Value, name: String) throws {
    #expect(try value.converted(toOneOf: Self.names) == .string(name))
  }

  @Test(arguments: [Value.string("lwo"), 0, 4, 1.5, true, ""])
  func `anything else is a conversion error`(value: Value) {
    let error = #expect(throws: TideError.self) { try value.converted(toOneOf: Self.names) }
    #expect(error?.code == .conversion)
  }

  @Test func `the error names the nearest case`() {
    let error = #expect(throws: TideError.self) {
      try Value.string("hihg").converted(toOneOf: Self.names)
    }
    #expect(error?.message.hasSuffix("did you mean \"high\"?") == true)
  }

  @Test(arguments: [
    ("low", "low"), ("high | low", "low | high"), ("low|low|2", "low | medium"), ("", ""),
  ])
  func `a flag set converts from names joined by bars`(text: String, flags: String) throws {
    #expect(try Value.string(text).converted(toFlagsOf: Self.names) == .string(flags))
  }

  @Test(arguments: ["low |", "low | no", "|"])
  func `a flag set with a gap or an unknown name is refused`(text: String) {
    #expect(throws: TideError.self) { try Value.string(text).converted(toFlagsOf: Self.names) }
  }
}
