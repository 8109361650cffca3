import Testing
import TideViews

@testable import TideTerminal

@Suite struct InputQueueTests {
  private func keys(_ names: String) throws -> [InputEvent] {
    try Key.sequence(names).map(InputEvent.key)
  }

  private func move(_ x: Int) -> InputEvent {
    .mouse(MouseEvent(.move, at: Point(x: x, y: 0)))
  }

  private func rest(of queue: inout InputQueue) -> [InputEvent] {
    var events: [InputEvent] = []
    while let event = queue.next() { events.append(event) }
    return events
  }

  @Test func `events come out in the order in which they came`() throws {
    var queue = InputQueue()
    queue.append(try keys("a b"))
    #expect(queue.next() == (try keys("a").first))
    queue.append(try keys("c"))
    #expect(queue.count == 2)
    #expect(rest(of: &queue) == (try keys("b c")))
    #expect(queue.isEmpty)
    #expect(queue.next() == nil)
  }

  @Test func `of movements in a row the last one counts`() throws {
    var queue = InputQueue()
    queue.append([move(1), move(2)])
    queue.append([move(3)] + (try keys("a")) + [move(4)])
    #expect(rest(of: &queue) == [move(3)] + (try keys("a")) + [move(4)])
  }

  @Test func `the keys at the front end at the first other event`() throws {
    var queue = InputQueue()
    queue.append(try keys("a b") + [.paste("p")] + keys("c"))
    #expect(Array(queue.keys) == (try Key.sequence("a b")))
    queue.drop(2)
    #expect(Array(queue.keys).isEmpty)
    #expect(queue.next() == .paste("p"))
  }

  @Test func `Ctrl-C goes before what waits, the first one alone`() throws {
    var queue = InputQueue()
    queue.append(try keys("a b Ctrl-C c Ctrl-C"))
    queue.advanceInterrupt()
    #expect(rest(of: &queue) == (try keys("Ctrl-C a b c Ctrl-C")))
    queue.advanceInterrupt()
    #expect(queue.isEmpty)
  }
}
