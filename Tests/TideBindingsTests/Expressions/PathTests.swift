import Testing

@testable import TideBindings

@Suite struct PathTests {
  @Test(arguments: [
    ("name", [PathStep.property("name")]),
    ("person.address.city", [.property("person"), .property("address"), .property("city")]),
    ("items[1].name", [.element(property: "items", index: 1), .property("name")]),
    ("  a . b [ 12 ] ", [.property("a"), .element(property: "b", index: 12)]),
    ("superview.window", [.property("superview"), .property("window")]),
    (
      "@superview.dataObject.name",
      [.view(.superview), .property("dataObject"), .property("name")]
    ),
    ("@rootview.tag", [.view(.rootView), .property("tag")]),
    ("@superviewWithTag[12].text", [.view(.superviewWithTag(12)), .property("text")]),
    ("@superviewWithTag[-3]", [.view(.superviewWithTag(-3))]),
    ("@superviewWithRestorationID[my id]", [.view(.superviewWithID("my id"))]),
    ("@superviewWithID[editor]", [.view(.superviewWithID("editor"))]),
    ("@superviewWithID[']']", [.view(.superviewWithID("]"))]),
    ("@superviewWithClass[UITableViewCell]", [.view(.superviewWithClass("UITableViewCell"))]),
    ("@subviews[0]", [.view(.subview(0))]),
    ("@subviewWithTag[1]", [.view(.subviewWithTag(1))]),
    ("@subviewWithRestorationID[x]", [.view(.subviewWithID("x"))]),
    ("@subviewWithID[x]", [.view(.subviewWithID("x"))]),
    ("@subviewWithClass[label]", [.view(.subviewWithClass("label"))]),
    ("@cell.dataObject", [.view(.cell), .property("dataObject")]),
    ("friends.@count", [.property("friends"), .collection(.count)]),
    (
      "items.@sum.price.net",
      [.property("items"), .collection(.sum), .property("price"), .property("net")]
    ),
    ("größe.名前", [.property("größe"), .property("名前")]),
  ])
  func `a path is read step by step`(text: String, steps: [PathStep]) throws {
    #expect(try Path(text).steps == steps)
  }

  @Test(arguments: [
    "name", "a.b.c", "items[3].name", "@superview.dataObject", "@superviewWithTag[-12].x",
    "@superviewWithRestorationID[plain]", "@superviewWithRestorationID[\"two words ] \"]",
    "@subviews[2].@subviewWithClass[label].text", "list.@distinctUnionOfObjects.name",
    "@cell.@rootview",
  ])
  func `the description of a path parses to the same path`(text: String) throws {
    let path = try Path(text)
    #expect(path.description == text)
    #expect(try Path(path.description) == path)
  }

  @Test(arguments: CollectionOperator.allCases)
  func `every collection operator is known`(step: CollectionOperator) throws {
    #expect(try Path("list.@\(step.rawValue).p").steps[1] == .collection(step))
  }

  @Test(arguments: [
    ("", "column 1: the expression is empty: expected a path"),
    ("a.", "column 3: expected a name after \".\", found the end"),
    ("a..b", "column 3: expected a name after \".\", found \".\""),
    (".a", "column 1: stray character: expected a path, found \".\""),
    ("a b", "column 3: expected \".\" or the end of the path, found \"b\""),
    ("items[0]", "column 7: bad number: expected an index, counted from 1, found \"0\""),
    ("items[x]", "column 7: bad number: expected an index, counted from 1, found \"x\""),
    ("items[]", "column 7: bad number: expected an index, counted from 1, found \"]\""),
    ("items[1.5]", "column 7: bad number: expected an index, counted from 1, found \"1.5\""),
    (
      "items[99999999999999999999]",
      "column 7: bad number: expected an index, counted from 1, found \"99999999999999999999\""
    ),
    (
      "items[1",
      "column 8: unterminated bracket: expected \"]\" for the \"[\" at column 6, found the end"
    ),
    (
      "@superviewWithID[ab",
      "column 20: unterminated bracket: expected \"]\" for the \"[\" at column 17, found the end"
    ),
    ("@subviews[-1]", "column 11: bad number: expected an index, counted from 0, found \"-1\""),
    ("@superviewWithTag[x]", "column 19: bad number: expected an integer, found \"x\""),
    (
      "@superviewWithTag",
      "column 18: @superviewWithTag needs an argument: expected \"[\", found the end"
    ),
    ("@superviewWithID[]", "column 18: @superviewWithID needs an argument: found \"[]\""),
    ("@superview[1]", "column 11: @superview takes no argument, found \"[\""),
    ("x.@count[1]", "column 9: @count takes no argument, found \"[\""),
    ("@", "column 2: expected the name of an operator after \"@\", found the end"),
    ("@superveiw", "column 1: there is no operator \"@superveiw\"; did you mean \"@superview\"?"),
    ("a.@cuont", "column 3: there is no operator \"@cuont\"; did you mean \"@count\"?"),
    ("@window", "column 1: there is no operator \"@window\"; window is written without \"@\""),
    ("@zzzzzz", "column 1: there is no operator \"@zzzzzz\""),
  ])
  func `a bad path names its column, what was found and what was expected`(
    text: String, message: String
  ) {
    let error = #expect(throws: TideError.self) { try Path(text) }
    #expect(error?.message.split(separator: "\n").first.map(String.init) == message)
  }

  @Test func `class arguments take UIKit's names`() {
    #expect(ViewOperator.className("UILabel") == "label")
    #expect(ViewOperator.className("UITableViewCell") == "cell")
    #expect(ViewOperator.className("UICollectionViewCell") == "cell")
    #expect(ViewOperator.className("gauge") == "gauge")
    #expect(ViewOperator.className("UIUnheardOf") == "UIUnheardOf")
  }
}
