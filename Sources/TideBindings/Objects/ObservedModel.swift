public import Observation
public import TideGraph

/// A data object that represents an object of Swift's Observation, property by property.
///
/// ```swift
/// // `car` is of a class that is @Observable and has a speed and a name.
/// let model = ObservedModel(car, .property("speed", \.speed), .property("name", \.name))
/// try context.bind("speed -> text", model, label)
/// ```
///
/// Reading a property returns the object's value. Dependents follow when the graph settles next, so
/// several changes in between count as one. Writes of bindings and scripts go to the object. The
/// model belongs to the actor or thread that made it; the object may be changed on any thread.
public final class ObservedModel<Object: AnyObject & Observable & SendableMetatype>: DataObject {
  let object: Object

  /// Makes a model of an object, with the properties of it that bindings and scripts may see.
  public convenience init(_ object: Object, _ properties: ObservedProperty<Object>...) {
    self.init(
      object, Shape(name: "\(Object.self)", properties: properties.map(\.description)))
  }

  init(_ object: Object, _ shape: Shape) {
    self.object = object
    super.init(shape: shape)
  }
}

/// A key path of an observable object, with the name of the property for bindings.
///
/// ```swift
/// let speed = ObservedProperty<Car>.property("speed", \.speed)
/// let model = ObservedModel(
///   car, speed, .readOnly("name", \.name), .object("driver", \.driver, .property("name", \.name)),
///   .list("wheels", \.wheels, .property("pressure", \.pressure)))
/// ```
public struct ObservedProperty<Object: AnyObject & Observable & SendableMetatype> {
  let description: PropertyDescription

  /// A property that bindings may write as well.
  public static func property<Content: TideConvertible>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Content>
  ) -> Self {
    var description = shown(name, path)
    description.isReadOnly = false
    description.isKeptOutside = true
    description.validate = { model, value in
      let content = try Content.observed(value, by: "\(model.label).\(name)")
      if case .object = value { return content.makeValue() }
      return value
    }
    // Bound to the model's actor or thread, where the model accesses the object.
    let path = ThreadBound(path)
    description.assign = { model, value in
      guard let model = model as? ObservedModel<Object> else { return }
      model.object[keyPath: path.value] = try .observed(value, by: "\(model.label).\(name)")
      model.graph.catchUp()
    }
    return Self(description: description)
  }

  /// A property that bindings may only read.
  public static func readOnly<Content: TideConvertible>(
    _ name: String, _ path: KeyPath<Object, Content>
  ) -> Self {
    Self(description: shown(name, path))
  }

  /// A property that holds another observable object, represented by a model of its own.
  ///
  /// Scripts and bindings see and write the given properties, and follow when the property holds
  /// another object. They cannot replace the object.
  public static func object<Content: AnyObject & Observable & SendableMetatype>(
    _ name: String, _ path: KeyPath<Object, Content>, _ properties: ObservedProperty<Content>...
  ) -> Self {
    let path = ThreadBound(path)
    return held(name, isNullable: false, properties) { $0[keyPath: path.value] }
  }

  /// A property that holds another observable object or nil. The object is represented by a model
  /// of its own.
  public static func object<Content: AnyObject & Observable & SendableMetatype>(
    _ name: String, _ path: KeyPath<Object, Content?>, _ properties: ObservedProperty<Content>...
  ) -> Self {
    let path = ThreadBound(path)
    return held(name, isNullable: true, properties) { $0[keyPath: path.value] }
  }

  /// A property that holds an array of observable objects, represented by a list with a model for
  /// each.
  ///
  /// The list follows the array by the smallest edits. An object keeps its model as long as it is
  /// in the array. Only the program edits the array.
  public static func list<Content: AnyObject & Observable & SendableMetatype>(
    _ name: String, _ path: KeyPath<Object, [Content]>, _ properties: ObservedProperty<Content>...
  ) -> Self {
    var description = PropertyDescription(name, .list, isReadOnly: true)
    description.isNullable = false
    let path = ThreadBound(path)
    let shape = Shape(name: "\(Content.self)", properties: properties.map(\.description))
    description.derive = { model in
      guard let object = (model as? ObservedModel<Object>)?.object else { return ComputedBody() }
      let list = model.graph.entered {
        ObservedList(of: shape) { object[keyPath: path.value] }
      }
      return FunctionBody { .object(list) }
    }
    return Self(description: description)
  }

  private static func shown<Content: TideConvertible>(
    _ name: String, _ path: KeyPath<Object, Content>
  ) -> PropertyDescription {
    var description = PropertyDescription(name, Content.valueType, isReadOnly: true)
    description.isNullable = Content.isNullable
    description.expectation = Content.namedCases
    let path = ThreadBound(path)
    description.derive = { model in
      guard let object = (model as? ObservedModel<Object>)?.object else { return ComputedBody() }
      return ObservedBody(ObservedEntry(model, name)) { object[keyPath: path.value].makeValue() }
    }
    return description
  }

  private static func held<Content: AnyObject & Observable & SendableMetatype>(
    _ name: String, isNullable: Bool, _ properties: [ObservedProperty<Content>],
    _ read: @escaping @Sendable (Object) -> Content?
  ) -> Self {
    var description = PropertyDescription(name, .object, isReadOnly: true)
    description.isNullable = isNullable
    let shape = Shape(name: "\(Content.self)", properties: properties.map(\.description))
    description.derive = { model in
      guard let object = (model as? ObservedModel<Object>)?.object else { return ComputedBody() }
      let models = ObservedModels<Content>(shape)
      return ObservedBody(ObservedEntry(model, name)) {
        guard let content = read(object) else { return .null }
        return models.models(of: [content])[0]
      }
    }
    return Self(description: description)
  }
}

extension TideConvertible {
  /// A value that is written to a property of an observable object.
  fileprivate static func observed(_ value: Value, by property: String) throws -> Self {
    if let content = make(from: value) { return content }
    do { return try from(value) } catch {
      guard let reason = ValueMismatch.reason(error) else { throw error }
      throw mismatch(value, of: property, because: reason)
    }
  }
}

/// The models of the objects that a property holds.
private final class ObservedModels<Content: AnyObject & Observable & SendableMetatype> {
  private let shape: Shape
  /// By object. The models keep their objects alive.
  private var known: [ObjectIdentifier: ObservedModel<Content>] = [:]

  init(_ shape: Shape) { self.shape = shape }

  /// Returns the models of the objects that are held now, and drops those of others.
  func models(of objects: [Content]) -> [Value] {
    var held: [ObjectIdentifier: ObservedModel<Content>] = [:]
    defer { known = held }
    return objects.map { object in
      let key = ObjectIdentifier(object)
      let model = held[key] ?? known[key] ?? ObservedModel(object, shape)
      held[key] = model
      return .object(model)
    }
  }
}

/// The list of the models of an array's objects, which follows the array.
private final class ObservedList<Content: AnyObject & Observable & SendableMetatype>: LiveList {
  private let models: ObservedModels<Content>
  private let read: () -> [Content]
  private lazy var entry = ObservedEntry(self)

  init(of shape: Shape, _ read: @escaping () -> [Content]) {
    models = ObservedModels(shape)
    self.read = read
    super.init()
  }

  override var refusal: String {
    "this list follows an array of the program's, which alone edits it"
  }

  override func catchUp() throws(WorkError) {
    let objects = graph.untracked {
      entry.observing(read) { left, right in
        left.count == right.count && zip(left, right).allSatisfy { $0 === $1 }
      }
    }
    let values = graph.entered { models.models(of: objects) }
    let changes = try ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: values)
    for change in changes { emit(.change(change)) }
  }
}
