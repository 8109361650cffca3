public import TideBindings
import TideGraph
import TideLua
import TideValues

/// A data object that a script made.
///
/// ```swift
/// let fruit = try runtime.evaluate("models.fruit", as: ScriptObject.self)
/// try fruit.set("color", "red")
/// ```
public final class ScriptObject: DataObject {
  let scriptClass: ScriptClass
  /// The model's name; nil for other objects.
  var modelName: String?
  /// Initial values by property index, where they differ from the class's defaults.
  var defaults: [Value]?

  init(_ scriptClass: ScriptClass) {
    self.scriptClass = scriptClass
    super.init(shape: scriptClass.shape)
  }

  /// The model's name, or the class's name for an object that is not a model.
  public override var displayName: String? { modelName ?? scriptClass.name }
}

extension ScriptObject: FunctionHolding {
  package var nameOfFunction: String? {
    if !scriptClass.isAnonymous { return nil }
    var name: String?
    try? scriptClass.methods.forEach { key, _ in
      name = key.string
      return false
    }
    return name
  }
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

  private static let longestSummary = 64 << 10

  /// `fruit { color = "red", name = "apple" }`, shortened if it is very long.
  var summary: String {
    let names = shape.properties.map(\.name).sorted()
    if names.isEmpty { return "\(label) {}" }
    var fields = ""
    for (index, name) in names.enumerated() {
      if fields.utf8.count > Self.longestSummary {
        fields += ", … (\(names.count) in all)"
        break
      }
      fields += "\(index == 0 ? "" : ", ")\(name) = \(graph.untracked { self[name] }.literal)"
    }
    return "\(label) { \(fields) }"
  }
}
