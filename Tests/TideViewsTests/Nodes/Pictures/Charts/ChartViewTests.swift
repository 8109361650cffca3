import Testing
import TideBindings
import TideGraph
import TideViews

private func chart(_ values: ValueList, _ kind: String = "spark") -> View {
  let chart = ViewClass.chart.make()
  chart[.values] = .object(values)
  chart[.kind] = kind
  return chart
}

@Test func `a spark line shows the last values that fit, the latest at the right`() throws {
  let values = ValueList([0, 1, 2, 3, 4, 5, 6, 7, 8])
  #expect(try ShownView(chart(values), 9, 1).text == "▁▁▂▃▄▅▆▇█")
  #expect(try ShownView(chart(values), 4, 1).text == "▁▃▅█")
  #expect(try ShownView(chart(ValueList([1, 8])), 4, 1).lines == ["  ▁█"])
}

@Test func `a chart follows its list`() throws {
  let values = ValueList([0, 4])
  let view = chart(values)
  view[.maximum] = 8
  view[.minimum] = 0
  let shown = try ShownView(view, 3, 1)
  #expect(try shown.lines == [" ▁▄"])
  try values.append(8)
  #expect(try shown.lines == ["▁▄█"])
  view[.values] = .object(ValueList([8]))
  #expect(try shown.lines == ["  █"])
  view[.values] = .null
  #expect(try shown.lines == [""])
}

@Test func `a higher chart uses all its rows`() throws {
  #expect(try ShownView(chart(ValueList([0, 8, 16])), 3, 2).lines == ["  █", "▁██"])
}

@Test func `what is no finite number leaves a gap`() throws {
  let values = ValueList([0, .number(.nan), .null, 8, .number(.infinity)])
  #expect(try ShownView(chart(values), 5, 1).lines == ["▁  █"])
  #expect(try ShownView(chart(ValueList([.number(.nan)])), 5, 1).lines == [""])
}

@Test func `what is no number is refused, and told of where a list gets it later`() throws {
  let error = #expect(throws: TideError.self) {
    try ViewClass.chart.make().set("values", .object(ValueList([1, "a"])))
  }
  #expect(error?.message == "chart.values are numbers, but element 2 is string (\"a\")")
  let values = ValueList([0, 8])
  let shown = try ShownView(chart(values), 3, 1)
  var told: [String] = []
  shown.scene.onError = { told.append($0.message) }
  try values.append("x")
  #expect(try shown.lines == ["▁█"])
  _ = try shown.lines
  #expect(told == ["chart.values are numbers, but element 3 is string (\"x\")"])
}

@Test func `equal values and values beyond the scale stay inside`() throws {
  #expect(try ShownView(chart(ValueList([5, 5])), 2, 1).text == "▁▁")
  let view = chart(ValueList([-10, 50]))
  view[.minimum] = 0
  view[.maximum] = 10
  #expect(try ShownView(view, 2, 1).text == "▁█")
}

@Test func `a line is drawn in Braille dots without gaps`() throws {
  let shown = try ShownView(chart(ValueList([0, 1, 2, 3]), "line"), 2, 1)
  #expect(try shown.text == "⡠⠊")
  let jump = try ShownView(chart(ValueList([0, 7]), "line"), 1, 2)
  #expect(try jump.lines == ["⢸", "⡇"])
}

private func lines(_ view: View, _ width: Int, _ height: Int) throws -> [String] {
  try ShownView(view, width, height).lines
}

@Test func `a line takes the whole width, whatever the number of values`() throws {
  #expect(try lines(chart(ValueList([0, 0]), "line"), 4, 1) == ["⣀⣀⣀⣀"])
  #expect(try lines(chart(ValueList((0..<999).map { .integer($0 % 2) }), "line"), 4, 1) == ["⣿⣿⣿⣿"])
  let history = chart(ValueList([0, 0]), "line")
  history[.points] = 8
  #expect(try lines(history, 4, 1) == ["   ⣀"])
}

@Test func `a scale has round numbers at the height of faint lines`() throws {
  let view = chart(ValueList([0, 37, 95]), "line")
  #expect(
    try lines(view, 26, 7) == [
      "100 ┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈⣀⠔",
      "                     ⢀⠤⠊",
      "                   ⡠⠒⠁",
      " 50 ┈┈┈┈┈┈┈┈┈┈┈┈⣀⠔⠉┈┈┈┈┈┈┈",
      "            ⢀⡠⠔⠊",
      "        ⣀⠤⠔⠊⠁",
      "  0 ⣀⠤⠒⠉┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈",
    ])
  view[.scale] = false
  #expect(try !lines(view, 26, 7)[0].contains("100"))
  view[.scale] = true
  #expect(try lines(view, 12, 2)[0].hasPrefix("100"), "asked for, it is shown in little room too")
  #expect(try !lines(view, 11, 2)[0].contains("100"))
}

