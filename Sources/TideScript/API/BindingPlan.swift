import TideBindings

/// What a script's binding connects, before it has its ends.
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

  /// Where it begins and, last, where it leads.
  var paths: [Path] {
    switch self {
    case .expression(let expression): [expression.left, expression.right]
    case .pattern(let sources, let target, _): sources + [target]
    }
  }

  /// Throws what is wrong whatever its ends are: a transformer that there is not, or one without
  /// the reverse that the arrow needs.
  func check(with transformers: TransformerRegistry) throws {
    guard case .expression(let expression) = self else { return }
    _ = try TransformChain(expression.transforms, in: transformers, for: expression.arrow)
  }

  /// Makes the binding, given for each path the object and the path from there.
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

/// A binding as a line of a script writes it, shared by all that this line makes.
final class BindingSource {
  /// Nil for one that was found, not made, by a script.
  let plan: BindingPlan?
  let text: String
  let location: SourceLocation?
  let origin: BindingOrigin
  /// Whether other calls of the same line write the same.
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
