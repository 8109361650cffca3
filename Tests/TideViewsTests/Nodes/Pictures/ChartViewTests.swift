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
  let values = ValueList([0, .number(.nan), "x", 8, .number(.infinity)])
  #expect(try ShownView(chart(values), 5, 1).lines == ["▁  █"])
  #expect(try ShownView(chart(ValueList([.number(.nan)])), 5, 1).lines == [""])
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
  #expect(try jump.lines == ["⢸", "⡸"])
}
