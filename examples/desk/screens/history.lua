-- What was done, by whom and when, the latest first.

controller.list { name = "history", content = "desk.history", sort = "-at" }

return {
  view = view.table { id = "history", grow = 1, margin = { 1, 0, 0, 0 },
    columns = {
      { title = "When", path = "at | date('!%x %X')", key = "at", width = 20 },
      { title = "Who", path = "who", width = 12 },
      { title = "What", path = "what", minWidth = 16 },
    },
    bindTo = { items = "history.arrangedObjects" },
  },
}
