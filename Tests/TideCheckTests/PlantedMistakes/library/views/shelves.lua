-- The tree of shelves.

local catalogue = require "catalogue"

local tree = controller.tree { name = "shelfTree", content = catalogue.shelves.top,
  childrenPath = "children" }

local function shelfCell()
  return view.cell { view.row { spacing = 1,
    view.label { bindTo = { text = "dataObject.name" } },
    view.label { style = "muted", bindTo = { text = "dataObject.room | prefix('in ')" } },
  } }
end

local shelves = {}

shelves.view = view.tree { id = "shelves", grow = 1, items = catalogue.shelves.top,
  childrenPath = "children", cell = shelfCell,
  on = { didExpand = function(_, event) log.debug("opened " .. event.value.name) end } }

function shelves.expandAll()
  for index = 1, #catalogue.shelves.top do shelves.view:expand(index, true) end
end

function shelves.chosen()
  return tree.selectedObjects[1]
end

return shelves
