--- event: the handler of a control event
button = view.button { concurrent = true, title = "door", on = { touchUpInside = step } }
show(button)
function enter() button:send("touchUpInside") end

--- event-of-key: the handler of a control event that a person's key causes
-- keys: Tab, Enter
show(view.button { concurrent = true, title = "door", on = { touchUpInside = step } })

--- key: the function of a key
-- keys: Ctrl-S
show(view.column { concurrent = true, keys = { ["Ctrl-S"] = step }, view.label { text = "door" } })

--- key-event: the handler of the event "key"
-- keys: Tab, x
show(view.button { concurrent = true, title = "door", on = { key = step } })

--- field: the observer of what a person types
-- keys: Tab, x
typed = model "typed" { text = "" }
show(view.field { bindTo = { text = "<> typed.text" } })
observe(typed, "text", step)

--- field-validator: the validator of what a person types
-- keys: Tab, x
typed = model "typed" { text = property { default = "", validate = function(self, value)
  if value ~= "" then step() end
  return value
end } }
show(view.field { bindTo = { text = "<> typed.text" } })

--- form: the handler of a form's submit
-- keys: Tab, Enter
show(view.form { concurrent = true, on = { submit = step }, view.field { text = "door" } })

--- form-method: the handler of a form that a script submits
form = view.form { concurrent = true, on = { submit = step }, view.label { text = "door" } }
show(form)
function enter() form:submit() end

--- required: the words for a field in which nothing is entered
typed = model "typed" { text = property { default = "", required = function() step() return "no" end } }
form = view.form { view.field { bindTo = { text = "<> typed.text" } } }
show(form)
function enter()
  typed.text = "x"
  typed.text = ""
  form:submit()
end

--- number: the observer of what a person types into a number field
-- keys: Tab, 7
typed = model "typed" { n = property { type = "number", nullable = true } }
show(view.numberField { bindTo = { value = "<> typed.n" } })
observe(typed, "n", step)

--- number-words: the words for what is no number
-- keys: Tab, x
typed = model "typed" { n = property { default = 1, type = "number", invalid = function() step() return "no" end } }
show(view.numberField { bindTo = { value = "<> typed.n" } })

--- date: the handler of a day that is chosen in a calendar
-- keys: Tab, Right
show(view.datePicker { display = "inline", value = 0, on = { valueChanged = step } })

--- command: the execute of a command
command = object { canExecute = true, execute = function(self, sender) step() end }
button = view.button { title = "door", on = { touchUpInside = command } }
show(button)
function enter() button:send("touchUpInside") end

--- can-execute: the canExecute of a command
command = object { n = 0, execute = function() end,
  canExecute = computed(function(self) local n = self.n step() return self.n % 2 == 0 end) }
show(view.button { title = "door", on = { touchUpInside = command } })
function enter() command.n = command.n + 1 end

--- appearance: willAppear of a view
function enter() show(view.label { concurrent = true, text = "door", on = { willAppear = function() step() end } }) end

--- live-property: a function given for a property of a view
o = object { n = 0 }
show(view.label { concurrent = true, text = function() if o.n > 0 then step() end return "n " .. o.n end })
function enter() o.n = o.n + 1 end

--- children: a child function
o = object { n = 0 }
show(view.column { function()
  if o.n > 0 then step() end
  return view.label { text = "n " .. o.n }
end })
function enter() o.n = o.n + 1 end

--- component: the view function of a component
view.component("door", { properties = { title = "" }, view = function(self)
  step()
  return view.label { text = function() return self.title end }
end })
function enter() show(view.door { title = "door" }) end

--- cell: the cell function of a list
rows = list {}
show(view.list { items = rows, cell = function(object, index)
  step()
  return view.cell { view.label { text = "row " .. index } }
end })
function enter() if #rows < 20 then rows:append(object { n = #rows }) end end

--- cell-of-table: the cell function of a column
rows = list {}
-- An attack may show something else.
shown = view.table { items = rows, columns = { { title = "door", cell = function(object)
  step()
  return view.label { text = "row" }
end } } }
show(shown)
function enter()
  show(shown)
  if #rows < 20 then rows:append(object { n = #rows }) end
end

--- tree-children: the children function of a tree
o = object { n = 0 }

function enter()
  tree = view.tree { items = { 1 }, children = function(value) step() return nil end }
  show(tree)
end

--- column-sort: the sort key of a column
rows = list { object { n = 1 }, object { n = 2 } }
shown = view.table { items = rows, columns = { { title = "door", path = "n",
  sort = function(row) step() return row.n end } } }
show(shown)
shown.sort = "n"
function enter() rows:append(object { n = #rows }) end

--- display: willDisplay of a row
rows = list {}
show(view.list { concurrent = true, items = rows, on = { willDisplay = function() step() end } })
function enter() if #rows < 20 then rows:append("row " .. #rows) end end
