-- Indexes at the ends of what an integer can be, wherever rows and cases are named by number.
-- expect: fine
local ends = { math.mininteger, math.mininteger + 1, math.maxinteger, math.maxinteger - 1, -1, 0,
  1e308, -1e308, 0/0, 1/0, -1/0, 2^53, 2^62, -2^63 }
local rows = list { object { name = "a" }, object { name = "b" } }
local people = controller.list { content = rows }
local tree = controller.tree { content = list { object { name = "a", children = list {} } } }
local words = dict { a = 1 }
local dictionary = controller.dictionary { content = words }
for _, n in ipairs(ends) do
  for _, class in ipairs { "picker", "radio", "list", "table", "collection", "tree", "tabs" } do
    local v = view[class] { }
    pcall(function() v.items = list { "a", "b" } end)
    pcall(function() v.titles = list { "a", "b" } end)
    pcall(function() v.selectedIndex = n end)
    pcall(function() v.selected = n end)
    pcall(function() v:scrollTo(n) end)
    pcall(function() v:expand(n, true) end)
    pcall(function() v:collapse(n) end)
    v:snapshot(20, 4)
  end
  for _, c in ipairs { people, dictionary } do
    pcall(function() c:addSelectionIndexes { n } end)
    pcall(function() c:removeSelectionIndexes { n, 1 } end)
    pcall(function() c:setSelectionIndexes { n, n } end)
    pcall(function() c.selectionIndex = n end)
    pcall(function() c:removeAt(n) end)
    pcall(function() c:removeAtIndexes { n } end)
    pcall(function() c:insertObject(object {}, n) end)
  end
  pcall(function() tree:nodeAt { n, n } end)
  pcall(function() tree.selectionIndexPath = { n } end)
  pcall(function() tree:removeAt { 1, n } end)
  for _, l in ipairs { rows, rows:slice(1, math.maxinteger), list {} } do
    pcall(function() l:insert(n, object {}) end)
    pcall(function() l:remove(n, n) end)
    pcall(function() l:remove(1, n) end)
    pcall(function() l:move(n, 1) end)
    pcall(function() l:replace(n, 1) end)
    pcall(function() l:slice(n, n) end)
    pcall(function() l:slice(1, n) end)
    pcall(function() return l[n] end)
    pcall(function() l[n] = 1 end)
  end
  for _, property in ipairs { "align", "padding", "margin", "width", "keys" } do
    pcall(function() local v = view.label {} v[property] = n end)
  end
  pcall(function() view.chart { kind = n } end)
  pcall(function() view.split { axis = n } end)
  pcall(function() local o = object { a = property { enum = { "x", "y" } } } o.a = n end)
end
local itself = list {}
itself:append(itself)
for _, property in ipairs { "padding", "margin" } do
  assert(not pcall(function() view.label { [property] = itself } end))
end
