-- The settings of the editor under test: the plugin, and none of the user's own.

local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local plugin = vim.fn.fnamemodify(here .. "/../../../Sources/CTideTemplates/Editors/nvim", ":p")

vim.opt.runtimepath:prepend(plugin)
vim.opt.swapfile = false
vim.opt.hidden = true
vim.opt.shadafile = "NONE"
package.path = here .. "/?.lua;" .. package.path
vim.cmd("filetype plugin on")
