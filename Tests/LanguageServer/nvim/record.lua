-- Works on the app as a person does, while what Neovim sends is recorded.
--
-- The environment has the folder of the app and the command of the recording server.

local t = require("harness")

local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local app = vim.env.TIDELOCK_RECORDED_APP

local channel = vim.fn.jobstart({
  vim.v.progpath, "--embed", "--headless", "-n", "-i", "NONE", "-u", here .. "/init.lua",
}, { rpc = true, cwd = app })

local function call(method, ...) return vim.fn.rpcrequest(channel, method, ...) end

-- Neovim collects changes for 150 ms, so half-typed words reach the server only after a pause.
local function type(...)
  for _, keys in ipairs({ ... }) do
    call("nvim_input", keys)
    t.pause(250)
  end
end

local function search(text) call("nvim_call_function", "search", { text, "cw" }) end

t.test("somebody works on the app", function()
  call("nvim_exec_lua", "require('tidelock').setup { cmd = ..., live = false }",
    { vim.json.decode(vim.env.TIDELOCK_RECORDING_SERVER) })
  call("nvim_command", "edit app.lua")
  t.eventually("a language server", function()
    return call("nvim_eval", "luaeval('(require(\"tidelock.client\").of(0) or {}).initialized')")
      == true
  end)
  t.pause(500)

  -- A path, letter by letter, with a slip and a completion.
  search("fruit.name | upper")
  type("wea", "<BS><BS><BS><BS>.", "pr", "<C-x><C-o>", "<Esc>", "u", "<C-r>", "u")
  -- A view, half of which is typed before anything is closed.
  search("view.field")
  type("Oview.la", "bel { bindTo = { te", "xt = \"fruit.pri", "ce | ", "num", "ber(2)\" }", " },",
    "<Esc>", ":write<CR>")
  -- Characters beyond ASCII before what is typed next in the same line.
  search("euros")
  type("ciw", "ä😀 €", "<Esc>", "o-- <C-v>u00e9 ", "fruit.", "<Esc>", "u")

  -- A function in a module, which is called before it exists.
  search("commands.ripen()")
  type("wwcwr", "ot", "<Esc>")
  type(":edit commands.lua<CR>")
  search("return commands")
  type("O<CR>function commands.r", "ot(by)<CR>models.fr", "uit.pri", "ce = models.fruit.price - ",
    "by<CR>end<CR>", "<Esc>", ":write<CR>")
  type(":buffer app.lua<CR>", ":write<CR>")

  -- Lines that are moved, removed and restored.
  type("gg", "dd", "p", "u", "u", "<C-r>", "<C-r>", "u", "u")
  type("GVkk", "d", "P", ">>", "<<", "J", "u")
  type(":%s/fruit/produce/g<CR>", "u", "<C-r>", "u")
  type("ggyG", "GP", "u")

  -- A spec that uses what does not exist yet.
  type(":edit spec/app_spec.lua<CR>")
  search("ui.tap")
  type("Omodels.fruit.na", "<C-x><C-o>", " = \"", "pear\"", "<Esc>", ":write<CR>")
  search("views.ripen")
  type("wwcwri", "pe", "<Esc>")

  -- A mistake that stays open and unsaved.
  type(":buffer app.lua<CR>")
  search("fruit.name | upper")
  type("wwC", "lowercas\" } },", "<Esc>")
  type(":bdelete! commands.lua<CR>", ":edit commands.lua<CR>")
  search("models.fruit.name")
  type("wwwcw", "nmae", "<Esc>", ":write<CR>")
  type(":bdelete commands.lua<CR>")
  t.pause(1000)
  call("nvim_input", ":qall!<CR>")
  t.eventually("the end", function() return vim.fn.jobwait({ channel }, 0)[1] ~= -1 end)
end)
