-- The settings, and the choice of buffers that get a server.

local M = {}

M.settings = {
  -- The server. The first word is also the program that runs tests.
  cmd = { "tidelock", "lsp" },
  -- What marks the folder of an app; the nearest such folder is the root. A .luarc.json counts only
  -- if it names .tidelock, because other Lua projects have one too. May also be a function that
  -- takes a file's path and returns a folder or nil.
  root = { ".tidelock", "app.lua", ".luarc.json" },
  -- Values, causes and costs from an app that is running.
  live = true,
  -- Inlay hints and code lenses.
  hints = true,
  lenses = true,
  -- "browser" opens the address of a preview, "print" prints it, and a function receives it.
  preview = "browser",
  -- Called with the client and the buffer.
  on_attach = nil,
}

function M.setup(settings)
  for name in pairs(settings or {}) do
    if M.settings[name] == nil and name ~= "on_attach" then
      error("tidelock: there is no setting " .. tostring(name), 2)
    end
  end
  for name, value in pairs(settings or {}) do M.settings[name] = value end
end

-- The program, without the arguments that make it a server.
function M.program() return M.settings.cmd[1] end

local function marks(path, name)
  if not vim.loop.fs_stat(path) then return false end
  if name ~= ".luarc.json" then return true end
  local ok, lines = pcall(vim.fn.readfile, path, "", 1000)
  return ok and table.concat(lines, "\n"):find(".tidelock", 1, true) ~= nil
end

-- The folder of the app that a file belongs to.
function M.root(path)
  local wanted = M.settings.root
  if type(wanted) == "function" then return wanted(path) end
  local folder = vim.fn.fnamemodify(path, ":p:h")
  while true do
    for _, name in ipairs(wanted) do
      if marks(folder .. "/" .. name, name) then return folder end
    end
    local parent = vim.fn.fnamemodify(folder, ":h")
    if parent == folder then return nil end
    folder = parent
  end
end

local function isScript(buffer)
  return vim.bo[buffer].filetype == "lua" and vim.bo[buffer].buftype == ""
    and vim.api.nvim_buf_get_name(buffer) ~= ""
end

-- Starts a server for a buffer, or uses the one that its app has. Does nothing for a Lua file
-- outside all apps, which may belong to any other project.
function M.attach(buffer)
  if not isScript(buffer) then return end
  local root = M.root(vim.api.nvim_buf_get_name(buffer))
  if root then require("tidelock.client").attach(buffer, root) end
end

-- Starts a server for the current file even if it belongs to no app.
function M.start()
  local buffer = vim.api.nvim_get_current_buf()
  if not isScript(buffer) then
    return vim.notify("tidelock: this is not a Lua file", vim.log.levels.WARN)
  end
  local path = vim.api.nvim_buf_get_name(buffer)
  require("tidelock.client").attach(buffer, M.root(path) or vim.fn.fnamemodify(path, ":p:h"))
end

function M.stop() require("tidelock.client").stop() end

function M.restart() require("tidelock.client").restart() end

return M
