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

  @Test(arguments: [
    ("stoped", "stopped"), ("svaed", "saved"), ("itens", "items"), ("posst", "posts"),
    ("messge", "message"), ("Saved", "saved"), ("pagge1", "page1"),
  ])
  func `a name with one typing error is a slip`(typed: String, meant: String) {
    #expect(NearestName.isSlip(typed, for: meant))
  }

  @Test(arguments: [
    ("page1", "page2"), ("page", "page1"), ("page12", "page21"), ("item", "items"),
    ("item added", "items added"), ("itemAdded", "itemsAdded"), ("item_added", "items_added"),
    ("a", "b"), ("quantity", "amount"),
  ])
  func `names that differ by a digit or a plural are both meant`(one: String, other: String) {
    #expect(!NearestName.isSlip(one, for: other))
    #expect(!NearestName.isSlip(other, for: one))
  }

  @Test func `where none is near, the names that there are can be told`() {
    func told(_ names: [String], areOrdered: Bool = true) -> String {
      NearestName.hintOrNames(for: "zebra", in: names, areOrdered: areOrdered)
    }
    #expect(told([]) == "" && told([""]) == "")
    #expect(told(["age"]) == "; there is only age")
    #expect(told(["name", "age", "name"]) == "; there are name, age")
    #expect(told(["name", "age"], areOrdered: false) == "; there are age, name")
    #expect(told(["name", "zebr"]) == "; did you mean \"zebr\"?")
    let many = (1...12).map { "n\($0)" }
    #expect(told(many) == "; there are n1, n2, n3, n4, n5, n6, n7, n8, n9, n10 and 2 more")
    #expect(told(Array(many.prefix(11))).hasSuffix("n9, n10, n11"))
    #expect(told((1...2000).map { "n\($0)" }) == "")
  }

  @Test(arguments: ["name", "fullName", "Überschrift", "a_b_c_1", "ZZtop"])
  func `every slip of one letter finds the name, among names that are far`(name: String) {
    let letters = Array(name)
    let far = (0..<200).map { "entirely_other_\($0)" }
    for index in letters.indices {
      var without = letters
      without.remove(at: index)
      var changed = letters
      changed[index] = "q"
      var more = letters
      more.insert("q", at: index)
      var swapped = letters
      if index > 0 { swapped.swapAt(index, index - 1) }
      for typed in [without, changed, more, swapped] where typed != letters {
        #expect(NearestName.find(String(typed), in: far + [name]) == name, "\(String(typed))")
      }
    }
  }

  @Test func `of thousands of names that are near, only so many are measured`() {
    var looked = 0
    let near = (0..<100_000).lazy.map { number in
      looked += 1
      return "a_name_like_others_\(number)"
    }
    #expect(NearestName.find("a_name_like_others_x", in: near) == "a_name_like_others_0")
    #expect(looked < 2000)
  }

  @Test func `of equally near names without an order, the first of the alphabet is found`() {
    #expect(NearestName.find("nbme", in: ["nume", "name", "nome"], areOrdered: false) == "name")
    #expect(NearestName.find("nbme", in: ["nume", "name", "nome"]) == "nume")
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

  @Test(arguments: [
    ("tabel", "table", NearestName.Slip.swap), ("nill", "nil", .swap), ("Name", "name", .swap),
    ("rand", "rad", .letter), ("tabel", "label", .change), ("nam", "game", nil), ("ab", "ac", nil),
  ])
  func `swapped letters are nearer than other ones`(
    name: String, meant: String, slip: NearestName.Slip?
  ) {
    #expect(NearestName.slip(name, for: meant) == slip)
  }

  @Test func `of names that are as near, one with swapped letters is meant`() {
    #expect(NearestName.find("tabel", in: ["label", "table"]) == "table")
    #expect(NearestName.isClear("tabel", for: "table", in: ["label", "table"]))
    #expect(!NearestName.isClear("cab", for: "car", in: ["cat", "car"]))
    #expect(!NearestName.isClear("rand", for: "rad", in: ["rad", "random"]))
    #expect(NearestName.isClear("sav", for: "save", in: ["save", "saveAll"]))
  }
}
