-- Views of one task, and of one person.

local cells = {}

view.component("badge", {
  properties = { caption = "", color = "cyan", count = 0 },
  events = { "opened" },
  view = function(self)
    return view.row { spacing = 1,
      view.label { bold = true, bindTo = { tooltip = "dataObject.name" },
        text = function() return self.caption end },
      view.label { bindTo = { textColor = "@superviewWithClass[badge].color" },
        text = function() return ("(%d)"):format(self.count) end },
    }
  end,
})

function cells.task()
  return view.cell { view.row { spacing = 1,
    view.label { id = "rank", width = 3, bindTo = { text = "dataObject.priority | stars" } },
    view.label { grow = 1, bindTo = { text = "dataObject.title",
      style = "dataObject.isLate | choose(late, calm)" } },
    view.label { width = 6, align = "end", bindTo = { text = "dataObject.hours | hours" } },
    view.label { bindTo = { text = "dataObject.owner.name | default('nobody')",
      textColor = "dataObject.state | stateColor" } },
  } }
end

function cells.person(person)
  return view.cell { view.row { spacing = 1,
    view.label { text = function() return person.initials end },
    view.label { bindTo = { text = "dataObject.name | capitalized" } },
    view.label { style = "muted", bindTo = { text = "dataObject.team",
      hidden = "dataObject.isAway" } },
    view.label { bindTo = { text = "dataObject.email | initial" } },
  } }
end

return cells
