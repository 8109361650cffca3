-- Inlay hints: Neovim's own from version 0.10 on, before that at the ends of lines.

local M = {}

local namespace = vim.api.nvim_create_namespace("tidelock_hints")
-- How long a text must stay unchanged before its hints are requested, in milliseconds.
local delay = 150

vim.api.nvim_set_hl(0, "TidelockHint", { default = true, link = "Comment" })

local hasOwn = vim.lsp.inlay_hint ~= nil and type(vim.lsp.inlay_hint) == "table"
  and vim.lsp.inlay_hint.enable ~= nil

-- By buffer: the client's id, a timer, and the number of requests so far.
local states = {}

local function text(hint)
  if type(hint.label) == "string" then return hint.label end
  local parts = {}
  for _, part in ipairs(hint.label) do table.insert(parts, part.value) end
  return table.concat(parts)
end

-- Before Neovim 0.10 text cannot be shown within a line, so all hints of a line stand at its end.
local function show(buffer, hints)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  -- table.sort does not keep the order of hints at one place.
  local order = {}
  for index, hint in ipairs(hints) do order[hint] = index end
  table.sort(hints, function(a, b)
    if a.position.line ~= b.position.line then return a.position.line < b.position.line end
    if a.position.character ~= b.position.character then
      return a.position.character < b.position.character
    end
    return order[a] < order[b]
  end)
  local lines = {}
  for _, hint in ipairs(hints) do
    local line = lines[hint.position.line] or {}
    lines[hint.position.line] = line
    table.insert(line, vim.trim(text(hint)))
  end
  local count = vim.api.nvim_buf_line_count(buffer)
  for line, words in pairs(lines) do
    if line < count then
      vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, {
        virt_text = { { " " .. table.concat(words, "  "), "TidelockHint" } },
        virt_text_pos = "eol",
        hl_mode = "combine",
      })
    end
  end
end

local function ask(buffer)
  local state = states[buffer]
  if not state or not vim.api.nvim_buf_is_loaded(buffer) then return end
  local client = vim.lsp.get_client_by_id(state.client)
  if not client then return end
  if state.request then client.cancel_request(state.request) end
  state.asked = state.asked + 1
  local number = state.asked
  local _, request = client.request("textDocument/inlayHint", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = {
      start = { line = 0, character = 0 },
      ["end"] = { line = vim.api.nvim_buf_line_count(buffer), character = 0 },
    },
  }, function(failure, result)
    -- A newer request has been sent, so this answer is out of date.
    if number ~= state.asked or states[buffer] ~= state then return end
    state.request = nil
    if not failure and vim.api.nvim_buf_is_loaded(buffer) then show(buffer, result or {}) end
  end, buffer)
  state.request = request
end

local function detach(buffer)
  local state = states[buffer]
  if not state then return end
  states[buffer] = nil
  state.timer:stop()
  state.timer:close()
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  end
end

-- Requests hints once the text has stayed unchanged.
function M.refresh(buffer)
  local state = states[buffer]
  if state then state.timer:start(delay, 0, vim.schedule_wrap(function() ask(buffer) end)) end
end

function M.attach(client, buffer)
  if hasOwn then return vim.lsp.inlay_hint.enable(true, { bufnr = buffer }) end
  detach(buffer)
  states[buffer] = { client = client.id, timer = vim.loop.new_timer(), asked = 0 }
  local group = vim.api.nvim_create_augroup("tidelock_hints_" .. buffer, {})
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "InsertLeave" }, {
    group = group, buffer = buffer, callback = function() M.refresh(buffer) end,
  })
  vim.api.nvim_create_autocmd({ "BufUnload", "BufWipeout" }, {
    group = group, buffer = buffer, callback = function() detach(buffer) end,
  })
  ask(buffer)
end

return M
