public import Observation
public import TideGraph
import TideValues

/// A data object that stands for an object of Swift's Observation, property by property.
///
/// ```swift
/// // `car` is of a class that is @Observable and has a speed and a name.
/// let model = ObservedModel(car, .property("speed", \.speed), .property("name", \.name))
/// try context.bind("speed -> text", model, label)
/// ```
///
/// A change of the object is read after it has happened, when the graph settles next, so several
/// changes in between count as one. What bindings and scripts write goes to the object. The model
/// belongs to the thread that made it; the object may be changed on any.
public final class ObservedModel<Object: AnyObject & Observable & SendableMetatype>: DataObject {
  private let object: Object
  private let observed: [Observed]

  /// Makes a model of an object, with the properties of it that bindings and scripts may see.
  public init(_ object: Object, _ properties: ObservedProperty<Object>...) {
    self.object = object
    let queue = ObservedChanges.of(.current)
    observed = properties.indices.map { Observed(index: $0, in: queue) }
    let descriptions = properties.map { $0.description(of: object) }
    super.init(shape: Shape(name: "\(Object.self)", properties: descriptions))
    for (entry, property) in zip(observed, properties) {
      entry.read = { [unowned(unsafe) self] in property.read(self.object) }
      entry.model = ObjectHandle(self)
      entry.arm(slot(entry.index))
    }
  }

  deinit { for entry in observed { entry.read = nil } }
}

/// A key path of an observable object, under the name by which bindings know it.
///
/// ```swift
/// let speed = ObservedProperty<Car>.property("speed", \.speed)
/// let model = ObservedModel(car, speed, .readOnly("name", \.name))
/// ```
public struct ObservedProperty<Object: AnyObject & Observable & SendableMetatype> {
  let name: String
  let type: ValueType
  let isNullable: Bool
  let read: (Object) -> Value
  let write: ((Object, Value) throws -> Void)?

  /// A property that bindings may write as well.
  public static func property<Content: TideConvertible>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Content>
  ) -> Self {
    Self(
      name: name, type: Content.valueType, isNullable: Content.isNullable,
      read: { $0[keyPath: path].makeValue() },
      write: { object, value in
        guard let content = Content.make(from: value) else {
          throw TideError(.wrongType, "\(name) does not hold \(value.typeAndPreview)")
        }
        object[keyPath: path] = content
      })
  }

  /// A property that is only shown.
  public static func readOnly<Content: TideConvertible>(
    _ name: String, _ path: KeyPath<Object, Content>
  ) -> Self {
    Self(
      name: name, type: Content.valueType, isNullable: Content.isNullable,
      read: { $0[keyPath: path].makeValue() }, write: nil)
  }

  func description(of object: Object) -> PropertyDescription {
    var description = PropertyDescription(name, type)
    description.isNullable = isNullable
    guard let write else {
      description.isReadOnly = true
      return description
    }
    // The object belongs to the model's thread as far as the model is concerned.
    let end = ThreadBound((object: object, read: read, write: write))
    description.validate = { _, value in
      let end = end.value
      try end.write(end.object, value)
      return end.read(end.object)
    }
    return description
  }
}

/// One observed key path: armed until it changes, read and armed again when the graph settles.
// Unchecked, because other threads touch nothing but `isQueued`, under the queue's lock.
final class Observed: @unchecked Sendable {
  let index: Int
  let queue: ObservedChanges
  var read: (() -> Value)?
  var model: ObjectHandle?
  var isQueued = false

  init(index: Int, in queue: ObservedChanges) {
    self.index = index
    self.queue = queue
  }

  /// Stores the present value and asks to be told of the next change; true when it differs.
  @discardableResult
  func arm(_ slot: Slot) -> Bool {
    guard let read else { return false }
    let value = withObservationTracking(read) { [self] in queue.add(self) }
    return slot.store(value)
  }
}

/// What has changed since the graph settled last; any thread adds to it.
package final class ObservedChanges: Sendable {
  private let waiting = Guarded<[Observed]>([])
  private let graph: ThreadBound<Unmanaged<Graph>>
  private let thread: UInt

  private var owner: Graph { graph.value.takeUnretainedValue() }

  private init(_ graph: Graph) {
    // It keeps this.
    self.graph = ThreadBound(.passUnretained(graph))
    thread = Graph.threadMark
  }

  static func of(_ graph: Graph) -> ObservedChanges {
    if let known = graph.observedChanges as? ObservedChanges { return known }
    let made = ObservedChanges(graph)
    graph.observedChanges = made
    graph.drainObserved = { made.drain() }
    return made
  }

  fileprivate func add(_ entry: Observed) {
    let isFirst = waiting.withLock { waiting in
      if entry.isQueued { return false }
      entry.isQueued = true
      waiting.append(entry)
      return waiting.count == 1
    }
    guard isFirst else { return }
    // On the graph's own thread the next settle sees it; elsewhere its owner must be woken.
    if Graph.threadMark == thread {
      owner.setHasLeftovers()
    } else {
      owner.wake?()
    }
  }

  /// Reads what has changed, and settles what depends on it.
  private func drain() {
    let entries = waiting.withLock { waiting in
      for entry in waiting { entry.isQueued = false }
      defer { waiting.removeAll() }
      return waiting
    }
    if entries.isEmpty { return }
    owner.batch {
      for entry in entries {
        guard let model = entry.model?.object else { continue }
        let slot = model.slot(entry.index)
        if entry.arm(slot) { slot.noteChange() }
      }
    }
  }
}
