-- Data objects that come down a tree while it is being put together, and loops that only close
-- while values are being found.

local function texts(...)
  local all = {}
  for index, label in ipairs { ... } do all[index] = label.text end
  return table.concat(all, ",")
end

local function pair()
  return view.label { bindTo = { text = "dataObject.n" } },
    view.label { bindTo = { text = "dataObject.x" } }
end

case("labels in a row in a cell show the cell's object, however deep the rows nest", function()
  local items, labels = list {}, {}
  for i = 1, 40 do items:append(object { n = i, x = -i }) end
  local function nest(depth, v)
    for i = 1, depth do v = i % 2 == 0 and view.row { v } or view.column { v } end
    return v
  end
  local rows = view.list {
    items = items, height = 6, width = 20, rowHeight = 1,
    cell = function(_, index)
      local a, b = pair()
      local c, d = pair()
      labels[#labels + 1] = { a, b, c, d }
      return view.cell { view.row { a, nest(index % 7, view.row { b, c }), d } }
    end,
  }
  show(view.column { rows })
  rows:focus()
  local pictures = { "Down Down Down Down", "PageDown", "End", "Home", "PageDown PageDown" }
  for _, pressed in ipairs(pictures) do
    keys(pressed)
    rows:snapshot()
    for _, made in ipairs(labels) do
      local n = made[1].text
      if n ~= "" then same(texts(table.unpack(made)), ("%s,-%s,%s,-%s"):format(n, n, n, n)) end
    end
    same(#errors(), 0)
  end
  -- What is in sight is shown, by cells that are fewer than the rows.
  if #labels >= 40 then error(#labels .. " cells") end
  items:set { object { n = 100, x = -100 } }
  if not rows:snapshot():find("100", 1, true) then error(rows:snapshot()) end
  same(#errors(), 0)
end)

case("a row follows its superview's object taken away, put back, replaced and moved under", function()
  local fruit, other = object { n = 1, x = 2 }, object { n = 10, x = 20 }
  local a, b = pair()
  local row = view.row { a, b }
  local cell = view.column { row }
  local top, elsewhere = view.column { cell }, view.column { dataObject = other }
  local function shows(expected)
    same(texts(a, b), expected)
    same(#errors(), 0)
  end
  shows ","
  top.dataObject = fruit shows "1,2"
  top.dataObject = nil shows ","
  top.dataObject = fruit shows "1,2"
  elsewhere:add(cell) shows "10,20"
  top:add(row) shows "1,2"
  row:remove() shows ","
  batch(function() top:add(row) top.dataObject = other end) shows "10,20"
  batch(function() elsewhere:add(row) elsewhere.dataObject = nil end) shows ","
  batch(function() cell:add(row) top:add(cell) top.dataObject = fruit end) shows "1,2"
end)

case("a tree of sixty rows put together in one batch shows what is above it", function()
  local top, labels = view.column { dataObject = object { n = 1, x = 2 } }, {}
  batch(function()
    local outermost = view.row {}
    local inner = outermost
    for _ = 1, 60 do
      local a, b = pair()
      local row = view.row { a, b }
      labels[#labels + 1], labels[#labels + 2] = a, b
      inner:add(row)
      inner = row
    end
    top:add(outermost)
  end)
  for index, label in ipairs(labels) do same(label.text, index % 2 == 1 and "1" or "2") end
  top.dataObject = object { n = 3, x = 4 }
  for index, label in ipairs(labels) do same(label.text, index % 2 == 1 and "3" or "4") end
  same(#errors(), 0)
end)

case("a loop of functions that closes while they run is listed, and the program goes on", function()
  local looped = object {
    closes = false,
    first = computed(function(self) return self.closes and self.third + 1 or 0 end),
    second = computed(function(self) return self.first + 1 end),
    third = computed(function(self) return self.second + 1 end),
  }
  local shown = object { v = property {} }
  bind("third -> v", looped, shown)
  same(shown.v, 2)
  looped.closes = true
  same(#errors(), 1)
  same(errors()[1].code, "cycle")
  for _, name in ipairs { "first", "second", "third" } do
    if not errors()[1].message:find(name, 1, true) then error(errors()[1].message) end
  end
  looped.closes = false
  same(shown.v, 2)
end)

case("a loop that would come to rest is an error as well", function()
  local looped = object {
    closes = false,
    first = computed(function(self) return self.closes and math.min(self.second + 1, 9) or 0 end),
    second = computed(function(self) return self.first + 1 end),
  }
  local shown = object { v = property {} }
  bind("second -> v", looped, shown)
  looped.closes = true
  same(shown.v, 1)
  same(#errors(), 1)
  looped.closes = false
  same(shown.v, 1)
  same(#errors(), 0)
end)
