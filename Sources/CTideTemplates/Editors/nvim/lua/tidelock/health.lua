-- `:checkhealth tidelock`

local M = {}

function M.check()
  local health = vim.health or require("health")
  local start = health.start or health.report_start
  local ok = health.ok or health.report_ok
  local warn = health.warn or health.report_warn
  local tidelock = require("tidelock")

  start("tidelock")
  local program = tidelock.program()
  if vim.fn.executable(program) == 1 then
    local version = vim.fn.systemlist({ program, "--version" })[1]
    ok(program .. " " .. (version or "") .. " (" .. vim.fn.exepath(program) .. ")")
  else
    warn("there is no program " .. program,
      { "Install it, or tell where it is: require(\"tidelock\").setup { cmd = { PATH, \"lsp\" } }" })
  end
  if vim.fn.has("nvim-0.10") == 1 then
    ok("inlay hints stand within lines")
  else
    ok("inlay hints stand at the ends of lines; within them from Neovim 0.10 on")
  end
  local root = tidelock.root(vim.fn.getcwd() .. "/app.lua")
  if root then
    ok("the app here has its root at " .. root)
  else
    ok("the current folder is in no app; :TidelockStart starts the server for any Lua file")
  end
end

return M
