import TideBindings

/// Shows the rows of a list, one below the other.
///
/// ```swift
/// list.makeCell = { _, _ in
///   let cell = LabelView()
///   try context.bind("dataObject.name -> text", cell, cell)   // the cell shows other rows later
///   return cell
/// }
/// list[.items] = .object(fruits)
/// ```
///
/// ```lua
/// view.list { items = fruits, cell = function(fruit, index)
///   return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
/// end, on = { didSelect = function(_, event) print(event.index, event.value.name) end } }
/// ```
///
/// See `RowsView` for keys, mouse and events. Every row is `rowHeight` high, or as high as the
/// first cell; with `rowHeight = "auto"` each row is as high as its content. Without `cell`, a row
/// shows its title.
public final class ListView: RowsView {}
