-- A form with captions beside views of all kinds.
show(view.window { title = "Captions", view.form { id = "form",
  view.field { id = "name", label = "Name" },
  view.label { id = "total", label = "Total", text = "12" },
  view.row { id = "period", label = "Period", spacing = 1,
    view.field { label = "From", width = 8 }, view.field { label = "Until", width = 8 } },
  view.textArea { id = "note", label = "Note", height = 2 },
  view.button { title = "Send", label = "" },
} })
