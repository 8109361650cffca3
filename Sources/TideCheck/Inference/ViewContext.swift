import TideBindings
import TideScript
import TideViews

/// The place of a view in the tree, from which its paths begin.
final class ViewContext {
  var viewClass: String?
  /// The `dataObject` in its table.
  var dataObject: LuaExpression?
  /// The rows of the list in which it is a cell.
  private var rows: RowSource?
  private(set) weak var superview: ViewContext?
  /// The cell that contains it, if a list shows it for a row.
  private var cell: ViewContext?
  /// For a component's root: the views of that component.
  private var uses: [ViewContext] = []
  /// Whether the view is added in several places.
  private var isAmbiguous = false

  /// Records that the view is added to another.
  func put(in superview: ViewContext) {
    if self.superview != nil { isAmbiguous = true }
    self.superview = superview
  }

  /// Records a view of the component.
  func note(use view: ViewContext) { uses.append(view) }

  /// Records that a list shows the view in a cell, whose `dataObject` is the row.
  func put(in superview: ViewContext, showing rows: RowSource?) {
    let cell = ViewContext()
    cell.viewClass = "cell"
    cell.rows = rows
    cell.put(in: superview)
    self.cell = cell
    put(in: cell)
    if rows == nil { isAmbiguous = true }
  }

  /// The superview; nil if the view is added in several places.
  var place: ViewContext? { isAmbiguous ? nil : superview }

  /// The type of its own or an inherited `dataObject`; nil if unknown.
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

  /// The common type of the `dataObject` of all views of the component.
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

  /// The nearest ancestor of a class.
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
