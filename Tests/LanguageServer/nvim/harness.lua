-- Runs tests within the editor and prints their results as TAP, one line for each.

local M = {}

local tests = {}
-- The messages that the plugin has shown.
M.messages = {}

local function print(line) io.stdout:write(line, "\n") end

-- How long to wait for anything, in milliseconds. A debug build under load is slow.
local patience = tonumber(vim.env.TIDELOCK_PATIENCE) or 20000

function M.test(name, run) table.insert(tests, { name = name, run = run }) end

-- Waits until a function returns something true, and returns that.
function M.eventually(what, holds)
  local value
  local ok = vim.wait(patience, function()
    value = holds()
    return value
  end, 20)
  if not ok then error(what .. " did not come within " .. patience .. " ms", 2) end
  return value
end

-- Lets the editor run for a while, in which nothing should happen.
function M.pause(milliseconds) vim.wait(milliseconds, function() return false end, 10) end

function M.equal(value, wanted, what)
  if vim.deep_equal(value, wanted) then return end
  error((what or "value") .. ": " .. vim.inspect(value) .. " is not " .. vim.inspect(wanted), 2)
end

function M.contains(list, wanted)
  if vim.tbl_contains(list, wanted) then return end
  error(vim.inspect(wanted) .. " is not in " .. vim.inspect(list), 2)
end

function M.matches(text, pattern)
  if text and text:find(pattern) then return end
  error(vim.inspect(text) .. " does not match " .. vim.inspect(pattern), 2)
end

local folders = {}

-- A folder with files, which is removed after the test.
function M.folder(files)
  local folder = vim.loop.fs_realpath(vim.fn.tempname():match("^(.*)/")) .. "/app" .. #folders
  vim.fn.mkdir(folder, "p")
  table.insert(folders, folder)
  for name, text in pairs(files or {}) do
    local file = folder .. "/" .. name
    vim.fn.mkdir(vim.fn.fnamemodify(file, ":h"), "p")
    vim.fn.writefile(vim.split(text, "\n"), file, "b")
  end
  return folder
end

function M.edit(file)
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  return vim.api.nvim_get_current_buf()
end

-- Puts the cursor at the first occurrence of a text, or some bytes into it.
function M.goTo(text, into)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local start = line:find(text, 1, true)
    if start then return vim.api.nvim_win_set_cursor(0, { number, start - 1 + (into or 0) }) end
  end
  error(text .. " is not in this buffer", 2)
end

-- Changes the text of the current buffer, as typing does.
function M.replace(old, new)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local first, last = line:find(old, 1, true)
    if first then
      vim.api.nvim_buf_set_text(0, number - 1, first - 1, number - 1, last, { new })
      -- A headless editor that runs a script never fires these by itself.
      return vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 })
    end
  end
  error(old .. " is not in this buffer", 2)
end

function M.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\n")
end

function M.clients()
  local all = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
  return vim.tbl_filter(function(client) return client.name == "tidelock" end, all)
end

-- Waits until a server answers for the current buffer.
function M.attached()
  return M.eventually("a language server", function()
    local client = require("tidelock.client").of(vim.api.nvim_get_current_buf())
    return client and client.initialized and client
  end)
end

-- The virtual texts of a buffer, by their lines.
function M.virtualTexts(buffer)
  local found = {}
  for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
    local marks = vim.api.nvim_buf_get_extmarks(
      buffer or 0, namespace, 0, -1, { details = true })
    for _, mark in ipairs(marks) do
      for _, chunk in ipairs(mark[4].virt_text or {}) do table.insert(found, chunk[1]) end
      for _, line in ipairs(mark[4].virt_lines or {}) do
        for _, chunk in ipairs(line) do table.insert(found, chunk[1]) end
      end
    end
  end
  return found
end

-- The inlay hints of the current buffer, in their order.
function M.hints()
  -- An editor with inlay hints of its own draws them with the screen, which is missing here.
  if not vim.lsp.inlay_hint then return M.virtualTexts() end
  local found = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local label = hint.inlay_hint.label
    if type(label) == "string" then label = { { value = label } } end
    local position = hint.inlay_hint.position
    local text = table.concat(vim.tbl_map(function(part) return part.value end, label))
    table.insert(found, { position.line * 10000 + position.character, text })
  end
  table.sort(found, function(a, b) return a[1] < b[1] end)
  return vim.tbl_map(function(hint) return hint[2] end, found)
end

local function tidyUp()
  require("tidelock").stop()
  vim.wait(5000, function() return #M.clients() == 0 end, 20)
  vim.cmd("silent! only!")
  vim.cmd("silent! %bwipeout!")
  for _, folder in ipairs(folders) do vim.fn.delete(folder, "rf") end
  M.messages = {}
  for name in pairs(package.loaded) do
    if name:match("^tidelock") then package.loaded[name] = nil end
  end
end

-- Runs a file of tests, and ends the editor.
function M.run(file)
  vim.notify = function(message) table.insert(M.messages, message) end
  local ok, failure = pcall(dofile, file)
  if not ok then
    print("Bail out! " .. failure)
    vim.cmd("cquit 1")
  end
  local wanted = vim.env.TIDELOCK_TESTS
  local failures = 0
  for number, test in ipairs(tests) do
    if not wanted or test.name:find(wanted) then
      local passed, reason = xpcall(test.run, debug.traceback)
      print((passed and "ok " or "not ok ") .. number .. " - " .. test.name)
      if not passed then
        failures = failures + 1
        print("  # " .. tostring(reason):gsub("\n", "\n  # "))
        for _, message in ipairs(M.messages) do print("  # told: " .. message) end
      end
      local tidied, trouble = pcall(tidyUp)
      if not tidied then print("  # " .. trouble) end
    end
  end
  print("1.." .. #tests)
  -- Servers that hang must not keep the editor.
  vim.cmd(failures == 0 and "qall!" or "cquit 1")
end

return M
