/// The app that the law of typed letters is tried with: rows that several people select, filter and
/// edit, in versions that mean the same or not.
struct TypedApp {
  let kind: Kind
  var isContinuous = true
  /// How many times a comment was changed.
  var comments = 0
  /// Whether the field stands in one more view, as after a save that wraps it.
  var isWrapped = false

  enum Kind: CaseIterable {
    /// The rows of a controller, with fields for what is selected.
    case controller
    /// The same, with fields in the rows as well.
    case cells
    /// A list that is sorted by itself, and a property that has what is selected.
    case property
  }

  var script: String {
    """
    -- comment \(comments)
    Row = class "Row" { id = 0, name = "", rank = 0 }
    desk = model "desk" { rows = list {}, all = list {}, made = 0, which = 0,
      current = property { nullable = true } }
    function make()
      desk.made = desk.made + 1
      local row = Row { id = desk.made, rank = desk.made * 7 % 5 }
      desk.all:append(row)
      return row
    end
    if desk.made == 0 then for _ = 1, 5 do desk.rows:append(make()) end end
    function passes(row)
      if desk.which == 1 then return #row.name % 2 == 0 end
      if desk.which == 2 then return row.rank ~= 1 end
      return true
    end
    local function cell()
      return view.cell { view.label { bindTo = { text = "dataObject.id" } },
        view.field { label = "cell", width = 8, bindTo = { text = "<> dataObject.name" } } }
    end
    \(rows)
    local field = view.field { id = "name", label = "name", bindTo = { text = \(path) } }
    show(view.column {
      view.label { id = "shown", label = "shown", text = function()
        local row = \(selected) return row and tostring(row.id) or "0" end },
      list,
      \(isWrapped ? "view.row { field }" : "field"),
      view.textArea { id = "area", label = "area", height = 2, bindTo = { text = \(path) } },
    })
    """
  }

  private var selected: String { kind == .property ? "desk.current" : "c.selectedObject" }

  private var path: String {
    let path = kind == .property ? "<> desk.current.name" : "<> c.selection.name"
    return isContinuous ? "'\(path)'" : "{ path = '\(path)', continuous = false }"
  }

  private var rows: String {
    let cell = kind == .cells ? "cell = cell," : ""
    return kind == .property
      ? """
      local list = view.list { id = "l", height = 8, bindTo = { selectedObject = "<> desk.current" },
        items = desk.rows:filter(passes):sorted(function(row) return row.rank end), \(cell) }
      """
      : """
      c = controller.list { name = "c", content = desk.rows, filter = passes, sort = "rank" }
      local list = view.list { id = "l", height = 8, \(cell) bindTo = {
        items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" } }
      """
  }

  /// What the program does meanwhile, to the row with a number.
  func scripts(_ row: Int) -> [String] {
    let object = "desk.all[\(row) % #desk.all + 1]"
    let place = "\(row) % #desk.rows + 1"
    let select =
      kind == .property
      ? "views.l.selectedIndex = \(row) % 4 + 1" : "c.selectionIndex = \(row) % 4 + 1"
    return [
      "\(object).name = 'w' .. \(object).name", "\(object).name = \(object).name .. 'w'",
      "\(object).rank = (\(object).rank + 2) % 5", "desk.which = \(row) % 3",
      "desk.rows:insert(\(place), make())", "desk.rows:append(make())",
      "if #desk.rows > 1 then desk.rows:remove(\(place)) end",
      "if #desk.rows > 1 then desk.rows:move(1, #desk.rows) end", select,
    ]
  }
}
