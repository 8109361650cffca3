import CTideSlots
import Testing
import TideGraph

@testable import TideBindings

@Suite struct TriggerTests {
  final class Form: DataObject {
    @Property var text = "a"
    @Property var isSubmitted = false
  }

  /// Time that passes when a test says so, and what other threads hand over.
  final class HandClock: BindingClock {
    final class Call: ScheduledCall {
      var isEnabled = true
      var deadline: Double
      let interval: Double?
      var body: (() -> Void)?
      init(_ deadline: Double, _ interval: Double?, _ body: @escaping () -> Void) {
        self.deadline = deadline
        self.interval = interval
        self.body = body
      }
      func cancel() { body = nil }
    }
    final class Posted: Sendable {
      let bodies = Guarded<[@Sendable () -> Void]>([])
    }

    private var time = 0.0
    private var calls: [Call] = []
    private var frame: [() -> Void] = []
    let posted = Posted()

    func now() -> Double { time }
    func schedule(
      after seconds: Double, repeating: Bool, _ body: @escaping () -> Void
    ) throws -> any ScheduledCall {
      let call = Call(time + seconds, repeating ? seconds : nil, body)
      calls.append(call)
      return call
    }
    func animate(after seconds: Double, _ body: @escaping () -> Void) -> any ScheduledCall {
      let call = Call(time + seconds, nil, body)
      calls.append(call)
      return call
    }
    func beforeNextFrame(_ body: @escaping () -> Void) { frame.append(body) }
    var post: @Sendable (@escaping @Sendable () -> Void) -> Void {
      { [posted] body in posted.bodies.withLock { $0.append(body) } }
    }
    var thread: @Sendable () -> UInt {
      { [own = tide_thread_identity()] in own }
    }

    func advance(to moment: Double) {
      time = moment
      for call in calls where call.deadline <= moment && call.isEnabled {
        let body = call.body
        if let interval = call.interval { call.deadline += interval } else { call.cancel() }
        body?()
      }
    }
    func draw() {
      let bodies = frame
      frame = []
      for body in bodies { body() }
    }
    func runPosted() {
      for body in posted.bodies.withLock({ $0 }) { body() }
    }
  }

  let clock = HandClock()
  let context = BindingContext()
  let form = Form()
  let copy = Form()

  init() { context.table.clock = clock }

  private func bind(_ change: (inout BindingOptions) throws -> Void) throws -> Binding {
    var options = BindingOptions()
    try change(&options)
    return try context.bind("text -> text", form, copy, options)
  }

  @Test func `a change of another path fires, and the source's no longer does`() throws {
    let submitted = try Trigger.change(form, "isSubmitted")
    let binding = try bind { $0.triggers = [submitted] }
    form.text = "b"
    #expect(copy.text == "a")
    form.isSubmitted = true
    #expect(copy.text == "b")
    try binding.remove(submitted)
    form.text = "c"
    form.isSubmitted = false
    #expect(copy.text == "b")
    #expect(throws: TideError.self) { try binding.remove(submitted) }
  }

  @Test func `a trigger added to a plain binding works beside its changes`() throws {
    let binding = try bind { _ in }
    try binding.add(.change(form, "isSubmitted"))
    copy.text = "other"
    form.isSubmitted = true
    #expect(copy.text == "a")
    form.text = "b"
    #expect(copy.text == "b")
  }

  @Test func `a timer fires until the binding ends`() throws {
    let binding = try bind { $0.triggers = [try .every(2)] }
    form.text = "b"
    clock.advance(to: 1)
    #expect(copy.text == "a")
    clock.advance(to: 2)
    #expect(copy.text == "b")
    binding.unbind()
    form.text = "c"
    clock.advance(to: 4)
    #expect(copy.text == "b")
    #expect(throws: TideError.self) { try Trigger.every(.nan) }
  }

  @Test func `what waits for quiet, for its turn or for a frame is dropped with the binding`()
    throws
  {
    for change: (inout BindingOptions) -> Void in [
      { $0.delay = 1 }, { $0.throttle = 1 }, { $0.delivery = .frame },
    ] {
      form.text = "a"
      let binding = try bind(change)
      form.text = "b"
      form.text = "c"
      #expect(copy.text != "c")
      binding.unbind()
      clock.advance(to: clock.now() + 10)
      clock.draw()
      #expect(copy.text != "c")
    }
  }

  @Test func `without a clock there is nothing to wait for`() {
    context.table.clock = nil
    #expect(throws: TideError.self) { try bind { $0.delay = 1 } }
    #expect(throws: TideError.self) { try bind { $0.triggers = [try .every(1)] } }
    #expect(context.count == 0)
  }
}
