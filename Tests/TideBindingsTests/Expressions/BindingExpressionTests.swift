import Testing
import TideGraph

@testable import TideBindings

@Suite struct BindingExpressionTests {
  @Test(arguments: Arrow.allCases)
  func `every arrow is read, with and without spaces`(arrow: Arrow) throws {
    for space in ["", " ", "\t", "\n  "] {
      let expression = try BindingExpression("a.b\(space)\(arrow.rawValue)\(space)c")
      #expect(expression.arrow == arrow)
      #expect(expression.left == (try Path("a.b")))
      #expect(expression.right == (try Path("c")))
    }
  }

  @Test func `arrows say their directions and whether they copy at first`() {
    #expect(Arrow.allCases.filter(\.isTwoWay) == [.both, .bothLater])
    for arrow in Arrow.allCases {
      #expect(arrow.goesRight || arrow.goesLeft)
      #expect(arrow.isTwoWay == (arrow.goesRight && arrow.goesLeft))
      #expect(arrow.copiesAtFirst == !arrow.rawValue.contains("!"))
      #expect(arrow.goesRight == arrow.rawValue.contains(">"))
      #expect(arrow.goesLeft == arrow.rawValue.contains("<"))
      #expect(arrow.mirrored.goesLeft == arrow.goesRight)
      #expect(arrow.mirrored.copiesAtFirst == arrow.copiesAtFirst)
      #expect(arrow.mirrored.mirrored == arrow)
      #expect(arrow.appliesForwardLeftward == (arrow.goesLeft && arrow.rawValue.contains("~")))
    }
  }

  @Test(arguments: [
    ("a -> b | uppercase", [TransformCall("uppercase")]),
    ("a->b|!x|y", [TransformCall("x", isReversed: true), TransformCall("y")]),
    ("a -> b | ! x ( )", [TransformCall("x", isReversed: true)]),
    (
      "a -> b | plural(friend, friends)",
      [TransformCall("plural", arguments: ["friend", "friends"])]
    ),
    (
      "a -> b | f(1, -2, 0.5, 1e3, 0x10, .5, -0x1p4)",
      [TransformCall("f", arguments: [1, -2, 0.5, 1000.0, 16, 0.5, -16.0])]
    ),
    (
      "a -> b | f(true, false, nil, 'true', \"nil\")",
      [TransformCall("f", arguments: [true, false, nil, "true", "nil"])]
    ),
    (
      #"a -> b | f('it''s')"#.replacing("''", with: "\\'"),
      [TransformCall("f", arguments: ["it's"])]
    ),
    (
      #"a -> b | f("%d\n\t\\ \q \"x\" ']|)'")"#,
      [TransformCall("f", arguments: ["%d\n\t\\ \\q \"x\" ']|)'"])]
    ),
    ("a -> b | f('')", [TransformCall("f", arguments: [""])]),
  ])
  func `transformers and their literals are read`(text: String, calls: [TransformCall]) throws {
    #expect(try BindingExpression(text).transforms == calls)
  }

  @Test func `integers stay integers and floats floats`() throws {
    let arguments = try BindingExpression("a -> b | f(2, 2.0)").transforms[0].arguments
    guard case .integer(2) = arguments[0], case .number(2) = arguments[1] else {
      Issue.record("\(arguments)")
      return
    }
  }

  @Test(arguments: [
    "name -> text", "a.b <> @superview.dataObject.items[2].name | trim",
    "rpm <> speed | !scale(100)", "a !-> b | f(1, 2.5, true, nil, word, \"two words\", \"true\")",
    "a <~! b | g(\"quote \\\" and \\\\ and \\n\", 1e+300)",
  ])
  func `the description parses to the same expression`(text: String) throws {
    let expression = try BindingExpression(text)
    #expect(expression.description == text)
    #expect(try BindingExpression(expression.description) == expression)
  }

