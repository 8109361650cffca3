-- The commands of code lenses, and those that run the program.

local tidelock = require("tidelock")

local M = {}

-- Runs the program in a terminal below, in the folder of the app.
local function inTerminal(arguments, folder)
  vim.cmd("botright 15new")
  local command = vim.list_extend({ tidelock.program() }, arguments)
  local options = { cwd = folder }
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    vim.fn.jobstart(command, options)
  else
    vim.fn.termopen(command, options)
  end
  vim.bo.bufhidden = "wipe"
  -- With the cursor on the last line the terminal follows its output.
  vim.cmd("normal! G")
  vim.cmd("wincmd p")
end

local function rootOf(path)
  return tidelock.root(path) or vim.fn.fnamemodify(path, ":p:h")
end

local function path(file)
  return file:match("^file:") and vim.uri_to_fname(file) or file
end

-- Tests run from files, so what has been edited is written first.
local function write(file)
  local buffer = vim.fn.bufnr("^" .. vim.fn.escape(file, "\\*?[]{},") .. "$")
  if buffer > 0 and vim.bo[buffer].modified then
    vim.api.nvim_buf_call(buffer, function() vim.cmd("silent write") end)
  end
end

-- `--filter` takes a Lua pattern, so characters with a special meaning are escaped.
local function plainPattern(name) return (name:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0")) end

-- The commands that the server puts into code lenses.
M.ofLenses = {
  ["tidelock.runTest"] = function(command)
    local test = command.arguments[1]
    local file = path(test.file)
    write(file)
    inTerminal({ "test", file, "--filter", plainPattern(test.name) }, rootOf(file))
  end,

  ["tidelock.showReferences"] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local locations = command.arguments[3] or {}
    local items = vim.lsp.util.locations_to_items(locations, client and client.offset_encoding)
    if #items == 0 then return vim.notify("tidelock: there are no references") end
    vim.fn.setqflist({}, " ", { title = command.title, items = items })
    vim.cmd("botright copen")
  end,

  ["tidelock.preview"] = function(command)
    require("tidelock.preview").open(command.arguments[1].uri or command.arguments[1])
  end,
}

-- Without a path, shows the server's hover for the name under the cursor, which ends with the
-- causes of its value if the app is running. With a path, runs `tidelock why`.
function M.why(route)
  if route == "" then return vim.lsp.buf.hover() end
  local file = vim.api.nvim_buf_get_name(0)
  local root = rootOf(file)
  local main = root .. "/app.lua"
  inTerminal({ "why", vim.loop.fs_stat(main) and main or file, route }, root)
end

-- Lets the running app evaluate lines of the buffer, as its prompt would.
function M.evaluate(first, last)
  local clients = require("tidelock.client")
  local buffer = vim.api.nvim_get_current_buf()
  local client = clients.of(buffer)
  if not client then
    return vim.notify("tidelock: no language server runs for this file", vim.log.levels.WARN)
  end
  local lines = vim.api.nvim_buf_get_lines(buffer, first - 1, last, false)
  clients.request(client, "workspace/executeCommand", {
    command = "tidelock.evaluate",
    arguments = { { text = table.concat(lines, "\n") } },
  }, function(failure, value)
    if failure then
      return vim.notify("tidelock: " .. (failure.message or "no answer"), vim.log.levels.ERROR)
    end
    vim.notify(tostring(value))
  end, buffer)
end

function M.testFile()
  local file = vim.api.nvim_buf_get_name(0)
  write(file)
  local isSpec = file:match("_spec%.lua$")
  inTerminal(isSpec and { "test", file } or { "test" }, rootOf(file))
end

return M
