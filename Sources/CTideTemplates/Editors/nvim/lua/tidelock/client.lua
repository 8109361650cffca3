-- The connection to the language server: one client for each root.

local hints = require("tidelock.hints")
local tidelock = require("tidelock")

local M = {}

-- The ids of clients by their roots.
local clients = {}
-- The clients that were stopped, whose exit is not a crash.
local ending = {}
-- The times of server crashes, by root.
local crashes = {}
-- The buffers of each root, to attach them again after a restart.
local buffersOf = {}
-- The number of times that the user has stopped all servers. A restart that was scheduled before a
-- stop is dropped.
local stops = 0

local name = "tidelock"

-- From Neovim 0.11 on, functions of a client are methods, called with a colon.
local function call(client, method, ...)
  if vim.fn.has("nvim-0.11") == 1 then return client[method](client, ...) end
  return client[method](...)
end

function M.request(client, method, params, handler, buffer)
  return call(client, "request", method, params, handler, buffer)
end

-- The client of a buffer, or nil.
function M.of(buffer)
  for _, id in pairs(clients) do
    local client = vim.lsp.get_client_by_id(id)
    if client and vim.lsp.buf_is_attached(buffer, id) then return client end
  end
end

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.general = all.general or {}
  -- The encoding that every server supports, because clients of one buffer should agree on one.
  all.general.positionEncodings = { "utf-16" }
  all.textDocument.codeLens = all.textDocument.codeLens or { dynamicRegistration = false }
  all.textDocument.inlayHint = all.textDocument.inlayHint or { dynamicRegistration = false }
  all.workspace.inlayHint = { refreshSupport = true }
  all.workspace.codeLens = { refreshSupport = true }
  all.window.showDocument = { support = true }
  return all
end

local function refreshLenses(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) then return end
  if vim.lsp.codelens.enable then return end
  -- Before Neovim 0.10 only those of the current buffer are available.
  if vim.fn.has("nvim-0.10") == 1 then
    vim.lsp.codelens.refresh({ bufnr = buffer })
  elseif buffer == vim.api.nvim_get_current_buf() then
    vim.lsp.codelens.refresh()
  end
end

-- Some versions of Neovim show lenses in the colour of code.
vim.api.nvim_set_hl(0, "LspCodeLens", { default = true, link = "Comment" })

local function addLenses(client, buffer)
  if not tidelock.settings.lenses or not client.server_capabilities.codeLensProvider then return end
  if vim.lsp.codelens.enable then
    return vim.lsp.codelens.enable(true, { bufnr = buffer })
  end
  local group = vim.api.nvim_create_augroup("tidelock_lenses_" .. buffer, {})
  vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged", "BufWritePost" }, {
    group = group,
    buffer = buffer,
    callback = function()
      if not M.of(buffer) then return true end
      refreshLenses(buffer)
    end,
  })
  refreshLenses(buffer)
end

local function onAttach(client, buffer)
  -- From Neovim 0.8 on this is the default, unless something else has been set.
  if vim.bo[buffer].omnifunc == "" then vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc" end
  if vim.bo[buffer].tagfunc == "" then vim.bo[buffer].tagfunc = "v:lua.vim.lsp.tagfunc" end
  if tidelock.settings.hints and client.server_capabilities.inlayHintProvider then
    hints.attach(client, buffer)
  end
  addLenses(client, buffer)
  if tidelock.settings.on_attach then tidelock.settings.on_attach(client, buffer) end
end

local function attachedBuffers(id)
  return vim.tbl_filter(function(buffer)
    return vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.buf_is_attached(buffer, id)
  end, vim.api.nvim_list_bufs())
end

-- Opens a document at a range, at the request of a preview page.
local function showDocument(_, params, context)
  if params.external then
    require("tidelock.preview").show(params.uri)
    return { success = true }
  end
  local client = vim.lsp.get_client_by_id(context.client_id)
  local start = { line = 0, character = 0 }
  local location = {
    uri = params.uri,
    range = params.selection or { start = start, ["end"] = start },
  }
  vim.lsp.util.jump_to_location(location, client and client.offset_encoding)
  return { success = true }
end

-- Handles requests that this version of Neovim does not know.
local function handlers()
  return {
    ["window/showDocument"] = vim.lsp.handlers["window/showDocument"] or showDocument,
    ["workspace/inlayHint/refresh"] = vim.lsp.handlers["workspace/inlayHint/refresh"]
      or function(_, _, context)
        for _, buffer in ipairs(attachedBuffers(context.client_id)) do hints.refresh(buffer) end
        return vim.NIL
      end,
    ["workspace/codeLens/refresh"] = vim.lsp.handlers["workspace/codeLens/refresh"]
      or function(_, _, context)
        for _, buffer in ipairs(attachedBuffers(context.client_id)) do refreshLenses(buffer) end
        return vim.NIL
      end,
    -- The page of a preview updates itself.
    ["tidelock/previewChanged"] = function() end,
  }
