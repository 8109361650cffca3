import Fuzzing
import Testing

@testable import TideViews

@Suite struct RowHeightsTests {
  @Test func `lines that are not measured count as the average of those that are`() {
    var heights = RowHeights(count: 10)
    #expect(heights.height == 10)
    heights[3] = 4
    heights[7] = 2
    #expect(heights[3] == 4)
    #expect(heights[4] == nil)
    #expect(heights.height(of: 4) == 3)
    #expect(heights.height == 30)
    #expect(heights.start(of: 4) == 13)
    #expect(heights.line(at: 12) == 3)
    #expect(heights.line(at: 13) == 4)
    heights.forget(count: 5)
    #expect(heights[3] == nil)
    #expect(heights.height == 15)
  }

  @Test func `memory is taken by what was measured`() {
    var heights = RowHeights(count: 1_000_000)
    for line in 500_000..<500_100 { heights[line] = 2 }
    #expect(heights.heldBytes < 5000)
    for line in 0..<100_000 { heights[line] = 3 }
    #expect(heights.heldBytes < 1_000_000)
  }

  /// What every line counts as, and where it begins, told without any sums.
  private struct Model {
    var lines: [Int?]

    var starts: [Int] {
      let known = lines.compactMap(\.self)
      let average = known.isEmpty ? 1 : Double(known.reduce(0, +)) / Double(known.count)
      var (starts, height, unknown) = ([0], 0, 0)
      for line in lines {
        if let line { height += line } else { unknown += 1 }
        starts.append(height + Int((Double(unknown) * average).rounded(.down)))
      }
      return starts
    }
  }

  @Test func `random edits are those of a plain list of heights`() {
    var random = SeededGenerator(seed: 58)
    for _ in 0..<60 {
      var model = Model(
        lines: Array(repeating: nil, count: Int.random(in: 0...600, using: &random)))
      var heights = RowHeights(count: model.lines.count)
      for _ in 0..<60 {
        edit(&heights, &model, using: &random)
        let starts = model.starts
        let count = model.lines.count
        #expect(heights.count == count)
        #expect(heights.height == starts[count])
        for _ in 0..<5 where count > 0 {
          let line = Int.random(in: 0..<count, using: &random)
          #expect(heights[line] == model.lines[line])
          #expect(heights.start(of: line) == starts[line])
          let place = Int.random(in: 0..<starts[count], using: &random)
          #expect(heights.line(at: place) == starts.lastIndex { $0 <= place })
        }
      }
    }
  }

  private func edit(
    _ heights: inout RowHeights, _ model: inout Model, using random: inout SeededGenerator
  ) {
    let count = model.lines.count
    func line(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
    switch line(7) {
    case 0:
      let (at, added) = (line(count), line(200))
      model.lines.insert(contentsOf: Array(repeating: nil, count: added), at: at)
      heights.insert(at: at, count: added)
    case 1:
      let start = line(count)
      let range = start..<min(count, start + line(150))
      model.lines.removeSubrange(range)
      heights.remove(range)
    case 2 where count > 1:
      let (from, to) = (line(count - 1), line(count - 1))
      model.lines.insert(model.lines.remove(at: from), at: to)
      heights.move(from: from, to: to)
    case 3:
      let start = line(count)
      let range = start..<min(count, start + line(20))
      for line in range { model.lines[line] = nil }
      heights.forget(range)
    default:
      if count == 0 { return }
      let (measured, height) = (line(count - 1), 1 + line(5))
      model.lines[measured] = height
      heights[measured] = height
    }
  }
}
