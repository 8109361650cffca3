public import TideBindings
package import TideGraph

/// A data object that a script made.
public final class ScriptObject: DataObject {
  let scriptClass: ScriptClass
  /// The name of a model.
  var modelName: String?
  /// What its properties held at first, by their index, where its class does not say it.
  var defaults: [Value]?

  init(_ scriptClass: ScriptClass) {
    self.scriptClass = scriptClass
    super.init(shape: scriptClass.shape)
  }

  public override var displayName: String? { modelName ?? scriptClass.name }
}

extension ScriptObject: KeepsFirstValues {
  package func firstValue(ofProperty index: Int) -> Value? {
    guard let defaults, defaults.indices.contains(index), defaults[index] != .null else {
      return nil
    }
    return defaults[index]
  }
}

extension ScriptObject: DescribedObject {
  package var describedText: String {
    if shape.index(of: "description") != nil, case .string(let text) = self["description"] {
      return text
    }
    return summary
  }

  /// `fruit { color = "red", name = "apple" }`.
  var summary: String {
    let fields = shape.properties.map(\.name).sorted().map { name in
      "\(name) = \(graph.untracked { self[name] }.literal)"
    }
    return fields.isEmpty ? "\(label) {}" : "\(label) { \(fields.joined(separator: ", ")) }"
  }
}
