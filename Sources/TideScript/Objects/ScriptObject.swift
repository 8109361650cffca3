public import TideBindings
import TideGraph

/// A data object that a script made.
public final class ScriptObject: DataObject {
  let scriptClass: ScriptClass
  /// The name of a model.
  var modelName: String?

  init(_ scriptClass: ScriptClass) {
    self.scriptClass = scriptClass
    super.init(shape: scriptClass.shape)
  }

  public override var displayName: String? { modelName ?? scriptClass.name }
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
