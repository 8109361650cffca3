import Fuzzing
import Testing

@testable import TideSystem

struct EventLoopTests {
  let clock = VirtualClock()
  let loop: EventLoop

  init() throws { loop = try EventLoop(clock: clock) }

  @Test func `timers run in the order of their deadlines, then of their making`() {
    let seen = Record<String>()
    loop.after(2) { seen.add("late") }
    loop.after(1) { seen.add("first") }
    loop.after(1) { seen.add("second") }
    loop.after(0) { seen.add("now") }
    loop.advance(by: 2)
    #expect(seen.all == ["now", "first", "second", "late"])
  }

  @Test func `each timer sees its own time`() {
    let seen = Record<Double>()
    for delay in [3.0, 1, 2] { loop.after(delay) { seen.add(loop.now()) } }
    loop.advance(by: 10)
    #expect(seen.all == [1, 2, 3])
    #expect(loop.now() == 10)
  }

  @Test(arguments: [0.1, 0.3, 1.0, 1.0 / 3])
  func `a repeating timer keeps its beat`(interval: Double) {
    let seen = Record<Double>()
    loop.after(interval, repeating: true) { [unowned loop] in seen.add(loop.now()) }
    loop.advance(by: interval * 1000)
    #expect(seen.all.count == 1000)
    for (index, moment) in seen.all.enumerated() {
      #expect(abs(moment - interval * Double(index + 1)) < 1e-8)
    }
  }

  @Test func `runs that were missed do not pile up`() {
    let seen = Record<Double>()
    loop.after(1, repeating: true) { [unowned loop] in seen.add(loop.now()) }
    clock.skip(to: 5.5)
    loop.drain()
    #expect(seen.all == [5.5])
    loop.advance(by: 2)
    #expect(seen.all == [5.5, 6, 7])
  }

  @Test func `repeating timers of one beat stay in the order of their making`() {
    let seen = Record<String>()
    loop.after(1, repeating: true) { seen.add("a") }
    loop.after(1, repeating: true) { seen.add("b") }
    loop.advance(by: 2)
    #expect(seen.all == ["a", "b", "a", "b"])
  }

  @Test func `a timer may cancel itself and others while it runs`() {
    let seen = Record<String>()
    var other: LoopTimer?
    var itself: LoopTimer?
    itself = loop.after(1, repeating: true) {
      seen.add("itself")
      itself?.cancel()
      other?.cancel()
    }
    other = loop.after(1) { seen.add("other") }
    loop.advance(by: 5)
    #expect(seen.all == ["itself"])
    #expect(!loop.hasWork)
    #expect(itself?.hasEnded == true)
    #expect(loop.timers.brokenInvariant == nil)
  }

  @Test func `a timer made by a timer waits for the next turn`() {
    let seen = Record<Int>()
    func again(_ count: Int) {
      seen.add(count)
      if count < 3 { loop.after(0) { again(count + 1) } }
    }
    loop.after(0) { again(1) }
    loop.turn(timeout: 0)
    #expect(seen.all == [1])
    loop.drain()
    #expect(seen.all == [1, 2, 3])
  }

  @Test func `draining what keeps itself busy comes to an end`() {
    var count = 0
    func again(_ loop: EventLoop) {
      count += 1
      loop.after(0) { [unowned loop] in again(loop) }
    }
    again(loop)
    loop.drain(limit: 10)
    #expect(count == 11)
  }

  @Test func `a disabled timer waits, and runs at once if its time has passed`() {
    let seen = Record<Double>()
    let timer = loop.after(1) { seen.add(loop.now()) }
    timer.isEnabled = false
    #expect(!loop.hasWork)
    loop.advance(by: 5)
    #expect(seen.all.isEmpty)
    timer.isEnabled = true
    #expect(loop.hasWork)
    loop.drain()
    #expect(seen.all == [5])
  }

  @Test func `a timer that is disabled and enabled while it is due runs once`() {
    var count = 0
    var second: LoopTimer?
    loop.after(1) {
      second?.isEnabled = false
      second?.isEnabled = true
    }
    second = loop.after(1) { count += 1 }
    loop.advance(by: 1)
    #expect(count == 1)
    #expect(loop.timers.brokenInvariant == nil)
  }

  @Test(arguments: [Double.nan, -1, -Double.infinity])
  func `a delay that is none counts as none`(delay: Double) {
    var count = 0
    loop.after(delay) { count += 1 }
    loop.drain()
    #expect(count == 1)
  }

  @Test func `an endless delay never comes, and moves no clock`() {
    loop.after(.infinity) { Issue.record("ran") }
    loop.after(1e300, repeating: true, keepsRunning: false) {}
    loop.post {}
    #expect(loop.turn())
    #expect(loop.now() == 0)
  }

  @Test func `a repeating timer leaves time for others`() {
    var count = 0
    loop.after(0, repeating: true) { count += 1 }
    loop.advance(by: 1)
    #expect(count == 1000)
  }

  @Test func `what an ended turn leaves runs in the next one`() {
    let seen = Record<String>()
    loop.after(0) {
      seen.add("a")
      loop.endTurn()
    }
    loop.after(0) { seen.add("b") }
    loop.post { [inbox = loop.inbox] in inbox.post {} }
    loop.turn(timeout: 0)
    #expect(seen.all == ["a"])
    #expect(loop.hasWork)
    loop.drain()
    #expect(seen.all == ["a", "b"])
  }

  @Test func `an interruption comes before all that is due with it`() {
    let seen = Record<String>()
    for number in 1...2 { loop.after(1) { seen.add("timer \(number)") } }
    loop.interrupt(after: 1) { seen.add("interruption") }
    loop.advance(by: 1)
    #expect(seen.all == ["interruption", "timer 1", "timer 2"])
  }

  @Test func `there is work while something keeps the loop running`() {
    #expect(!loop.hasWork)
    loop.after(1, keepsRunning: false) {}
    #expect(!loop.hasWork)
    loop.after(1) {}
    #expect(loop.hasWork)
    loop.advance(by: 1)
    #expect(!loop.hasWork)
    loop.post {}
    #expect(loop.hasWork)
    loop.drain()
    #expect(!loop.hasWork)
    loop.operations += 1
    #expect(loop.hasWork)
  }

  @Test func `many random timers keep the queue in order`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var timers: [LoopTimer] = []
    var last = 0.0
    defer { for timer in timers { timer.cancel() } }
    for step in 0..<3000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        let delay = Double(Int.random(in: 1..<50, using: &random))
        timers.append(
          loop.after(delay, repeating: step % 7 == 0, keepsRunning: step % 2 == 0) {
            [unowned loop] in
            #expect(loop.now() >= last, "seed \(seed)")
            last = loop.now()
          })
      case 3: timers.randomElement(using: &random)?.cancel()
      case 4: timers.randomElement(using: &random)?.isEnabled.toggle()
      default: loop.advance(by: Double(Int.random(in: 0..<5, using: &random)))
      }
      #expect(loop.timers.brokenInvariant == nil, "seed \(seed), step \(step)")
    }
  }
}

/// What happened, in order, as closures see it.
final class Record<Element> {
  private(set) var all: [Element] = []
  func add(_ element: Element) { all.append(element) }
}
