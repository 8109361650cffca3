import Testing
import TideViews

@Test func `a size is read from its text and gives it back`() {
  #expect(Size("80x24") == Size(width: 80, height: 24))
  #expect(Size("80x24")?.description == "80x24")
  #expect(Size("0x0") == .zero)
  for bad in ["", "x", "80", "80x", "-1x2", "80x24x1", "axb", "99999x1", "80 x 24"] {
    #expect(Size(bad) == nil, "\(bad)")
  }
}

@Test func `sizes and areas are never negative`() {
  #expect(Size(width: -3, height: -1) == .zero)
  #expect(Rect(x: 1, y: 1, width: -2, height: 3).isEmpty)
}

@Test func `areas that do not meet have an empty intersection`() {
  let a = Rect(x: 0, y: 0, width: 2, height: 2)
  #expect(a.intersection(Rect(x: 2, y: 0, width: 5, height: 5)).isEmpty)
  #expect(
    a.intersection(Rect(x: 1, y: 1, width: 5, height: 5)) == Rect(x: 1, y: 1, width: 1, height: 1))
}

@Test func `a union holds both areas and ignores empty ones`() {
  let a = Rect(x: 1, y: 1, width: 1, height: 1)
  #expect(a.union(.zero) == a)
  #expect(
    a.union(Rect(x: 4, y: 0, width: 2, height: 1)) == Rect(x: 1, y: 0, width: 5, height: 2))
}

@Test func `taking more from the sides than there is leaves an empty area inside`() {
  let area = Rect(x: 3, y: 3, width: 2, height: 2).inset(by: Sides(all: 5))
  #expect(area.isEmpty)
  #expect(Rect(x: 3, y: 3, width: 2, height: 2).contains(area))
}
