-- Starts the language server for the scripts of Tidelock's apps, and adds the commands.
-- See `:help tidelock`.

if vim.g.loaded_tidelock or vim.fn.has("nvim-0.7") == 0 then return end
vim.g.loaded_tidelock = true

local group = vim.api.nvim_create_augroup("tidelock", {})

vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = "lua",
  callback = function(event) require("tidelock").attach(event.buf) end,
})

local function command(name, options, run)
  vim.api.nvim_create_user_command(name, run, options)
end

command("TidelockStart", { desc = "Start Tidelock's server for this file, wherever it is" },
  function() require("tidelock").start() end)

command("TidelockStop", { desc = "Stop Tidelock's servers" },
  function() require("tidelock").stop() end)

command("TidelockRestart", { desc = "Stop Tidelock's servers and start them anew" },
  function() require("tidelock").restart() end)

command("TidelockPreview", { desc = "Show the views of this script" },
  function() require("tidelock.preview").open() end)

command("TidelockWhy", {
  nargs = "?",
  desc = "Why the value under the cursor, or at a path, is what it is",
}, function(arguments) require("tidelock.commands").why(arguments.args) end)

command("TidelockEvaluate", {
  range = true,
  desc = "Evaluate the line, or the lines of the range, in the running app",
}, function(arguments)
  require("tidelock.commands").evaluate(arguments.line1, arguments.line2)
end)

command("TidelockTest", { desc = "Run the specs of this file, or those of the app" },
  function() require("tidelock.commands").testFile() end)
