import TideGraph
package import TideValues

extension ValueList: ValueSequence {
  package static func make(_ values: [Value]) -> AnyObject { ValueList(values) }
}

extension ValueList: DescribedObject {
  /// `list { "fig", "pear", 3 }`, of long lists the beginning.
  package var describedText: String {
    let shown = graph.untracked { (0..<min(storage.count, 20)).map { storage[$0] } }
    let elements = shown.map { element in
      switch element {
      case .string(let text): TransformCall.excerpt(text)
      case .bytes(let bytes): TransformCall.excerpt(bytes)
      // The name alone: an object's properties may lead back to this list.
      case .object(let object as DataObject): object.shape.name
      default: element.text ?? "nil"
      }
    }
    let rest = storage.count > 20 ? ", … (\(storage.count) in all)" : ""
    return elements.isEmpty ? "list {}" : "list { \(elements.joined(separator: ", "))\(rest) }"
  }
}