  @Test(arguments: [
    ("name", TideError.Code.missingOperator, 5, "no operator"),
    ("name text", .missingOperator, 6, "no operator"),
    ("name = text", .missingOperator, 6, "found \"=\""),
    ("name - text", .missingOperator, 6, "found \"-\""),
    ("-> text", .missingLeft, 1, "the left side is missing"),
    ("", .missingLeft, 1, "the expression is empty"),
    ("   ", .missingLeft, 4, "the expression is empty"),
    ("name ->", .missingRight, 8, "the right side is missing"),
    ("name -> | upper", .missingRight, 9, "the right side is missing"),
    ("name -> -> text", .missingRight, 9, "found \"->\""),
    ("name -> text | f('abc", .syntax, 22, "unterminated string"),
    ("name -> text | f(\"abc'", .syntax, 23, "unterminated string"),
    ("name -> text | f(1, 2", .syntax, 22, "unterminated parenthesis"),
    ("name -> text | f(", .syntax, 18, "unterminated parenthesis"),
    ("name -> text[1", .syntax, 15, "unterminated bracket"),
    ("name -> text | f(1.2.3)", .syntax, 18, "bad number"),
    ("name -> text | f(12abc)", .syntax, 18, "bad number"),
    ("name -> text | f(-)", .syntax, 18, "bad number"),
    ("name -> text ; x", .syntax, 14, "stray character"),
    ("#name -> text", .syntax, 1, "stray character"),
    ("name -> #text", .syntax, 9, "stray character"),
    ("name -> text -> x", .syntax, 14, "found \"->\""),
    (
      "name -> text |", .syntax, 15, "expected the name of a transformer after \"|\", found the end"
    ),
    ("name -> text | !", .syntax, 17, "after \"!\", found the end"),
    ("name -> text | f(1,)", .syntax, 20, "expected a number, a text"),
    ("name -> text | f(%d)", .syntax, 18, "goes in quotes"),
    ("name -> text | f(a b)", .syntax, 20, "expected \",\" or \")\""),
    ("name -> @superveiw", .unknownOperator, 9, "did you mean \"@superview\"?"),
  ])
  func `B13 a parse error names its column`(
    text: String, code: TideError.Code, column: Int, part: String
  ) {
    let error = #expect(throws: TideError.self) { try BindingExpression(text) }
    #expect(error?.code == code)
    #expect(error?.message.hasPrefix("column \(column): ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `B13 no operator, missing left and missing right each have their own message`() {
    let messages = ["name", "-> text", "name ->"].map { text in
      #expect(throws: TideError.self) { try BindingExpression(text) }?.message ?? ""
    }
    #expect(
      messages == [
        """
        column 5: no operator: expected an arrow such as ->, <- or <> after "name", found the end
          name
              ^
        """,
        """
        column 1: the left side is missing: expected a path, found "->"
          -> text
          ^
        """,
        """
        column 8: the right side is missing: expected a path after ->, found the end
          name ->
                 ^
        """,
      ])
  }

  @Test func `the caret stands under the place, whatever comes before it`() {
    let error = #expect(throws: TideError.self) {
      try BindingExpression("größe\t->\n  ünd | f(1 2)")
    }
    #expect(
      error?.message == """
        line 2, column 13: expected "," or ")", found "2"; text that is not one plain word goes in quotes
            ünd | f(1 2)
                      ^
        """)
  }

  @Test func `a path has so many steps at most`() throws {
    let steps = Array(repeating: "a", count: TextLimit.steps).joined(separator: ".")
    _ = try BindingExpression(steps + " -> b")
    let error = #expect(throws: TideError.self) { try BindingExpression(steps + ".a -> b") }
    #expect(error?.code == .badArgument)
    #expect(error?.message.contains("a path may have 1000 steps") == true)
  }

  @Test func `an error in a long expression shows its surroundings alone`() {
    let text =
      String(repeating: "a", count: 60_000) + " -> # " + String(repeating: "c", count: 1000)
    let error = #expect(throws: TideError.self) { try BindingExpression(text) }
    let lines = error?.message.split(separator: "\n") ?? []
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count < 160 })
    #expect(lines[1].dropFirst(lines[2].count - 1).first == "#")
  }

  @Test(arguments: ["a", "a.", "(", "a -> b | upper ", "\n", "ü"])
  func `what is longer than any expression is refused before it is read`(part: String) {
    let limit = TextLimit.bytes
    let text = String(repeating: part, count: limit / part.utf8.count + 1)
    let calls: [() throws -> Void] = [
      { _ = try BindingExpression(text) }, { _ = try Path(text) },
      { _ = try TransformCall.sequence(text) }, { _ = try ViewExpression(text) },
    ]
    for call in calls {
      let error = #expect(throws: TideError.self) { try call() }
      let message = error?.message ?? ""
      #expect(message.contains("may have \(limit) bytes, and this one has \(text.utf8.count)"))
      #expect(message.utf8.count < 1000)
    }
    #expect(throws: Never.self) { try Path(String(repeating: "a", count: limit)) }
  }
}

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
