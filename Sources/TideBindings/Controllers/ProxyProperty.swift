import TideGraph

/// Represents a property that is reached through a proxy as an object with one property, `value`.
/// Bindings write to properties of data objects, so they write to this one.
///
///     binding ──▶ value ──▶ selection ──▶ name of each selected object
package final class ProxyProperty: DataObject {
  private let proxy: ObjectHandle
  package let steps: [PathStep]

  private static let propertyShape = Shape(
    name: "property",
    properties: [
      .derived(
        "value", of: ProxyProperty.self,
        get: { try $0.present() },
        set: { try $0.source?.writeThrough($0.steps, $1) },
        validate: { try $0.source?.admitThrough($0.steps, $1) ?? $1 })
    ])

  package init(_ proxy: DataObject, _ steps: [PathStep]) {
    self.proxy = ObjectHandle(proxy)
    self.steps = steps
    super.init(shape: Self.propertyShape)
  }

  package override var displayName: String? { source?.label }

  private func present() throws -> Value {
    guard let source else { return .null }
    return try PathReader.read(steps[...], from: source).value
  }

  package var source: DataObject? { proxy.object }

  /// The property as the models declare it, which determines how a binding converts values.
  package override func description(ofProperty index: Int) -> PropertyDescription {
    source?.describeThrough(steps) ?? shape.propertiesByIndex[index]
  }
}
