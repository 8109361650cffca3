-- Controllers: selection, arranging, editing.

local Person = class "Person" {
  name = "", number = 0,
  age = property { default = 30, type = "integer", validate = function(self, v)
    if v < 0 then return nil, "age must not be negative" end
    return math.min(v, 150)
  end },
  address = property {},
  children = {},
}

local function people(count)
  local rows = list {}
  for number = 0, count - 1 do
    rows:append(Person { name = "p" .. number, number = number })
  end
  return rows
end

local function numbers(rows) return joined(rows, "number") end

local function text(values) return joined(values) end

case("C1 the selection stays with its object when a row before it goes", function()
  local rows = people(10)
  local c = controller.list { content = rows, selectionIndex = 6 }
  local object = c.selectedObject
  same(object.number, 5)
  rows:remove(5)
  same(c.selectionIndex, 5)
  same(c.selectedObject, object)
  same(text(c.selectionIndexes), "5")
  rows:insert(1, Person { number = 99 })
  same(c.selectionIndex, 6)
  rows:move(6, 1)
  same(c.selectionIndex, 1)
  same(c.selectedObject, object)
end)

case("C2 of a removed selection nothing is left, or the next row", function()
  local rows = people(10)
  local c = controller.list { content = rows, avoidsEmptySelection = false, selectionIndex = 6 }
  rows:remove(6)
  same(c.selectionIndex, nil)
  same(#c.selectedObjects, 0)
  same(c.selection.name, NoSelection)
  c.avoidsEmptySelection = true
  c.selectionIndex = 4
  same(c.selectedObject.number, 3)
  rows:remove(4)
  same(c.selectionIndex, 4)
  same(c.selectedObject.number, 4)
end)

case("C3 where the last row goes, the one before it is selected", function()
  local rows = people(3)
  local c = controller.list { content = rows, selectionIndex = 3 }
  rows:remove(3)
  same(c.selectionIndex, 2)
  rows:remove(2)
  same(c.selectionIndex, 1)
  rows:remove(1)
  same(c.selectionIndex, nil)
  rows:append(Person { number = 7 })
  same(c.selectionIndex, 1)
end)

case("C4 an explicit empty selection is kept", function()
  local rows = people(5)
  local c = controller.list { content = rows, selectionIndex = 2 }
  c.selectionIndexes = {}
  same(c.selectionIndex, nil)
  rows:remove(1)
  rows:append(Person {})
  c:rearrange()
  c.sort = "-number"
  same(c.selectionIndex, nil)
  c:setSelectionIndex(2)
  same(c.selectionIndex, 2)
  c.selectionIndex = nil
  same(#c.selectedObjects, 0)
  rows:clear()
  rows:append(Person {})
  same(c.selectionIndex, nil)
  -- Another content has a selection of its own.
  c.content = people(2)
  same(c.selectionIndex, 1)
end)

case("C5 a selection out of range is clipped", function()
  local c = controller.list { content = people(5) }
  c.selectionIndexes = { 0, 2, 4, 99 }
  same(text(c.selectionIndexes), "2,4")
  c.selectionIndex = 99
  same(c.selectionIndex, 5)
  c.selectionIndex = -3
  same(c.selectionIndex, 1)
  c.avoidsEmptySelection = false
  c.selectionIndex = 99
  same(c.selectionIndex, nil)
  fails("whole number", function() c.selectionIndexes = { 1.5 } end)
  fails("integer", function() c.selectionIndex = "first" end)
  same(controller.list { content = people(5), selectionIndex = 9 }.selectionIndex, 5)
end)

case("C6 equal values of several objects show the value, and writing sets all", function()
  local rows = people(4)
  local c = controller.list { content = rows, selectionIndexes = { 1, 3 } }
  same(c.selection.name, MultipleValues)
  same(c.selection.age, 30)
  c.selection.age = 31
  same(rows[1].age, 31)
  same(rows[2].age, 30)
  same(rows[3].age, 31)
  c.selection.name = "same"
  same(c.selection.name, "same")
  -- One refusal, and nothing is written.
  fails("age must not be negative", function() c.selection.age = -1 end)
  same(rows[1].age, 31)
  c.selection.age = 1000
  same(rows[3].age, 150)
  c.alwaysUsesMultipleValuesMarker = true
  same(c.selection.name, MultipleValues)
  fails("Person has no property \"agee\"", function() c.selection.agee = 1 end)
  c.alwaysUsesMultipleValuesMarker = false
  fails("Person has no property \"agee\"; did you mean \"age\"?", function() return c.selection.agee end)
  c.selectionIndexes = {}
  fails("nothing is selected", function() c.selection.age = 1 end)
end)

case("C7 a marker left behind shows the value, not the placeholder", function()
  local rows = people(3)
  rows:append(object { name = "tower", height = 96 })
  local c = controller.list { content = rows }
  local shown, plain = view.label {}, view.label {}
  bind("selection.name -> text", c, shown,
    { noSelection = "nobody", multipleValues = "several", notApplicable = "none such" })
  bind("selection.name -> text", c, plain)
  local other = view.label {}
  bind("selection.height -> text", c, other, { notApplicable = "none such" })
  same(shown.text, "p0")
  same(other.text, "none such")
  c.selectionIndexes = { 1, 2 }
  same(shown.text, "several")
  same(plain.text, "")
  rows[2].name = "p0"
  same(shown.text, "p0")
  c.selectionIndexes = {}
  same(shown.text, "nobody")
  c.selectionIndex = 3
  same(shown.text, "p2")
  same(plain.text, "p2")
  same(#errors(), 0)
end)

case("C8 a change of the filter or the order is one notification of the arranged objects", function()
  local c = controller.list { content = people(20) }
  local count = 0
  observe(c, "arrangedObjects", function() count = count + 1 end)
  local waves, changes = 0, 0
  c.arrangedObjects:observe(function(all)
    waves, changes = waves + 1, changes + #all
  end, { batch = true })
  c.filter = function(p) return p.number % 2 == 0 end
  same(count, 1)
  c.sort = "-number"
  same(count, 2)
  same(numbers(c.arrangedObjects), "18,16,14,12,10,8,6,4,2,0")
  c.sort = function(a, b) return a.number % 3 < b.number % 3 end
  same(count, 3)
  same(numbers(c.arrangedObjects), "0,6,12,18,4,10,16,2,8,14")
  c.filter = function(p) return p.number % 3 == 0 end
  same(count, 4)
  same(numbers(c.arrangedObjects), "0,3,6,9,12,15,18")
  batch(function()
    c.filter = nil
    c.sort = { { key = "name", descending = true } }
  end)
  same(count, 5)
  same(waves, 5)
  -- An order that is the same notifies nobody.
  c:rearrange()
  same(count, 5)
end)

case("C9 a count through the selection follows", function()
  local rows = people(2)
  local c = controller.list { content = rows }
  local label = view.label {}
  bind("selection.children.@count -> text", c, label, { noSelection = "-" })
  same(label.text, "0")
  rows[1].children:append(Person {})
  same(label.text, "1")
  c.selectionIndex = 2
  same(label.text, "0")
  rows[2].children = { Person {}, Person {} }
  same(label.text, "2")
  c.selectionIndexes = { 1, 2 }
  same(label.text, "")
  rows[1].children:append(Person {})
  same(label.text, "2")
  c.selectionIndexes = {}
  same(label.text, "-")
end)

case("C10 a commit that validation refuses leaves the model and keeps editing", function()
  local person = Person { name = "Ada", age = 36 }
  local c = controller.object { content = person }
  c:beginEditing()
  c.selection.name = "Eve"
  c.selection.age = -5
  same(c.selection.age, -5)
  same(person.age, 36)
  same(c.isEditing, true)
  local done, message = c:commitEditing()
  same(done, false)
  same(message, "age must not be negative")
  same(person.age, 36)
  same(person.name, "Ada")
  same(c.isEditing, true)
  c.selection.age = 37
  same(c:commitEditing(), true)
  same(person.age, 37)
  same(person.name, "Eve")
  same(c.isEditing, false)
  c.selection.age = 38
  same(person.age, 38)
end)

case("Controllers 1 a field's edit is committed, refused and discarded", function()
  local rows = list { Person { name = "Ada", age = 36 }, Person { name = "Bob", age = 20 } }
  local c = controller.list { content = rows }
  local field = view.field {}
  bind("selection.age <> text", c, field, { continuous = false })
  show(view.column { field })
  field:focus()
  press(field, "End")
  press(field, "Backspace")
  same(c.isEditing, true)
  same(rows[1].age, 36)
  same(c:commitEditing(), true)
  same(rows[1].age, 3)
  same(c.isEditing, false)
  press(field, "Backspace")
  press(field, "-")
  press(field, "1")
  same(field.text, "-1")
  local done, message = c:commitEditing()
  same(done, false)
  same(message, "age must not be negative")
  same(field.error, "age must not be negative")
  same(field.text, "-1")
  same(rows[1].age, 3)
  same(c.isEditing, true)
  -- The selection waits for the edit.
  c.selectionIndex = 2
  same(c.selectionIndex, 1)
  same(c:selectNext(), false)
  c:discardEditing()
  same(field.text, "3")
  same(field.error, nil)
  same(c.isEditing, false)
  c.selectionIndex = 2
  same(field.text, "20")
  -- Selecting commits what is typed.
  press(field, "1")
  same(rows[2].age, 20)
  c.selectionIndex = 1
  same(rows[2].age, 150)
  same(field.text, "3")
  same(#errors(), 0)
end)

case("Controllers 2 a refused text of a field that writes at once is an edit, too", function()
  local person = Person { age = 36 }
  local c = controller.object { content = person }
  local field = view.field {}
  bind("selection.age <> text", c, field)
  field.text = "-7"
  same(c.isEditing, true)
  same(person.age, 36)
  same(c:commitEditing(), false)
  field.text = "x"
  same(c.isEditing, true)
  field.text = "40"
  same(c.isEditing, false)
  same(person.age, 40)
  field.text = "400"
  same(person.age, 150)
  same(field.text, "150")
  field.text = "-1"
  c:discardEditing()
  same(field.text, "150")
  same(#errors(), 0)
end)

case("Controllers 3 rows are added, inserted and removed through the controller", function()
  local rows = people(3)
  local c = controller.list { content = rows, objectClass = Person }
  local made = c:add()
  same(isa(made, "Person"), true)
  same(#rows, 4)
  same(c.selectionIndex, 4)
  c.selectionIndex = 2
  local inserted = c:insert()
  same(rows[2], inserted)
  same(c.selectionIndex, 2)
  c:insert(Person { number = 50 }, 1)
  same(rows[1].number, 50)
  same(c.selectionIndex, 1)
  c:addObjects { Person { number = 60 }, Person { number = 61 } }
  same(text(c.selectionIndexes), "7,8")
  c:removeSelectedObjects()
  same(#rows, 6)
  same(c.selectionIndex, 6)
  c:remove(rows[1])
  same(numbers(rows), "0,0,1,2,0")
  c.sort = "-number"
  same(numbers(c.arrangedObjects), "2,1,0,0,0")
  c.selectionIndexes = { 1, 3 }
  c:remove()
  same(numbers(c.arrangedObjects), "1,0,0")
  c.selectsInsertedObjects = false
  c.selectionIndex = 1
  c:add(Person { number = 9 })
  same(c.selectionIndex, 2)
  same(c.selectedObject.number, 1)
  fails("outside", function() c:insert(Person {}, 9) end)
  fails("no row 9", function() c:removeAt(9) end)
  fails("objectClass", function() controller.list { content = rows }:add() end)
  c.editable = false
  same(c.canAdd, false)
  same(c.canRemove, false)
  fails("not editable", function() c:add(Person {}) end)
  fails("not editable", function() c.selection.name = "x" end)
end)

case("Controllers 3a a table that is added gives the fields of an object of the class", function()
  local Task = class "Task" { title = "", done = false,
    left = computed(function(self) return self.done and 0 or 1 end),
  }
  local c = controller.list { content = list {}, objectClass = Task }
  local first = c:add { title = "one" }
  same(isa(first, Task), true)
  same(first.title, "one")
  same(first.left, 1)
  same(isa(c:insert({ done = true }, 1), Task), true)
  c:addObjects { { title = "two" }, Task { title = "three" } }
  c:insertObject({ title = "zero" }, 1)
  c:insertObjects({ {}, { title = "late" } }, 6)
  local left = 0
  for _, task in ipairs(c.arrangedObjects) do
    same(isa(task, Task), true)
    left = left + task.left
  end
  same(#c.arrangedObjects, 7)
  same(left, 6)
  local given = object { title = "of no class" }
  same(c:add(given), given)
  same(isa(given, Task), false)
  fails('did you mean "title"', function() c:add { titel = "x" } end)
  same(#c.arrangedObjects, 8)
  local without = controller.list { content = list {} }
  same(without:add { titel = "x" }.titel, "x")
  local folders = controller.tree { content = list {}, childrenPath = "folders",
    objectClass = class "Folder" { name = "", folders = property { type = "list" } } }
  same(isa(folders:add { name = "music" }, "Folder"), true)
end)

case("Controllers 4 what is inserted clears the filter, unless that is not wanted", function()
  local rows = people(6)
  local c = controller.list { content = rows, filter = function(p) return p.number > 3 end }
  same(numbers(c.arrangedObjects), "4,5")
  c.selectionIndex = 2
  local made = Person { number = 1 }
  c:insert(made)
  same(c.filter, nil)
  same(c.selectedObject, made)
  same(numbers(rows), "0,1,2,3,4,1,5")
  c.filter = function(p) return p.number > 3 end
  c.clearsFilterOnInsertion = false
  c.selectionIndex = 1
  c:add(Person { number = 2 })
  same(numbers(c.arrangedObjects), "4,5")
  same(c.selectedObject.number, 4)
  c:remove()
  same(numbers(rows), "0,1,2,3,1,5,2")
  c.filter = "hidden"
  same(#c.arrangedObjects, 0)
  same(#errors(), 1)
end)

case("Controllers 5 the selection follows filter and order, and keeps its objects", function()
  local rows = people(6)
  local c = controller.list { content = rows, selectionIndexes = { 2, 4 } }
  c.sort = { "-number" }
  same(text(c.selectionIndexes), "3,5")
  c.filter = function(p) return p.number ~= 1 end
  same(text(c.selectionIndexes), "3")
  c.filter = function(p) return p.number > 3 end
  same(text(c.selectionIndexes), "1")
  same(c.selectedObject.number, 5)
  c.preservesSelection = false
  c.filter = nil
  same(text(c.selectionIndexes), "1")
  c.preservesSelection = true
  c.content = people(2)
  same(c.selectedObject.number, 1)
  batch(function()
    local row = c.content[2]
    c.content:remove(2)
    c.content:insert(1, row)
  end)
  same(c.selectedObject.number, 1)
  rows[1].number = 100
  same(#c.arrangedObjects, 2)
end)

case("Controllers 6 content follows a path, a function, and another controller", function()
  local library = model "library" { books = list { { title = "b" }, { title = "a" } } }
  local c = controller.list { content = "library.books", sort = "title" }
  same(c.arrangedObjects[1].title, "a")
  library.books = list { { title = "z" } }
  same(c.selectedObject.title, "z")
  local which = object { rows = people(2) }
  local d = controller.list { content = function() return which.rows end }
  same(#d.arrangedObjects, 2)
  which.rows = people(5)
  same(#d.arrangedObjects, 5)
  local parents = controller.list { content = people(2) }
  local children = controller.list {}
  bind("selection.children -> content", parents, children)
  parents.selectedObject.children = { Person { name = "kid" } }
  same(children.selection.name, "kid")
  parents:selectNext()
  same(children.selection.name, NoSelection)
  parents:selectPrevious()
  same(children.selection.name, "kid")
  parents.selectionIndexes = {}
  same(#children.arrangedObjects, 0)
  fails("did you mean \"content\"", function() controller.list { contents = {} } end)
end)

case("Controllers 7 next and previous go as far as there are rows", function()
  local c = controller.list { content = people(3) }
  same(c.canSelectPrevious, false)
  same(c.canSelectNext, true)
  same(c:selectNext(), true)
  same(c:selectNext(), true)
  same(c:selectNext(), false)
  same(c.selectionIndex, 3)
  same(c.canSelectNext, false)
  c.selectionIndexes = {}
  same(c:selectPrevious(), true)
  same(c.selectionIndex, 3)
  c:selectAll()
  same(#c.selectedObjects, 3)
  c:removeSelectionIndexes { 2 }
  same(text(c.selectionIndexes), "1,3")
  c:addSelectionIndexes { 2 }
  same(#c.selectedObjects, 3)
  c:removeSelectedObjects { c.content[1] }
  same(text(c.selectionIndexes), "2,3")
  same(#c.content, 3)
  local seen = {}
  observe(c, "selectionIndex", function(new) seen[#seen + 1] = new end)
  c.selectedObjects = { c.content[1] }
  same(text(seen), "1")
end)

case("Controllers 8 a list view and a controller share one selection", function()
  local rows = people(5)
  local c = controller.list { name = "crew", content = rows }
  local shown = view.list { bindTo = {
    items = "crew.arrangedObjects", selectedIndex = "<> crew.selectionIndex",
  }, cell = function() return view.cell { view.label { bindTo = { text = "dataObject.name" } } } end }
  show(view.column { shown })
  same(shown.selectedIndex, 1)
  same(shown.selectedObject, rows[1])
  press(shown, "Down")
  same(c.selectionIndex, 2)
  rows:remove(2)
  same(c.selectionIndex, 2)
  same(c.selectedObject.number, 2)
  same(shown.selectedIndex, 2)
  same(shown.selectedObject.number, 2)
  c.sort = "-number"
  same(c.selectedObject.number, 2)
  same(shown.selectedIndex, c.selectionIndex)
  same(shown.selectedObject.number, 2)
  c.selectedObject = rows[1]
  same(shown.selectedObject, rows[1])
  c:remove()
  same(c.selectionIndex, 3)
  same(shown.selectedIndex, 3)
  same(shown.selectedObject, c.selectedObject)
  same(models.crew, c)
  same(#errors(), 0)
end)

case("Controllers 9 a path through the selection is read and written at its end", function()
  local one, two = Person { name = "a" }, Person { name = "b" }
  one.address, two.address = { city = "Bath" }, { city = "Bath" }
  local c = controller.list { content = list { one, two }, selectionIndexes = { 1, 2 } }
  local field = view.field {}
  bind("selection.address.city <> text", c, field)
  same(field.text, "Bath")
  field.text = "York"
  same(one.address.city, "York")
  same(two.address.city, "York")
  two.address = { city = "Hull" }
  same(field.text, "")
  same(one.address.city, "York")
  c.selectionIndex = 2
  same(field.text, "Hull")
  two.address = nil
  same(field.text, "")
  same(one.address.city, "York")
  same(#errors(), 0)
end)

case("Controllers 10 a script's object may be an editor", function()
  local c = controller.object { content = Person {} }
  local log = {}
  local editor = object {
    good = false,
    commitEditing = function(self)
      log[#log + 1] = "commit"
      if not self.good then return false, "not yet" end
      return true
    end,
    discardEditing = function() log[#log + 1] = "discard" end,
  }
  c:objectDidBeginEditing(editor)
  same(c.isEditing, true)
  local done, message = c:commitEditing()
  same(done, false)
  same(message, "not yet")
  same(c.isEditing, true)
  editor.good = true
  same(c:commitEditing(), true)
  same(c.isEditing, false)
  c:objectDidBeginEditing(editor)
  c:discardEditing()
  same(table.concat(log, " "), "commit commit discard")
  c:objectDidBeginEditing(editor)
  c:objectDidEndEditing(editor)
  same(c.isEditing, false)
  fails("methods commitEditing", function() c:objectDidBeginEditing(object {}) end)
end)

case("Controllers 11 an object controller adds, removes and shows its content", function()
  local c = controller.object { objectClass = Person }
  same(c.selection.name, NoSelection)
  same(c.canRemove, false)
  local made = c:add()
  same(c.content, made)
  same(c.canRemove, true)
  same(c.selectedObjects[1], made)
  local label = view.label {}
  bind("selection.name -> text", c, label, { noSelection = "nobody" })
  made.name = "Ada"
  same(label.text, "Ada")
  c:remove()
  same(c.content, nil)
  same(label.text, "nobody")
  c:addObject(Person { name = "Eve" })
  same(label.text, "Eve")
  same(c:remove(made), false)
  c.content = Person { name = "Bob" }
  same(label.text, "Bob")
  same(#errors(), 0)
end)

case("Controllers 12 a list view stays where an edit cannot be committed", function()
  local rows = list { Person { name = "Ada", age = 36 }, Person { name = "Bob", age = 20 } }
  local c = controller.list { content = rows, name = "staff" }
  local shown = view.list { bindTo = {
    items = "staff.arrangedObjects", selectedIndex = "<> staff.selectionIndex",
  } }
  local byObject = view.list { bindTo = {
    items = "staff.arrangedObjects", selectedObject = "<> staff.selectedObject",
  } }
  local field = view.field { bindTo = { text = "<> staff.selection.age" } }
  show(view.column { shown, byObject, field })
  field.text = "-1"
  press(shown, "Down")
  same(shown.selectedIndex, 1)
  same(shown.selectedObject, rows[1])
  same(byObject.selectedIndex, 1)
  press(byObject, "Down")
  same(byObject.selectedObject, rows[1])
  same(byObject.selectedIndex, 1)
  same(c.selectionIndex, 1)
  c:discardEditing()
  press(byObject, "Down")
  same(c.selectionIndex, 2)
  same(shown.selectedIndex, 2)
  same(field.text, "20")
  rows:remove(2)
  same(shown.selectedIndex, 1)
  same(byObject.selectedObject, rows[1])
  same(byObject.selectedIndex, 1)
  same(field.text, "36")
end)

case("Controllers 13 a class of views has placeholders of its own", function()
  local c = controller.list { content = people(2) }
  view.placeholders("label", { text = { noSelection = "nobody", multipleValues = "several", null = "none" } })
  local label, own, field = view.label {}, view.label {}, view.field {}
  bind("selection.name -> text", c, label)
  bind("selection.name -> text", c, own, { multipleValues = "both" })
  bind("selection.name <> text", c, field)
  local address = view.label {}
  bind("selection.address -> text", c, address)
  same(label.text, "p0")
  same(address.text, "none")
  c:selectAll()
  same(label.text, "several")
  same(own.text, "both")
  same(field.text, "")
  c.selectionIndexes = {}
  same(label.text, "nobody")
  same(own.text, "nobody")
  c.selectionIndex = 2
  same(label.text, "p1")
  fails("did you mean \"text\"", function() view.placeholders("label", { txt = {} }) end)
  fails("did you mean \"noSelection\"", function()
    view.placeholders("label", { text = { noSelektion = "" } })
  end)
  same(#errors(), 0)
end)

case("Controllers 14 a dictionary's entries are rows that may be edited", function()
  local d = dict { b = 2, a = 1 }
  local c = controller.dictionary {
    content = d, includedKeys = { "z" }, excludedKeys = { "hidden" },
  }
  local function keys()
    local parts = {}
    for i, pair in ipairs(c.arrangedObjects) do parts[i] = pair.key end
    return table.concat(parts, ",")
  end
  same(keys(), "a,b,z")
  same(c.selection.value, 1)
  c.arrangedObjects[1].value = 10
  same(d.a, 10)
  d.c, d.hidden = 3, 4
  same(keys(), "a,b,c,z")
  c.selection.key = "x"
  same(d.a, nil)
  same(d.x, 10)
  same(keys(), "b,c,x,z")
  same(c.selectionIndex, 3)
  fails("an entry \"b\" already", function() c.selection.key = "b" end)
  same(c.arrangedObjects[4].isExplicitlyIncluded, true)
  same(c.arrangedObjects[4].value, nil)
  c.initialKey, c.initialValue = "new", 0
  c:add()
  c:add()
  same(d.new, 0)
  same(d.new1, 0)
  same(c.selection.key, "new1")
  c:remove()
  same(d.new1, nil)
  c.sort = "-key"
  same(keys(), "z,x,new,c,b")
  local field = view.field {}
  bind("selection.value <> text", c, field)
  c.selectedObject = c.arrangedObjects[2]
  field.text = "ten"
  same(d.x, "ten")
  d.x = "eleven"
  same(field.text, "eleven")
  c.content = dict { q = 1 }
  same(keys(), "z,q")
  fails("dict { … }", function() c.content = { q = 1 } end)
  same(#errors(), 0)
end)

case("Controllers 15 a tree is selected by index paths and follows its children", function()
  local function node(name, ...) return object { name = name, children = { ... } } end
  local root = list { node("a", node "a1", node("a2", node "a2x")), node "b" }
  local t = controller.tree { content = root, childrenPath = "children" }
  local function path() return text(t.selectionIndexPath) end
  same(#t.arrangedObjects, 2)
  same(t.selection.name, "a")
  t.selectionIndexPath = { 1, 2, 1 }
  same(t.selection.name, "a2x")
  root[1].children:insert(1, node "a0")
  same(path(), "1,3,1")
  local seen = {}
  observe(t, "selectionIndexPath", function(new)
    seen[#seen + 1] = new and text(new) or "none"
  end)
  root:insert(1, node "first")
  same(table.concat(seen, " "), "2,3,1")
  root[2].children[3].children:clear()
  same(t.selection.name, "a2")
  t:addChild(node "kid")
  same(t.selection.name, "kid")
  same(path(), "2,3,1")
  t:insert(node "before")
  same(path(), "2,3,1")
  same(root[2].children[3].children[2].name, "kid")
  t:remove()
  same(t.selection.name, "kid")
  t.sort = "-name"
  same(t.selection.name, "kid")
  same(t.arrangedObjects[1].object.name, "first")
  same(t:nodeAt({ 3, 1 }).object.name, "a2")
  same(t:nodeAt({ 3, 1 }).level, 2)
  same(t:nodeAt({ 9 }), nil)
  t.selectionIndexPaths = { { 1 }, { 3 } }
  same(t.selection.name, MultipleValues)
  same(#t.selectedNodes, 2)
  t.selectedObjects = { root[3] }
  same(path(), "2")
  root:remove(3)
  same(t.selection.name, "a")
  t.selectionIndexPath = nil
  root:append(node "late")
  same(#t.selectedObjects, 0)
  local leaves = controller.tree { content = node "only" }
  same(leaves.selection.name, "only")
  same(leaves.arrangedObjects[1].isLeaf, false)
  same(#leaves.arrangedObjects[1].children, 0)
  fails("no node at 7.1", function() t:insertObject(node "x", { 7, 1 }) end)
  fails("a list is expected", function() t.selectionIndexPath = "1" end)
  same(#errors(), 0)
end)

case("Controllers 16 settings without a folder live as long as the app", function()
  local s = controller.settings { initialValues = { theme = "dark", recent = {}, size = { w = 80 } } }
  same(s.values.theme, "dark")
  same(s.values.size.w, 80)
  same(s.values.nothing, nil)
  s.values.theme = "light"
  s.values.recent:append("one")
  same(s.hasUnappliedChanges, false)
  s.appliesImmediately = false
  s.values.recent:append("two")
  s.values.theme = "blue"
  same(s.hasUnappliedChanges, true)
  s:revert()
  same(s.values.theme, "light")
  same(#s.values.recent, 1)
  same(s.hasUnappliedChanges, false)
  s.values.theme = "red"
  same(s:save(), true)
  same(s.hasUnappliedChanges, false)
  local field = view.field {}
  bind("values.theme <> text", s, field)
  same(field.text, "red")
  field.text = "green"
  same(s.values.theme, "green")
  s:revert()
  same(field.text, "red")
  s:revertToInitialValues()
  same(s.values.theme, "dark")
  same(#s.values.recent, 0)
  same(controller.settings {}, s)
  same(s == controller.settings { name = "other" }, false)
  s.values.bad = function() end
  local done, message = s:save()
  same(done, false)
  same(message:find("\"bad\" is not kept", 1, true) ~= nil, true)
  fails("letters, digits", function() controller.settings { name = "../x" } end)
  fails("did you mean \"initialValues\"", function() controller.settings { initialvalue = {} } end)
end)

case("Controllers 17 a selection may be a data object, the end of a ref, and a row a dict", function()
  local c = controller.list { name = "folk", content = { { name = "a", n = 1 }, { name = "b", n = 2 } } }
  local field = view.field { bindTo = { text = "<> @superview.dataObject.name" } }
  local label = view.label { bindTo = { text = "dataObject.n" } }
  show(view.column { bindTo = { dataObject = "folk.selection" }, field, label })
  same(field.text, "a")
  c.selectionIndex = 2
  same(field.text, "b")
  same(label.text, "2")
  field.text = "z"
  same(c.content[2].name, "z")
  local short = ref(c, "selection.name")
  same(short.value, "z")
  short.value = "Z"
  same(c.content[2].name, "Z")
  c:selectAll()
  same(short.value, MultipleValues)
  local d = controller.list { content = list { dict { x = 1 }, dict { x = 1 } } }
  d:selectAll()
  same(d.selection.x, 1)
  d.selection.y = 5
  same(d.content[2].y, 5)
  local plain = controller.list { content = list { "b", "a" }, sort = function(v) return v end }
  same(plain.selectedObject, "a")
  fails("a string is selected, which has no property \"x\"", function() return plain.selection.x end)
  plain:add("d")
  same(plain.selectedObject, "d")
  fails("follows another one", function() c.arrangedObjects:append(1) end)
  fails("read only", function() c.canAdd = true end)
  fails("did you mean \"selectNext\"", function() c:selectNxt() end)
  fails("list controller expected", function() c.selectNext() end)
  same(#errors(), 0)
end)

case("Controllers 18 inside a batch the selection is read fresh", function()
  local rows = people(1)
  local c = controller.list { content = rows }
  batch(function()
    rows:append(Person { name = "second" })
    same(#c.arrangedObjects, 2)
    c.selectionIndex = 2
    same(c.selection.name, "second")
    rows:remove(1)
    same(c.selectionIndex, 1)
  end)
  same(c.selection.name, "second")
  local inner
  context("inner", function() inner = controller.list { content = rows } end)
  same(inner.selection.name, "second")
  context.clear("inner")
  local other = controller.list { content = rows, sort = "-number", selectionIndex = 1 }
  rows:insert(1, Person { number = 9 })
  same(other.selectionIndex, 2)
  c.content = nil
  same(#c.arrangedObjects, 0)
  same(c.selectionIndex, nil)
  c:add(Person { name = "first" })
  same(#c.content, 1)
  same(c.selection.name, "first")
end)

case("Controllers 19 a row that its new key moves and hides leaves its place to the next", function()
  local rows = people(6)
  local c = controller.list {
    content = rows, sort = "number", filter = function(p) return p.number < 10 end,
    selectionIndex = 3,
  }
  rows[3].number = 50
  same(numbers(c.arrangedObjects), "0,1,3,4,5")
  same(c.selectionIndex, 3)
  same(c.selectedObject.number, 3)
end)

case("Controllers 20 observing all properties tells of derived ones, too", function()
  local c = controller.list { content = people(3) }
  local told = {}
  observe(c, function(name, new) told[name] = new end)
  c.selectionIndex = 2
  same(told.selectionIndex, 2)
  same(told.canSelectPrevious, true)
end)

case("CT80 objectClass can be set at any time, and read", function()
  local P, Q = class "P" { name = "p" }, class "Q" { name = "q" }
  local rows = list {}
  local c = controller.list { content = rows, avoidsEmptySelection = false }
  same(c.objectClass, nil)
  fails("set newObject or objectClass", function() c:add() end)
  c.objectClass = P
  assert(c.objectClass == P)
  c:add()
  c:add { name = "given" }
  assert(isa(rows[1], P) and isa(rows[2], P))
  same(rows[2].name, "given")
  c.objectClass = Q
  c:add()
  assert(isa(rows[3], Q))
  c.objectClass = function() return Q { name = "made" } end
  c:add()
  same(rows[4].name, "made")
  c.objectClass = nil
  fails("set newObject or objectClass", function() c:add() end)
  fails("objectClass is a class or a function", function() c.objectClass = 5 end)
  fails("is a class or a function that gives a new object", function()
    controller.list { content = rows, objectClass = "P" }
  end)
  same(controller.object { objectClass = P }.objectClass, P)
  same(controller.tree { content = rows, objectClass = P }.objectClass, P)
end)

case("a controller that keeps no selection selects anew, also where another arrangement moves no row", function()
  local all = function() return true end
  local function names() return { { name = "a" }, { name = "b" }, { name = "c" } } end
  for _, kind in ipairs { "list", "dictionary" } do
    local content = kind == "list" and list(names()) or dict { a = 1, b = 2, c = 3 }
    local shown = kind == "list" and "name" or "key"
    local rows = controller[kind] { name = "unkept" .. kind, content = content, preservesSelection = false }
    local label = view.label { bindTo = { text = "unkept" .. kind .. ".selectedObject." .. shown } }
    local path = view.label { bindTo = { text = "unkept" .. kind .. ".selection." .. shown } }
    local acts = {
      function() rows.filter = all end, function() rows.filter = nil end,
      function() rows.sort = shown end, function() rows:rearrange() end,
    }
    for _, act in ipairs(acts) do
      rows.selectionIndex = 2
      same(label.text .. path.text, "bb")
      act()
      same(rows.selectionIndex, 1)
      same(label.text .. path.text, "aa")
      same(rows.selection[shown], "a")
    end
    rows.avoidsEmptySelection = false
    rows.selectionIndex = 2
    rows:rearrange()
    same(rows.selectionIndex, nil)
    same(label.text .. path.text, "")
  end
  local tree = controller.tree { content = list { { name = "a", children = {} }, { name = "b", children = {} } },
    preservesSelection = false }
  tree.selectionIndexPath = { 2 }
  tree.sort = "name"
  same(tree.selection.name, "a")
end)
