import TideBindings
import TideScript
import TideViews

/// What is known of one app: what all its scripts declare, and what their expressions mean.
///
/// It is made once for all scripts of the app that are checked, because what a parameter or a cell's
/// `dataObject` is may stand in another script than the function has.
final class AppIndex {
  let symbols: SymbolTable
  let inference: TypeInference
  let viewClasses: Set<String>
  /// How many of its scripts are no specs, and whether others are.
  let scriptCount: Int
  let hasSpecs: Bool
  /// What is known of the place of views.
  private var contexts: [ObjectIdentifier: ViewContext] = [:]
  private var components: [String: ViewContext] = [:]

  init(_ scripts: [Script], names: KnownNames, modules: [ObjectIdentifier: Script]) {
    var symbols = SymbolTable()
    for script in scripts { symbols.formUnion(script.symbols) }
    self.symbols = symbols
    scriptCount = scripts.count { !$0.isSpec }
    hasSpecs = scripts.contains(where: \.isSpec)
    viewClasses = Set(names.viewClasses.names)
    var inference = TypeInference(
      api: names.api, assigned: symbols.globals, ids: symbols.ids, shapes: symbols.shapes)
    // A model of the name is found before anything else.
    let models = Set(symbols.models.map(\.name))
    inference.named = symbols.named.compactMapValues(\.self).filter { !models.contains($0.key) }
    let context = inference.context
    context.tables = symbols.tables.shapes
    context.openNames = symbols.tables.openNames
    context.columns = symbols.columns
    context.modules = modules
    for local in symbols.tables.escaped {
      guard let call = local.value, let script = modules[ObjectIdentifier(call)] else { continue }
      context.openModules.insert(script.index)
    }
    self.inference = inference
    for script in scripts { PlacementCollector(self).collect(script) }
    // What was asked for meanwhile may have been too early.
    context.forget()
  }

  /// The views that show rows.
  let rowViews: Set<String> = ["list", "table", "tree", "collection"]

  // MARK: Rows

  /// Where the rows come from of a view that is made from a table.
  func rows(of fields: [LuaField]) -> RowSource? {
    if let items = fields["items"] {
      if let body = items.functionBody {
        let results = body.results.compactMap(\.first)
        return results.count == 1 ? .expression(results[0]) : nil
      }
      return items.string == nil ? .expression(items) : nil
    }
    let given = fields["bindTo"]?.fields?["items"]
    guard let text = (given?.fields?["path"] ?? given)?.string,
      let expression = try? ViewExpression.parse(text.text), expression.transforms.isEmpty
    else { return nil }
    return .path(expression.path)
  }

  /// The columns that stand in a table, or in one that a function of the same script gives.
  func columns(of value: LuaExpression?, _ budget: Int = 8) -> [LuaExpression] {
    guard let value, budget > 0 else { return [] }
    switch value.kind {
    case .table(let fields): return fields.map(\.value)
    case .function(let body):
      return body.results.count == 1 ? columns(of: body.results[0].first, budget - 1) : []
    case .name(_, let local?):
      if local.isReassigned { return [] }
      if let body = local.function {
        return body.results.count == 1 ? columns(of: body.results[0].first, budget - 1) : []
      }
      return columns(of: local.value, budget - 1)
    default: return []
    }
  }

  // MARK: Use

  /// The transformers that nothing names: each declaration writes its name once.
  private(set) lazy var unusedTransformers: Set<String> = {
    let counts = Self.counts(of: symbols.transformerPlaces)
    return Set(counts.filter { symbols.words[$0.key] ?? 0 <= $0.value }.keys)
  }()

  /// The ids that nothing names: each view that has one writes it once.
  private(set) lazy var unusedIDs: Set<String> = {
    let counts = Self.counts(of: symbols.idPlaces)
    return Set(
      counts.filter { id, count in
        !symbols.mentionedIDs.contains(id) && symbols.roots[id] ?? 0 <= count
      }.keys)
  }()

  private static func counts(of places: [(name: String, offset: Int)]) -> [String: Int] {
    places.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
  }

  // MARK: Places

  /// The place that stands for the views of a component in what it is made of.
  func place(ofComponent name: String) -> ViewContext {
    if let known = components[name] { return known }
    let made = ViewContext()
    made.viewClass = name
    components[name] = made
    return made
  }

  /// The place of a view that a call makes.
  func context(of call: LuaExpression) -> ViewContext {
    if let known = contexts[ObjectIdentifier(call)] { return known }
    let made = ViewContext()
    contexts[ObjectIdentifier(call)] = made
    return made
  }
}

/// Where a view stands among others, and what that tells of its paths.
final class ViewContext {
  var viewClass: String?
  /// What its table gives it as `dataObject`.
  var dataObject: LuaExpression?
  /// The rows of the list that shows it as a cell.
  private var rows: RowSource?
  private(set) weak var superview: ViewContext?
  /// Of the place that stands for the views of a component: those.
  private var uses: [ViewContext] = []
  /// Whether it is put in several places.
  private var isAmbiguous = false

  /// Puts the view into another.
  func put(in superview: ViewContext) {
    if self.superview != nil || rows != nil { isAmbiguous = true }
    self.superview = superview
  }

  /// Has the place stand for a view.
  func note(use view: ViewContext) { uses.append(view) }

  /// Makes the view a cell of a list.
  func put(in superview: ViewContext, showing rows: RowSource?) {
    put(in: superview)
    self.rows = rows
    if rows == nil { isAmbiguous = true }
  }

  /// Where the view stands, where it is in one place.
  var place: ViewContext? { isAmbiguous ? nil : superview }

  /// What its `dataObject` is, its own or that of a superview; nil where it is not known.
  func dataObject(_ inference: TypeInference, _ levels: Int = 64) -> InferredType? {
    var view: ViewContext? = self
    for level in 0..<levels {
      guard let found = view else { return nil }
      if !found.uses.isEmpty {
        return found.uses.count > 8 ? nil : found.commonDataObject(inference, (levels - level) / 4)
      }
      if let own = found.dataObject {
        if let body = inference.functionBody(of: own) {
          return inference.result(of: body, TypeInference.budget)
        }
        return inference.inferredType(of: own)
      }
      if found.isAmbiguous { return nil }
      if let rows = found.rows { return inference.rows(of: rows).map { .held($0) } }
      view = found.superview
    }
    return nil
  }

  /// What all views have that the place stands for.
  private func commonDataObject(_ inference: TypeInference, _ levels: Int) -> InferredType? {
    var common: InferredType?
    for use in uses {
      guard let type = use.dataObject(inference, levels),
        let both = common.map({ inference.union($0, type) }) ?? type
      else { return nil }
      common = both
    }
    return common
  }

  /// The nearest one above that is of a class.
  func ancestor(of viewClass: String) -> ViewContext? {
    var view = place
    for _ in 0..<64 {
      guard let found = view else { return nil }
      if found.viewClass == viewClass { return found }
      view = found.place
    }
    return nil
  }
}
