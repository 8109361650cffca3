import Testing

@testable import TideBindings

@Suite struct ViewExpressionTests {
  @Test(arguments: [
    ("@superview.dataObject.name", "@superview.dataObject.name -> text"),
    ("<> name", "name <> text"),
    ("<!> name", "name <!> text"),
    ("-> name", "name <- text"),
    ("<- name", "name -> text"),
    ("!-> name", "name <-! text"),
    ("<-! name", "name !-> text"),
    ("~> name", "name <~ text"),
    ("<~ name", "name ~> text"),
    ("fruit.name | trim | !x(1)", "fruit.name -> text | trim | !x(1)"),
  ])
  func `the path is the left side whatever the arrow`(text: String, binding: String) throws {
    let expression = try ViewExpression(text)
    #expect(expression.binding(to: "text").description == binding)
    #expect(try ViewExpression(expression.description) == expression)
  }

  @Test(arguments: [
    ("", "column 1: the expression is empty"),
    ("->", "column 3: the right side is missing"),
    ("a -> b", "column 3: expected \"|\" and a transformer, or the end, found \"->\""),
    ("| trim", "column 1: stray character"),
  ])
  func `a bad view expression names its column`(text: String, message: String) {
    let error = #expect(throws: TideError.self) { try ViewExpression(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }
}
