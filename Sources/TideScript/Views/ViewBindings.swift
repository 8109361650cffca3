import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// `bindTo = { property = expression }`.
  func bind(_ view: View, to table: LuaTable) throws {
    for (key, value) in try table.entries(inOrderOf: view.shape) {
      guard case .string(let property) = key else {
        throw TideError(.badArgument, "bindTo maps names of properties to expressions")
      }
      guard view.shape.index(of: property) != nil else { throw unknown(property, of: view) }
      if let text = value.string {
        try bind(view, property, to: text, (BindingOptions(), [:]))
      } else if let given = value.table, let text = try given["path"].string {
        try bind(view, property, to: text, bindingOptions(given, ofView: true))
      } else if let given = value.table, let sources = try given["path"].table {
        try bindPattern(of: view, property, to: sources, bindingOptions(given, ofView: true))
      } else {
        throw TideError(
          .badArgument,
          "bindTo.\(property) is an expression, or a table with path and options")
      }
    }
  }

  private typealias Given = (options: BindingOptions, roots: [String: DataObject])

  /// Binds a property to a path, relative to the view, a model or a root.
  private func bind(
    _ view: View, _ property: String, to text: String, _ given: Given
  ) throws {
    try charge(3 * text.utf8.count)
    let expression = try ViewExpression(text).binding(to: property)
    try bind(view, .expression(expression), "\(property): \(text)", given)
  }

  /// Shows several values in one text: `path = { … }, format = "%s %s"`.
  private func bindPattern(
    of view: View, _ property: String, to sources: LuaTable, _ given: Given
  ) throws {
    let paths = try sources.elements(of: "the paths of bindTo.\(property)").map { element in
      guard case .string(let path) = element else {
        throw TideError(
          .badArgument, "the paths of bindTo.\(property) are texts; found \(element.preview)")
      }
      return path
    }
    try charge(3 * paths.reduce(0) { $0 + $1.utf8.count })
    let plan = try BindingPlan(paths, to: property, format: given.options.format)
    var given = given
    given.options.format = nil
    try bind(view, plan, "\(property): \(paths.joined(separator: ", "))", given)
  }

  private func bind(
    _ view: View, _ plan: BindingPlan, _ text: String, _ given: Given
  ) throws {
    var options = given.options
    options.location = location
    noteClasses(in: plan.paths, at: location)
    try begin(WaitingViewBinding(plan, text, view, options, given.roots, context))
  }
}
