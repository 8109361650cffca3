return {
  hot = { textColor = "red", bold = true },
  cold = { textColor = "cyan", selected = { reverse = true } },
  title = { textColor = "white", underline = true },
}
