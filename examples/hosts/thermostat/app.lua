-- Shows the room, and sets how warm it shall be.
local room = models.room

return view.box { title = "Living room",
  view.label { text = function()
    return room.measured .. " degrees" .. (room.isHeating and ", heating" or "")
  end },
  view.stepper { label = "Target", minimum = 5, maximum = 30, bindTo = { value = "<> room.target" } },
}
