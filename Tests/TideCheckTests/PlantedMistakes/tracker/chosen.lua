-- What the person at the keyboard has chosen.

return model "chosen" {
  task = property {}, search = "", tab = 1, message = "", isEditing = false, sort = "title",
  window = object { width = 80, height = 24 },
}
