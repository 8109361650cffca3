import TideGraph
package import TideValues

extension Value {
  /// The value as a script would write it; of an object its name alone.
  package var literal: String {
    switch self {
    case .string(let text): TransformCall.excerpt(text)
    case .bytes(let bytes): TransformCall.excerpt(bytes)
    case .object(let list as ValueList): list.describedText
    case .object(let object as DataObject): "\(object.label) {…}"
    default: text ?? "nil"
    }
  }
}
