-- Shows the views of a script in a browser, where the server updates them as the text is typed.

local M = {}

local function opener()
  for _, name in ipairs({ "xdg-open", "open", "wslview" }) do
    if vim.fn.executable(name) == 1 then return name end
  end
end

-- Opens an address in a browser. Without a browser the address is printed.
function M.show(url)
  local preview = require("tidelock").settings.preview
  if type(preview) == "function" then return preview(url) end
  if preview == "browser" then
    if vim.ui.open then
      local _, failure = vim.ui.open(url)
      if not failure then return end
    else
      local program = opener()
      if program and vim.fn.jobstart({ program, url }, { detach = true }) > 0 then return end
    end
  end
  vim.notify("tidelock: the preview is at " .. url)
end

-- The buffers whose cursor is sent to the server, which marks the view of its line.
local followed = {}

local function tell(buffer)
  local client = require("tidelock.client").of(buffer)
  if not client or buffer ~= vim.api.nvim_get_current_buf() then return end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  client.notify("tidelock/cursor", {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = 0 },
  })
end

local function follow(buffer)
  tell(buffer)
  if followed[buffer] then return end
  followed[buffer] = true
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI" }, {
    group = vim.api.nvim_create_augroup("tidelock-preview-" .. buffer, {}),
    buffer = buffer,
    callback = function() tell(buffer) end,
  })
end

-- Opens the preview of a document, or of the current buffer.
function M.open(uri)
  local clients = require("tidelock.client")
  local buffer = uri and vim.uri_to_bufnr(uri) or vim.api.nvim_get_current_buf()
  local client = clients.of(buffer) or clients.of(vim.api.nvim_get_current_buf())
  if not client then
    return vim.notify("tidelock: no language server runs for this file", vim.log.levels.WARN)
  end
  clients.request(client, "workspace/executeCommand", {
    command = "tidelock.preview",
    arguments = { { uri = uri or vim.uri_from_bufnr(buffer) } },
  }, function(failure, result)
    if failure then
      return vim.notify("tidelock: " .. (failure.message or "no preview"), vim.log.levels.ERROR)
    end
    if type(result) == "table" and result.url then
      follow(buffer)
      M.show(result.url)
    end
  end, buffer)
end

return M
