import Testing
import TideSystem
import VirtualTerminals

@testable import TideTerminal
@testable import TideViews

@Suite struct `A cast` {
  /// The times of a cast's lines.
  private func times(_ cast: String) throws -> [Double] {
    try cast.split(separator: "\n").dropFirst().map {
      try #require(try JSONValue(parsing: Array($0.utf8))[0].double)
    }
  }

  @Test func `shows the frames that were recorded, at once or later`() throws {
    for seed in UInt64(1)...8 {
      var painter = RandomPainter(seed: seed)
      var encoder = CastEncoder()
      var log = FrameLog()
      let frame = Frame(size: Size(width: 31, height: 7))
      var cast = encoder.header(size: frame.size, title: "a \"b\"")
      for step in 0..<30 {
        painter.paint(frame, strokes: 4)
        cast += encoder.lines(frame, at: Double(step) / 10)
        log.add(frame, areas: step == 0 ? nil : [Rect(frame.size)], at: Double(step) / 10)
      }
      let terminal = try VirtualTerminal(playing: cast)
      let times = try times(cast)
      #expect(firstDifference(frame, terminal, .full) == nil, "seed \(seed)")
      #expect(terminal.complaints == [])
      #expect(times == times.sorted() && times.last == 2.9)
      #expect(log.cast(title: "a \"b\"") == cast, "seed \(seed)")
      #expect(log.lastFrame()?.lines == frame.lines)
    }
  }

  @Test func `has no line for a frame that shows nothing new`() {
    var encoder = CastEncoder()
    let frame = Frame(size: Size(width: 5, height: 1))
    _ = encoder.header(size: frame.size, title: "")
    frame.write("fig", at: .zero)
    #expect(encoder.lines(frame, at: 0).hasPrefix(#"[0.0,"o","#))
    #expect(encoder.lines(frame, at: 1).isEmpty)
  }

  @Test func `follows the size of the screen`() throws {
    var log = FrameLog()
    let small = Frame(size: Size(width: 4, height: 1)),
      large = Frame(size: Size(width: 9, height: 3))
    small.write("fig", at: .zero)
    large.write("larger", at: Point(x: 1, y: 2))
    log.add(small, areas: nil, at: 0)
    log.mark("resize 9 3", at: 1)
    log.add(large, areas: nil, at: 1)
    let cast = log.cast(title: "") ?? ""
    #expect(cast.contains("\n[1.0,\"m\",\"resize 9 3\"]\n[1.0,\"r\",\"9x3\"]\n"))
    let terminal = try VirtualTerminal(playing: cast)
    #expect(terminal.lines == ["         ", "         ", " larger  "])
  }

  @Test func `of nothing is none`() {
    var log = FrameLog()
    log.mark("tap add", at: 0)
    #expect(log.cast(title: "") == nil)
    #expect(log.lastFrame() == nil)
  }

  @Test func `keeps the frame when rows are copied in parts`() throws {
    var log = FrameLog()
    let frame = Frame(size: Size(width: 200, height: 100))
    log.add(frame, areas: nil, at: 0)
    // More than is kept as copies.
    for step in 0..<300 {
      frame.write("\(step)", at: Point(x: step % 190, y: step % 100))
      log.add(
        frame, areas: step % 2 == 0 ? nil : [Rect(x: 0, y: step % 100, width: 9, height: 1)], at: 0)
    }
    let terminal = try VirtualTerminal(playing: log.cast(title: "") ?? "")
    #expect(firstDifference(frame, terminal, .full) == nil)
  }
}
