import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Test func `every built-in class is found by name and by UIKit's name`() throws {
  let classes = ViewClasses()
  for name in [
    "view", "row", "column", "box", "window", "label", "field", "button", "toggle", "checkbox",
    "progress", "chart", "list", "cell", "spacer", "divider",
  ] {
    #expect(try classes.find(name).name == name)
    #expect(try classes.make(name)["class"] == .string(name))
  }
  #expect(try classes.find("UILabel") === ViewClass.label)
  #expect(try classes.find("UITableViewCell") === ViewClass.cell)
  #expect(try classes.find("UICollectionViewCell") === ViewClass.cell)
}

@Test func `an unknown class is an error with the nearest name`() {
  do {
    _ = try ViewClasses().find("lable")
    Issue.record("there is no such class")
  } catch {
    #expect(error.code == .unknownView)
    #expect(error.message.contains("\"label\""))
  }
}

@Test func `properties of every view come first, in the order of their numbers`() {
  for viewClass in ViewClass.builtIn {
    for property in ViewProperty.allCases.prefix(ViewProperty.commonCount) {
      #expect(viewClass.index(of: property) == property.rawValue)
      #expect(viewClass.shape.properties[property.rawValue].name == property.name)
    }
  }
}

@Test func `an unknown property is an error with the nearest name`() {
  let label = LabelView("x")
  #expect {
    try label.set("txet", "y")
  } throws: { error in
    (error as? TideError)?.code == .unknownProperty
      && (error as? TideError)?.message.contains("\"text\"") == true
  }
}

@Test func `a value of the wrong type, a read-only property and a bad colour are refused`() {
  let label = LabelView("x")
  #expect(throws: TideError.self) { try label.set("text", 3) }
  #expect(throws: TideError.self) { try label.set("class", "button") }
  #expect(throws: TideError.self) { try label.set("superview", .null) }
  #expect(throws: TideError.self) { try label.set("textColor", "rde") }
  #expect(throws: TideError.self) { try label.set("align", "middle") }
  #expect(label.text == "x")
}

@Test func `a class of one's own has properties, events and a drawing`() throws {
  let classes = ViewClasses()
  let gaugeClass = ViewClass(
    properties: ["level": .number(default: 2), "unit": .string(default: "V")], events: ["tapped"]
  ) { view, canvas in
    canvas.write("\(view[ViewKey<Double>("level")]) \(view[ViewKey<String>("unit")])", x: 0, y: 0)
  }
  try classes.register("gauge", gaugeClass)
  let gauge = try classes.make("gauge")
  #expect(gauge["class"] == "gauge")
  let shown = try ShownView(gauge, 10, 1)
  #expect(try shown.text == "2.0 V")
  try gauge.set("level", 3.5)
  #expect(try shown.text == "3.5 V")
  var taps = 0
  try gauge.on("tapped") { _, _ in taps += 1 }
  gauge.send("tapped")
  #expect(taps == 1)
  #expect(throws: TideError.self) { try gauge.add(LabelView("no")) }
}

@Test func `a component inherits the layout of its superclass`() throws {
  let card = ViewClass("card", superclass: .row, properties: ["note": .any])
  let view = try card.make([LabelView("a"), LabelView("b")])
  #expect(try ShownView(view, 5, 1).text == "ab")
  #expect(card.inherits(from: "row"))
  #expect(card.inherits(from: .view))
  #expect(!card.inherits(from: .column))
}

@Test func `a key of a property that the class lacks reads as empty and reports a write`() throws {
  let label = LabelView("x")
  let scene = try Scene(root: label)
  var errors: [TideError] = []
  scene.onError = { errors.append($0) }
  #expect(label[.title] == "")
  label[.title] = "no"
  #expect(errors.map(\.code) == [.unknownProperty])
  label[.textColor] = "nope"
  #expect(errors.map(\.code) == [.unknownProperty, .badColor])
  #expect(label[.textColor] == nil)
}
