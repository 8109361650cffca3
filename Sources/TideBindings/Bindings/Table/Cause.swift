public import TideGraph

/// One link of the chain of causes of a value.
///
/// ```swift
/// for cause in try runtime.why(label, "text") { print(cause) }
/// // label.text: "fig" before, now "FIG" by a binding at app.lua:7
/// // fruit.name: "apple" before, now "fig" by a write at app.lua:12
/// ```
public struct Cause {
  /// The changed property, as `Person.name`.
  public let path: String
  /// The value before the change; nil if unknown. Text longer than 32 bytes is truncated.
  public let old: Value?
  /// The value afterwards.
  public let new: Value
  /// What changed it.
  public let kind: Kind
  /// The script line of the write, or of the binding.
  public let location: SourceLocation?
  /// The act behind the change, such as `a press of Down on the list "people"` or
  /// `the fetch of weather`; nil if unknown.
  public let act: String?

  init(
    path: String, old: Value?, new: Value, kind: Kind, location: SourceLocation?,
    act: String? = nil
  ) {
    self.path = path
    self.old = old
    self.new = new
    self.kind = kind
    self.location = location
    self.act = act
  }

  /// What changed a value.
  public enum Kind: String, Sendable {
    /// A statement of a script or of the host.
    case write
    /// A binding carried it here.
    case binding
    /// It was computed again.
    case computed
    /// A list was edited.
    case edit
    /// A user typed or clicked.
    case input
    /// It is unchanged since the object was made.
    case initial
  }
}

extension Cause: CustomStringConvertible {
  /// One line of the chain, as in the example of ``Cause``.
  public var description: String {
    var text = "\(path): "
    if let old { text += "\(Self.shown(old)) before, " }
    text += "now \(Self.shown(new)) "
    if kind == .initial {
      text += "since it was made"
    } else if let act, location == nil {
      return text + "by \(act)"
    } else {
      text += "by \(kind.phrase)"
    }
    if let location { text += " at \(location)" }
    if let act { text += ", \(act)" }
    return text
  }

  /// The preview of a value without the brackets that other messages put around it.
  private static func shown(_ value: Value) -> String {
    value == .null ? "nil" : String(value.preview.dropFirst().dropLast())
  }
}

extension Cause.Kind {
  fileprivate var phrase: String {
    switch self {
    case .write: "a write"
    case .binding: "a binding"
    case .computed: "its function"
    case .edit: "an edit"
    case .input: "input"
    case .initial: "making"
    }
  }
}
