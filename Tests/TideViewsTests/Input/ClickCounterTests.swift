import Testing
import TideViews

private func press(_ x: Int = 3, _ button: MouseEvent.Button = .left) -> MouseEvent {
  MouseEvent(.press(button), at: Point(x: x, y: 0))
}

@Test func `presses at one position soon after each other count up`() {
  var counter = ClickCounter()
  #expect(
    [0.0, 0.2, 0.6, 1.2, 1.3].map { counter.count(press(), at: $0).clicks } == [1, 2, 3, 1, 2])
}

@Test func `another position, another button and a drag begin anew`() {
  var counter = ClickCounter()
  #expect(counter.count(press(), at: 0).clicks == 1)
  #expect(counter.count(press(4), at: 0.1).clicks == 1)
  #expect(counter.count(press(4, .right), at: 0.2).clicks == 1)
  #expect(counter.count(press(4, .right), at: 0.3).clicks == 2)
  let drag = MouseEvent(.drag(.right), at: Point(x: 5, y: 0))
  #expect(counter.count(drag, at: 0.35).clicks == 2)
  #expect(counter.count(press(4, .right), at: 0.4).clicks == 1)
}

@Test func `a release belongs to its press, and time that runs backwards begins anew`() {
  var counter = ClickCounter()
  _ = counter.count(press(), at: 5)
  _ = counter.count(press(), at: 5.1)
  let release = MouseEvent(.release(.left), at: Point(x: 3, y: 0))
  #expect(counter.count(release, at: 5.2).clicks == 2)
  #expect(counter.count(press(), at: 1).clicks == 1)
}
