import Testing

@testable import TideBindings

@Suite struct NearestNameTests {
  static let names = ["name", "age", "fullName", "text", "textColor", "uppercase", "address"]

  @Test(arguments: [
    ("nmae", "name"), ("Name", "name"), ("nam", "name"), ("agee", "age"), ("fullname", "fullName"),
    ("upper", "uppercase"), ("txt", "text"), ("textColour", "textColor"), ("adress", "address"),
    ("addresss", "address"),
  ])
  func `a mistyped name finds the one that was meant`(typed: String, meant: String) {
    #expect(NearestName.find(typed, in: Self.names) == meant)
    #expect(NearestName.hint(for: typed, in: Self.names) == "; did you mean \"\(meant)\"?")
  }

  @Test(arguments: ["", "x", "zebra", "quantity", "b"])
  func `a name that is like none finds none`(typed: String) {
    #expect(NearestName.find(typed, in: Self.names) == nil)
    #expect(NearestName.hint(for: typed, in: Self.names).isEmpty)
  }

  @Test func `a name of a million letters costs nothing`() {
    #expect(NearestName.find(String(repeating: "a", count: 1_000_000), in: Self.names) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("ab", "ba", 1), ("abc", "acb", 1),
    ("kitten", "sitting", 3),
    ("abcd", "abcd", 0),
  ])
  func `the distance counts changes and swaps`(a: String, b: String, distance: Int) {
    #expect(NearestName.distance(Array(a), Array(b)) == distance)
    #expect(NearestName.distance(Array(b), Array(a)) == distance)
  }
}
