-- What readers may set, kept in a file.

local settings = controller.settings { name = "settings", appliesImmediately = true,
  initialValues = { days = 14, theme = "light", reader = "" } }

local prefs = object {
  name = "library", version = 3,
  reset = function() settings:revertToInitialValues() end,
}

observe(settings.values, "theme", function(theme) app.theme = theme end)

return { settings = settings, prefs = prefs, save = function() settings:save() end }