@Test func `bars are as wide as there is room, with their labels below`() throws {
  let view = chart(ValueList([1, 2]), "bar")
  view[.scale] = false
  view[.labels] = .object(ValueList(["a", "long label"]))
  #expect(try lines(view, 8, 4) == ["    ███", "▄▄▄ ███", "███ ███", " a  lo…"])
}

@Test func `bars of negative numbers hang from the line of zero`() throws {
  let view = chart(ValueList([2, -2]), "bar")
  view[.scale] = false
  #expect(try lines(view, 5, 4) == ["█", "█", "  █", "  █"])
  view[.values] = .object(ValueList([3, -1.5]))
  let shown = try ShownView(view, 4, 4)
  #expect(try shown.lines == ["█", "█", "█", "  █"])
}

@Test func `several series have colours of their own and a line that names them`() throws {
  let first = Series("in", [0, 1], "red")
  let view = chart(
    ValueList([.object(first), .object(Series("out", [1, 0], ""))]), "line")
  let shown = try ShownView(view, 20, 5)
  #expect(try shown.lines[0] == "━ in   ━ out")
  #expect(shown.scene.frame[0, 0].style.foreground == .ansi(1))
  #expect(shown.scene.frame[7, 0].style.foreground == .ansi(6))
  first.title = "inside"
  first.color = "green"
  #expect(try shown.lines[0] == "━ inside   ━ out")
  #expect(shown.scene.frame[0, 0].style.foreground == .ansi(2))
  let before = try shown.lines
  first.values.append(-9)
  #expect(try shown.lines != before)
}

@Test func `plain lists in a list are series as well, sparks one below the other`() throws {
  let inner = ValueList([0, 7])
  let view = chart(ValueList([.object(inner), .object(ValueList([7, 0]))]))
  let shown = try ShownView(view, 3, 2)
  #expect(try shown.lines == [" ▁█", " █▁"])
  try inner.append(3)
  #expect(try shown.lines == ["▁█▃", " █▁"])
}

@Test func `a colour that is none is an error, and the chart is drawn without it`() throws {
  let view = chart(ValueList([.object(Series("a", [1, 2], "rde"))]), "line")
  let shown = try ShownView(view, 20, 5)
  var errors: [TideError] = []
  shown.scene.onError = { errors.append($0) }
  view[.minimum] = 0
  #expect(try shown.lines[0] == "━ a")
  #expect(errors.contains { $0.code == .badColor && $0.message.contains("red") })
}

@Test func `a described scale has round ends where the view sets none`() throws {
  let view = chart(ValueList([5, 1105]), "bar")
  #expect(view.describe().minimum == 0)
  #expect(view.describe().maximum == 1500)
  view[.maximum] = 1200
  #expect(view.describe().minimum == 0)
  #expect(view.describe().maximum == nil)
  view[.scale] = false
  #expect(view.describe().minimum == nil)
  #expect(chart(ValueList([5, 1105])).describe().maximum == nil)
  #expect(chart(ValueList([]), "line").describe().maximum == nil)
}

@Test(arguments: ["spark", "line", "bar"], [1, 2, 3, 5, 12, 300])
func `whatever the numbers and the room, a chart is drawn`(_ kind: String, _ width: Int) throws {
  let lists: [[Value]] = [
    [], [0], [.number(.infinity)], [.number(1e308), .number(-1e308)],
    [.number(Double.leastNonzeroMagnitude), 0],
    [.integer(.max), .integer(.min)], (0..<500).map { .integer($0) },
  ]
  for values in lists {
    for (low, high) in [(nil, nil), (0, 0), (5, -5), (.nan, .infinity), (-1e308, 1e308)]
      as [(Double?, Double?)]
    {
      let view = chart(ValueList(values), kind)
      view[.minimum] = low
      view[.maximum] = high
      view[.points] = width % 2 == 0 ? -3 : nil
      view[.labels] = .object(ValueList(["a", "漢字", ""]))
      for height in [1, 2, 3, 9] { _ = try lines(view, width, height) }
    }
  }
}

private final class Series: DataObject {
  @Property var title = ""
  @Property var values = ObservableList<Double>()
  @Property var color = ""

  init(_ title: String, _ values: [Double], _ color: String) {
    super.init()
    self.title = title
    for value in values { self.values.append(value) }
    self.color = color
  }
}
