import Testing

@testable import TideSystem

/// Jobs for other threads that end when a test lets them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `Work on other threads` {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func turn(until isDone: () -> Bool) {
    while !isDone() { loop.turn(timeout: 1) }
  }

  /// Starts work that waits until it is let go.
  @discardableResult
  private func hold(on queue: WorkQueue? = nil, _ gate: Gate, _ done: @escaping () -> Void)
    -> LoopWork
  {
    loop.work(on: queue, { gate.wait() }) { done() }
  }

  @Test func `jobs that are posted at once run side by side`() {
    // A thread that has nothing to do is there for one of them.
    var isReady = false
    loop.work({}) { isReady = true }
    turn { isReady }
    let gate = Gate()
    var order: [String] = []
    hold(gate) { order.append("slow") }
    loop.work({}) { order.append("quick") }
    turn { !order.isEmpty }
    #expect(order == ["quick"])
    gate.open()
    turn { order.count == 2 }
  }

  @Test func `queues that wait leave threads to what is short`() {
    let gate = Gate()
    var (held, quick) = (0, 0)
    for _ in 0..<10 { hold(on: WorkQueue(), gate) { held += 1 } }
    loop.work({}) { quick += 1 }
    turn { quick == 1 }
    #expect(held == 0)
    gate.open()
    turn { held == 10 }
  }

  @Test func `a queue holds one thread, and keeps its order`() {
    let (queue, gate) = (WorkQueue(), Gate())
    var order: [Int] = []
    hold(on: queue, gate) { order.append(0) }
    for number in 1...20 { loop.work(on: queue, {}) { order.append(number) } }
    var others = 0
    for _ in 0..<3 { loop.work(on: WorkQueue(), {}) { others += 1 } }
    turn { others == 3 }
    #expect(order.isEmpty)
    gate.open()
    turn { order.count == 21 }
    #expect(order == Array(0...20))
  }

  @Test func `what is cancelled while it waits is released at once`() {
    let (queue, gate) = (WorkQueue(), Gate())
    var isDone = false
    hold(on: queue, gate) { isDone = true }
    var held: Gate? = Gate()
    weak let released = held
    let work = loop.work(on: queue, { [held] in _ = held }) { Issue.record("it was cancelled") }
    held = nil
    #expect(released != nil)
    work.cancel()
    #expect(released == nil)
    gate.open()
    turn { isDone }
  }

  /// Lets threads wait until it is opened.
  private final class Gate: Sendable {
    private let condition = Condition()

    func wait() { condition.wait(beyond: 0) }
    func open() { condition.signal() }
  }
}
