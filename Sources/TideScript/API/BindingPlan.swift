import TideBindings

/// The paths of a script's binding, before its objects are known.
enum BindingPlan {
  case expression(BindingExpression)
  /// Several values in one text.
  case pattern([Path], target: Path, format: String)

  init(_ sources: [String], to target: String, format: String?) throws {
    guard let format else {
      throw TideError(
        .badArgument,
        "several sources make one text: say how with the option \"format\" of bind, such as \"%s %s\""
      )
    }
    self = .pattern(try sources.map { try Path($0) }, target: try Path(target), format: format)
  }

  /// The source paths, and last the target path.
  var paths: [Path] {
    switch self {
    case .expression(let expression): [expression.left, expression.right]
    case .pattern(let sources, let target, _): sources + [target]
    }
  }

  /// Throws errors that do not depend on the objects: an unknown transformer, or one without the
  /// reverse that the arrow requires.
  func check(with transformers: TransformerRegistry) throws {
    guard case .expression(let expression) = self else { return }
    _ = try TransformChain(expression.transforms, in: transformers, for: expression.arrow)
  }

  /// Makes the binding from the object and the relative path of each end.
  func connect(
    _ ends: [(object: DataObject, path: Path)], in context: BindingContext, text: String,
    _ options: BindingOptions
  ) throws -> Binding? {
    guard let first = ends.first, let last = ends.last else { return nil }
    switch self {
    case .expression(var expression):
      (expression.left, expression.right) = (first.path, last.path)
      return try context.bind(expression, text: text, first.object, last.object, options)
    case .pattern(_, _, let format):
      return try context.bind(
        Array(ends.dropLast()), to: last.object, last.path, format: format, text: text, options)
    }
  }
}

/// The source line of a binding, shared by all bindings that the line makes.
final class BindingSource {
  /// Nil for a binding that a script has found, not made.
  let plan: BindingPlan?
  let text: String
  let location: SourceLocation?
  let origin: BindingOrigin
  /// Whether other calls on the same line can share it.
  let isShared: Bool

  init(
    _ plan: BindingPlan?, _ text: String, at location: SourceLocation?, name: String? = nil,
    isShared: Bool = false, in table: BindingTable
  ) {
    self.plan = plan
    self.text = text
    self.location = location
    self.isShared = isShared
    origin = BindingOrigin(text: text, location: location, name: name, in: table)
  }
}
