import TideBindings
import TideScript
import TideViews

/// The signature of a function as text.
package struct SignatureText {
  package let text: String
  /// The parts of the text that are parameters.
  package let parameters: [String]
  package var summary = ""

  init(_ name: String, _ signature: APITypes.Signature) {
    text = signature.text(named: name)
    parameters = signature.parameterTexts
    summary = signature.summary
  }

  init(_ name: String, _ parameters: [String], result: String = "") {
    text = "\(name)(\(parameters.joined(separator: ", ")))\(result)"
    self.parameters = parameters
  }
}
