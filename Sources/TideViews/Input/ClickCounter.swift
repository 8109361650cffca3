/// Counts presses of the mouse at one place in quick succession: double and triple clicks.
///
/// ```swift
/// var counter = ClickCounter()
/// counter.count(press, at: 1.0).clicks    // 1
/// counter.count(press, at: 1.2).clicks    // 2
/// counter.count(press, at: 9.0).clicks    // 1
/// ```
///
/// It has no clock: whoever reads the mouse says when an event came, in seconds.
public struct ClickCounter {
  /// The longest time between two presses of one double click, in seconds.
  public static let interval = 0.5

  private var last: (event: MouseEvent, time: Double)?

  /// Starts with no press.
  public init() {}

  /// The event with its number of clicks. What is no press has those of the press before it.
  public mutating func count(_ event: MouseEvent, at time: Double) -> MouseEvent {
    var event = event
    event.clicks = 1
    guard case .press = event.kind else {
      if let last { event.clicks = last.event.clicks }
      if case .drag = event.kind { last?.time = -.infinity }
      return event
    }
    if let last, last.event.kind == event.kind, last.event.position == event.position,
      time >= last.time, time - last.time <= Self.interval
    {
      event.clicks = last.event.clicks + 1
    }
    last = (event, time)
    return event
  }
}
