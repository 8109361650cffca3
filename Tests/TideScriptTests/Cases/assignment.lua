-- A plain table that is assigned to a property: what becomes of the list that it holds.

case("a table given to a computed property that holds a list goes to its setter", function()
  local got
  local o = object {
    items = list { 1, 2 },
    doubled = computed(
      function(self) return self.items end,
      function(self, v)
        got = v
        self.items = v
      end),
    derived = computed(function(self) return self.items end),
  }
  same(#o.doubled, 2)
  o.doubled = { 5, 6, 7 }
  same(#got, 3)
  same(o.items[3], 7)
  same(#o.derived, 3)
  fails("read only", function() o.derived = { 1 } end)
  same(#o.items, 3)
end)

case("a validator is asked of the rows that a property's list is set to", function()
  local o = object {
    l = property { default = { 1 }, validate = function(_, v)
      if #v > 3 then return nil, "three at most" end
      return v
    end },
    fixed = property { default = { 1 }, readonly = true },
  }
  local held = o.l
  o.l = { 4, 5 }
  same(o.l, held)
  same(#held, 2)
  fails("three at most", function() o.l = { 1, 2, 3, 4 } end)
  same(#held, 2)
  fails("read only", function() o.fixed = { 2 } end)
  same(o.fixed[1], 1)
end)

case("a tree's index paths may be read before they are written", function()
  local function node(n, ...) return object { n = n, kids = list { ... } } end
  local root = list { node(1, node(11), node(12)), node(2) }
  local tree = controller.tree { content = root, childrenPath = "kids" }
  same(tree.selectionIndexPath[1], 1)
  same(#tree.selectionIndexPaths, 1)
  tree.selectionIndexPath = { 1, 2 }
  same(tree.selectedObjects[1].n, 12)
  same(#tree.selectionIndexPath, 2)
  tree.selectionIndexPaths = { { 1 }, { 2 }, { 7 } }
  same(#tree.selectionIndexPaths, 2)
  same(#tree.selectedObjects, 2)
  tree.selectedObjects = { root[1].kids[1] }
  same(tree.selectionIndexPath[2], 1)
  fails("whole numbers", function() tree.selectionIndexPath = { "x" } end)
  fails("whole numbers", function() tree.selectionIndexPath = { 1.5 } end)
end)

case("a binding by names begins as soon as the last of them is there", function()
  bind "later.name -> shownLater.text"
  local label = view.label { id = "shownLater", bindTo = { tooltip = "evenLater.name" } }
  show(view.column { label })
  same(label.text, "")
  local later = model "later" { name = "here" }
  same(label.text, "here")
  later.name = "followed"
  same(label.text, "followed")
  model "evenLater" { name = "too" }
  same(label.tooltip, "too")
  bind "later.name -> shownLast.text"
  local last = view.label { id = "shownLast" }
  show(view.column { last })
  same(last.text, "followed")
  same(#errors(), 0)
end)