end

-- Restarts a server that has crashed, unless it has crashed too often.
local function restartAfterCrash(root, code)
  local now = vim.loop.now()
  local recent = vim.tbl_filter(function(time) return now - time < 60000 end, crashes[root] or {})
  table.insert(recent, now)
  crashes[root] = recent
  if #recent > 3 then
    vim.notify("tidelock: the language server ended " .. #recent
      .. " times within a minute; :TidelockRestart tries again", vim.log.levels.ERROR)
    return
  end
  vim.notify("tidelock: the language server ended with " .. code .. " and is started again",
    vim.log.levels.WARN)
  local before = stops
  vim.defer_fn(function()
    if stops ~= before then return end
    for _, buffer in ipairs(buffersOf[root] or {}) do
      if vim.api.nvim_buf_is_loaded(buffer) then M.attach(buffer, root) end
    end
  end, 200 * 4 ^ (#recent - 1))
end

local function configuration(root)
  local settings = tidelock.settings
  return {
    name = name,
    cmd = settings.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    init_options = { live = settings.live },
    settings = { tidelock = { live = settings.live } },
    capabilities = capabilities(),
    handlers = handlers(),
    commands = require("tidelock.commands").ofLenses,
    on_attach = onAttach,
    on_exit = function(code, signal, id)
      local isWanted = ending[id]
      ending[id] = nil
      vim.schedule(function()
        if clients[root] == id then clients[root] = nil end
        -- A user who terminates the server, as `:LspStop` may, does not want it restarted.
        if isWanted or signal == 15 or (code == 0 and signal == 0) then return end
        restartAfterCrash(root, signal ~= 0 and "signal " .. signal or "code " .. code)
      end)
    end,
  }
end

-- Reports a missing program once, rather than for each file.
local isMissingTold = false

local function isThere()
  if vim.fn.executable(tidelock.program()) == 1 then return true end
  if not isMissingTold then
    isMissingTold = true
    vim.notify("tidelock: there is no program " .. tidelock.program()
      .. "; require(\"tidelock\").setup { cmd = … } tells where it is", vim.log.levels.WARN)
  end
  return false
end

function M.attach(buffer, root)
  if not isThere() then return end
  local buffers = buffersOf[root] or {}
  buffersOf[root] = buffers
  if not vim.tbl_contains(buffers, buffer) then table.insert(buffers, buffer) end
  local id = clients[root]
  if not id then
    local config = configuration(root)
    if vim.lsp.start then
      -- Only some versions take the buffer as an argument.
      vim.api.nvim_buf_call(buffer, function()
        id = vim.lsp.start(config, { reuse_client = function() return false end })
      end)
    else
      id = vim.lsp.start_client(config)
    end
    if not id then return end
    clients[root] = id
  end
  if not vim.lsp.buf_is_attached(buffer, id) then vim.lsp.buf_attach_client(buffer, id) end
end

local function stop(id)
  local client = vim.lsp.get_client_by_id(id)
  if not client then return end
  ending[id] = true
  call(client, "stop")
end

-- Stops all servers, and waits for their end.
function M.stop()
  stops = stops + 1
  local before = clients
  clients = {}
  for _, id in pairs(before) do stop(id) end
  local function areGone()
    for _, id in pairs(before) do
      if vim.lsp.get_client_by_id(id) then return false end
    end
    return true
  end
  if vim.wait(2000, areGone, 20) then return end
  -- Kills a server that does not end.
  for _, id in pairs(before) do
    local client = vim.lsp.get_client_by_id(id)
    if client then call(client, "stop", true) end
  end
end

function M.restart()
  isMissingTold = false
  crashes = {}
  M.stop()
  local attached = {}
  for root, buffers in pairs(buffersOf) do
    for _, buffer in ipairs(buffers) do
      if vim.api.nvim_buf_is_loaded(buffer) then
        attached[buffer] = true
        M.attach(buffer, root)
      end
    end
  end
  -- Adds the buffers that had no server.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and not attached[buffer] then tidelock.attach(buffer) end
  end
end

-- Neovim waits for servers when it ends; one that ends then has not crashed.
vim.api.nvim_create_autocmd("VimLeavePre", {
  callback = function()
    for _, id in pairs(clients) do ending[id] = true end
  end,
})

return M
