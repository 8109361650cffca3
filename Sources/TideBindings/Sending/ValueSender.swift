public import TideGraph

/// Sends values from any thread.
///
/// ```swift
/// let level = try context.sender(to: meter.$level)
/// Thread.detachNewThread {
///   while let sample = microphone.next() { try? level.send(sample) }
/// }
/// ```
///
/// Values of one thread arrive in the order in which they were sent. The sender belongs to the
/// context that made it: once that is cleared, values are dropped. While the context is disabled,
/// the latest value is held and delivered when the context is enabled again.
public struct ValueSender<Content: Sendable>: Sendable {
  private let send: @Sendable (Content) throws(TideError) -> Void

  init(_ send: @escaping @Sendable (Content) throws(TideError) -> Void) { self.send = send }

  /// Sends a value by the sender's delivery:
  ///
  /// - `settle`: in one of the next turns of the runtime's event loop, on the runtime's thread.
  /// - `frame`: before the next frame; only the latest of several values.
  /// - `immediate`: before this returns, on the calling thread.
  /// - `wait`: before this returns, on the runtime's thread. It blocks the calling thread, so never
  ///   call it on a thread of the concurrency pool.
  ///
  /// - Throws: with `immediate`, `badArgument` for a property of another thread. With `wait`,
  ///   `deadlock` if the runtime's thread is waiting for this one, `disposed` if the runtime or the
  ///   context has ended, and the error of writing the value. Otherwise nothing: errors of the
  ///   delivery are listed.
  public func send(_ value: Content) throws(TideError) { try send(value) }
}

extension BindingContext {
  /// Makes a sender with which any thread can send values to a property.
  ///
  /// - Throws: `badArgument` without a runtime, whose event loop delivers the values.
  public func sender<Content: TideConvertible & Sendable>(
    to target: PropertyReference<Content>, deliver delivery: BindingOptions.Delivery = .settle
  ) throws(TideError) -> ValueSender<Content> {
    let header = target.slot.blockHeader
    let generation = header?.generation
    return try sender(deliver: delivery) { value in
      // The property's object may be gone by now.
      guard header?.generation == generation else { return }
      try Validator<Content>.write(value, to: target.slot)
    }
  }

  /// Makes a sender with which any thread can send values to a property by name. The values are
  /// converted to the property's type.
  ///
  /// - Throws: `unknownProperty` for a name that the object does not have, and `badArgument`
  ///   without a runtime, whose event loop delivers the values.
  public func sender<Content: TideConvertible & Sendable>(
    to object: DataObject, _ name: String, of type: Content.Type,
    deliver delivery: BindingOptions.Delivery = .settle
  ) throws(TideError) -> ValueSender<Content> {
    guard let index = object.shape.index(of: name) else { throw object.unknownProperty(name) }
    let handle = ObjectHandle(object)
    return try sender(deliver: delivery) { value in
      guard let object = handle.object else { return }
      let property = object.shape.propertiesByIndex[index]
      try object.write(index, object.converted(value.makeValue(), to: property, at: index))
    }
  }

  /// Makes a sender with which any thread can call a function with values. The function runs on the
  /// graph's thread or, with `immediate`, on the calling thread.
  ///
  /// - Throws: `badArgument` without a runtime, whose event loop delivers the values; never with
  ///   `immediate`.
  public func sender<Content: Sendable>(
    of type: Content.Type, deliver delivery: BindingOptions.Delivery = .settle,
    _ body: @escaping @Sendable (Content) -> Void
  ) throws(TideError) -> ValueSender<Content> {
    guard delivery == .immediate else { return try sender(deliver: delivery, body) }
    let gate = SenderGate(body)
    own(setEnabled: { gate.isEnabled = $0 }) { gate.end() }
    return ValueSender { (value: Content) throws(TideError) in gate.pass(value) }
  }

  private func sender<Content: Sendable>(
    deliver delivery: BindingOptions.Delivery, _ write: @escaping (Content) throws -> Void
  ) throws(TideError) -> ValueSender<Content> {
    let clock = try table.clock(for: "sending values from other threads")
    let target = SendTarget(table, clock, delivery, write)
    own(setEnabled: { target.setEnabled($0) }) { target.end() }
    return ValueSender { (value: Content) throws(TideError) in try target.send(value) }
  }
}
