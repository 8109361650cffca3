-- A checkbox in a row takes the row out of the filter, once the edit ends.
local rows = list {
  { name = "ant", done = false }, { name = "bee", done = false }, { name = "cat", done = false },
}
local people = controller.list { name = "people", content = rows, filter = function(row) return not row.done end }
return view.column {
  view.table { label = "People", height = 5, bindTo = { items = "people.arrangedObjects" }, columns = { "name",
    { title = "done", cell = function()
      return view.checkbox { title = "Done", bindTo = { isOn = "<> @superview.dataObject.done" } }
    end } } },
  view.field { label = "Name", bindTo = { text = "<> people.selection.name" } },
}
