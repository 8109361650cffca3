import TideBindings

// The properties that bindings write to.
extension BindingExpression {
  /// The names of the properties that a binding writes to, in the form of `bind` or of a view's
  /// `bindTo`; nil if the string is not a binding.
  static func writtenNames(in text: String) -> Set<String>? {
    if let binding = try? parse(text) {
      let ends = [
        binding.arrow.goesRight ? binding.right : nil, binding.arrow.goesLeft ? binding.left : nil,
      ]
      return Set(ends.compactMap { $0?.lastName })
    }
    guard let binding = try? ViewExpression.parse(text) else { return nil }
    return Set([binding.arrow.goesLeft ? binding.path.lastName : nil].compactMap(\.self))
  }
}

extension Path {
  /// The property that the last step names.
  var lastName: String? {
    switch steps.last {
    case .property(let name)?, .element(let name, _)?: name
    default: nil
    }
  }
}
