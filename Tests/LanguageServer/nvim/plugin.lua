-- Tests the plugin with a server that follows a script: its requests, and its use of the answers.

local t = require("harness")

local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local server = vim.fn.fnamemodify(here .. "/../scripted_server.py", ":p")

local function range(line, first, last)
  return {
    start = { line = line, character = first }, ["end"] = { line = line, character = last },
  }
end

-- Sets the plugin up with a server that follows a script; returns a function that lists the
-- messages of a method so far.
local function script(what, settings)
  local place = t.folder({ ["script.json"] = vim.json.encode(what) })
  local log = place .. "/log"
  require("tidelock").setup(vim.tbl_extend("force", {
    cmd = { "python3", server, place .. "/script.json", log },
  }, settings or {}))
  local function received(method)
    local found = {}
    for _, line in ipairs(vim.fn.filereadable(log) == 1 and vim.fn.readfile(log) or {}) do
      local message = vim.json.decode(line)
      if message.method == method or (not method and message.started) then
        table.insert(found, message)
      end
    end
    return found
  end
  return received
end

local function message(received, method, count)
  return t.eventually((method or "a start"), function()
    local found = received(method)
    return #found >= (count or 1) and found[#found]
  end)
end

t.test("files of an app share one server, which has its folder as the root", function()
  local received = script({ capabilities = { textDocumentSync = 2 } })
  local app = t.folder({ ["app.lua"] = "return 1\n", ["spec/app_spec.lua"] = "\n" })
  t.edit(app .. "/app.lua")
  t.attached()
  t.edit(app .. "/spec/app_spec.lua")
  t.attached()
  message(received, "textDocument/didOpen", 2)
  t.equal(#received(), 1, "servers")
  t.equal(#t.clients(), 1, "clients")
  local params = received("initialize")[1].params
  t.equal(params.rootUri, vim.uri_from_fname(app))
  t.equal(params.capabilities.general.positionEncodings, { "utf-16" })
  t.equal(params.initializationOptions, { live = true })
end)

t.test("each app has a server of its own", function()
  local received = script({ capabilities = { textDocumentSync = 2 } })
  t.edit(t.folder({ ["app.lua"] = "\n" }) .. "/app.lua")
  t.attached()
  t.edit(t.folder({ ["app.lua"] = "\n" }) .. "/app.lua")
  t.attached()
  message(received, nil, 2)
  t.equal(#t.clients(), 2, "clients")
end)

t.test("Lua files outside apps have none, unless the user wants one", function()
  local received = script({ capabilities = { textDocumentSync = 2 } })
  local folder = t.folder({ ["init.lua"] = "\n", [".luarc.json"] = "{}" })
  t.edit(folder .. "/init.lua")
  t.pause(300)
  t.equal(#received(), 0, "servers")
  vim.cmd("TidelockStart")
  t.attached()
  t.equal(received("initialize")[1].params.rootUri, vim.uri_from_fname(folder))
end)

t.test("a .luarc.json that names .tidelock makes a folder an app's", function()
  local received = script({ capabilities = { textDocumentSync = 2 } })
  local app = t.folder({
    [".luarc.json"] = "{ \"workspace.library\": [\".tidelock\"] }", ["deep/er/fruit.lua"] = "\n",
  })
  t.edit(app .. "/deep/er/fruit.lua")
  t.attached()
  t.equal(received("initialize")[1].params.rootUri, vim.uri_from_fname(app))
end)

t.test("an unknown setting is an error", function()
  local ok, failure = pcall(require("tidelock").setup, { comand = {} })
  t.equal(ok, false)
  t.matches(failure, "there is no setting comand")
end)

t.test("a missing program is reported once", function()
  require("tidelock").setup({ cmd = { "no-such-program", "lsp" } })
  local app = t.folder({ ["app.lua"] = "\n", ["b.lua"] = "\n" })
  t.edit(app .. "/app.lua")
  t.edit(app .. "/b.lua")
  t.equal(#t.messages, 1, "messages")
  t.matches(t.messages[1], "there is no program no%-such%-program")
end)

t.test("a server that crashes is restarted, and gets the current text", function()
  local received = script({
    capabilities = { textDocumentSync = { openClose = true, change = 2, save = true } },
    after = { ["textDocument/didSave"] = { { ["$exit"] = 3 } } },
  })
  t.edit(t.folder({ ["app.lua"] = "return 1\n" }) .. "/app.lua")
  t.attached()
  message(received, "textDocument/didOpen")
  t.replace("return 1", "return 2")
  vim.cmd("silent write")
  message(received, nil, 2)
  local opened = message(received, "textDocument/didOpen", 2)
  t.matches(opened.params.textDocument.text, "return 2")
  t.matches(t.messages[1], "ended with code 3 and is started again")
end)

t.test("one that keeps crashing is given up until the user restarts it", function()
  local received = script({
    capabilities = { textDocumentSync = 2 }, after = { initialized = { { ["$exit"] = 1 } } },
  })
  t.edit(t.folder({ ["app.lua"] = "\n" }) .. "/app.lua")
  t.eventually("giving up", function()
    return vim.tbl_filter(function(text) return text:find("4 times within a minute") end,
      t.messages)[1]
  end)
  t.equal(#received(), 4, "servers")
  vim.cmd("TidelockRestart")
  message(received, nil, 5)
end)

t.test("a restart stops the servers and starts new ones for the same buffers", function()
  local received = script({ capabilities = { textDocumentSync = 2 } })
  local app = t.folder({ ["app.lua"] = "\n", ["b.lua"] = "\n" })
  t.edit(app .. "/app.lua")
  t.edit(app .. "/b.lua")
  t.attached()
  message(received, "textDocument/didOpen", 2)
  vim.cmd("TidelockRestart")
  message(received, "textDocument/didOpen", 4)
  t.equal(#received("shutdown"), 1, "shutdowns")
  t.equal(#t.clients(), 1, "clients")
  t.equal(t.messages, {})
end)

t.test("stopped servers stay stopped until the user wants them", function()
  local received = script({ capabilities = { textDocumentSync = 2 } })
  t.edit(t.folder({ ["app.lua"] = "\n" }) .. "/app.lua")
  t.attached()
  vim.cmd("TidelockStop")
  t.equal(#t.clients(), 0, "clients")
  t.pause(500)
  t.equal(#received(), 1, "servers")
  vim.cmd("TidelockStart")
  t.attached()
end)

local hints = { { position = { line = 0, character = 9 }, label = "= 3", kind = 1 }, {
  position = { line = 0, character = 5 }, label = { { value = ": " }, { value = "number" } },
} }

t.test("hints are shown in the text, and follow it", function()
  local received = script({
    capabilities = { textDocumentSync = 2, inlayHintProvider = true },
    answers = { ["textDocument/inlayHint"] = hints },
  })
  t.edit(t.folder({ ["app.lua"] = "local n = 3\nreturn n\n" }) .. "/app.lua")
  t.attached()
  local asked = message(received, "textDocument/inlayHint")
  t.equal(asked.params.range.start, { line = 0, character = 0 })
  t.eventually("hints", function()
    return table.concat(t.hints()):find(": number%s*= 3")
  end)
  local before = #received("textDocument/inlayHint")
  t.replace("return n", "return n + 1")
  t.replace("return n", "return n + 2")
  message(received, "textDocument/inlayHint", before + 1)
end)

t.test("hints are requested again when the server says so", function()
  local received = script({
    capabilities = {
      textDocumentSync = { openClose = true, change = 2, save = true }, inlayHintProvider = true,
    },
    answers = { ["textDocument/inlayHint"] = hints },
    after = {
      ["textDocument/didSave"] = { { id = "r", method = "workspace/inlayHint/refresh" } },
    },
  })
  t.edit(t.folder({ ["app.lua"] = "local n = 3\n" }) .. "/app.lua")
  t.attached()
  message(received, "textDocument/inlayHint")
  t.pause(100)
  local before = #received("textDocument/inlayHint")
  vim.cmd("silent write")
  message(received, "textDocument/inlayHint", before + 1)
end)

t.test("there are no hints if a setting forbids them", function()
  local received = script({
    capabilities = { textDocumentSync = 2, inlayHintProvider = true },
    answers = { ["textDocument/inlayHint"] = hints },
  }, { hints = false })
  t.edit(t.folder({ ["app.lua"] = "local n = 3\n" }) .. "/app.lua")
  t.attached()
  t.pause(200)
  t.equal(#received("textDocument/inlayHint"), 0, "questions")
end)

local function withLens(command)
  return {
    capabilities = { textDocumentSync = 2, codeLensProvider = {} },
    answers = { ["textDocument/codeLens"] = { { range = range(0, 0, 4), command = command } } },
  }
end

local function shownLens(title)
  t.eventually("the lens", function() return table.concat(t.virtualTexts()):find(title, 1, true) end)
end

t.test("a lens of references fills the quickfix list", function()
  local app = t.folder({ ["app.lua"] = "local n = 3\nreturn n\n" })
  local uri = vim.uri_from_fname(app .. "/app.lua")
  local received = script(withLens({
    title = "1 binding", command = "tidelock.showReferences",
    arguments = { uri, { line = 0, character = 6 }, { { uri = uri, range = range(1, 7, 8) } } },
  }))
  t.edit(app .. "/app.lua")
  t.attached()
  message(received, "textDocument/codeLens")
  shownLens("1 binding")
  t.goTo("local")
  vim.lsp.codelens.run()
  t.eventually("the list", function() return #vim.fn.getqflist() == 1 end)
  local item = vim.fn.getqflist()[1]
  t.equal({ item.lnum, item.col }, { 2, 8 })
  t.equal(vim.fn.getqflist({ title = 0 }).title, "1 binding")
end)

t.test("a lens of a test saves the file and runs it in a terminal", function()
  local app = t.folder({ ["app.lua"] = "\n", ["spec/a_spec.lua"] = "it(\"costs 5.0\")\n" })
  local file = app .. "/spec/a_spec.lua"
  local received = script(withLens({
    title = "Run test", command = "tidelock.runTest",
    arguments = { { file = file, name = "costs 5.0", line = 1 } },
  }))
  t.edit(file)
  t.attached()
  message(received, "textDocument/codeLens")
  shownLens("Run test")
  -- The program that runs tests here prints its arguments.
  require("tidelock").settings.cmd = { "echo" }
  t.replace("it(", " it(")
  t.goTo("it(")
  vim.lsp.codelens.run()
  t.eventually("the terminal", function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.bo[buffer].buftype == "terminal" then
        -- The terminal breaks lines at the width of its window.
        return t.text(buffer):gsub("\n", ""):find("test " .. file .. " --filter costs 5%.0", 1, true)
      end
    end
  end)
  t.equal(vim.fn.readfile(file)[1], " it(\"costs 5.0\")")
  t.equal(vim.api.nvim_buf_get_name(0), file)
end)

t.test("a command requests a preview and opens it", function()
  local url
  local received = script({
    capabilities = {
      textDocumentSync = 2, executeCommandProvider = { commands = { "tidelock.preview" } },
    },
    answers = { ["workspace/executeCommand"] = { url = "http://127.0.0.1:1/?token=a" } },
  }, { preview = function(given) url = given end })
  local app = t.folder({ ["app.lua"] = "\n" })
  t.edit(app .. "/app.lua")
  t.attached()
  vim.cmd("TidelockPreview")
  t.eventually("the address", function() return url end)
  t.equal(url, "http://127.0.0.1:1/?token=a")
  t.equal(received("workspace/executeCommand")[1].params, {
    command = "tidelock.preview", arguments = { { uri = vim.uri_from_fname(app .. "/app.lua") } },
  })
end)

t.test("a preview that is impossible is reported", function()
  script({
    capabilities = { textDocumentSync = 2, executeCommandProvider = { commands = {} } },
    answers = { ["workspace/executeCommand"] = { ["$error"] = { code = 1, message = "no view" } } },
  })
  t.edit(t.folder({ ["app.lua"] = "\n" }) .. "/app.lua")
  t.attached()
  vim.cmd("TidelockPreview")
  t.eventually("a message", function() return t.messages[1] end)
  t.matches(t.messages[1], "no view")
end)

t.test("the server may show a document at a range", function()
  local app = t.folder({ ["app.lua"] = "\n", ["b.lua"] = "local ü, deep = 1, 2\n" })
  local received = script({
    capabilities = { textDocumentSync = 2 },
    after = { ["textDocument/didOpen"] = { {
      id = "s", method = "window/showDocument",
      params = {
        uri = vim.uri_from_fname(app .. "/b.lua"), takeFocus = true, selection = range(0, 9, 13),
      },
    } } },
  })
  t.edit(app .. "/app.lua")
  t.attached()
  message(received, "textDocument/didOpen")
  t.eventually("the document", function()
    return vim.api.nvim_buf_get_name(0) == app .. "/b.lua"
  end)
  -- Columns count bytes here, and ü has two.
  t.eventually("the cursor", function() return vim.api.nvim_win_get_cursor(0)[2] == 10 end)
end)

t.test("why runs the program for a path", function()
  script({ capabilities = { textDocumentSync = 2 } })
  local app = t.folder({ ["app.lua"] = "\n", ["b.lua"] = "\n" })
  t.edit(app .. "/b.lua")
  t.attached()
  require("tidelock").settings.cmd = { "echo" }
  vim.cmd("TidelockWhy fruit.name")
  t.eventually("the terminal", function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.bo[buffer].buftype == "terminal" then
        return t.text(buffer):gsub("\n", ""):find("why " .. app .. "/app.lua fruit.name", 1, true)
      end
    end
  end)
end)

t.test("the health report names the program", function()
  script({ capabilities = {} })
  vim.cmd("checkhealth tidelock")
  t.matches(t.text(), "python3")
end)

t.test("the tags of the help are those of its text", function()
  local help = vim.fn.fnamemodify(here .. "/../../../Sources/CTideTemplates/Editors/nvim/doc", ":p")
  local copy = t.folder({
    ["doc/tidelock.txt"] = table.concat(vim.fn.readfile(help .. "/tidelock.txt"), "\n"),
  }) .. "/doc"
  vim.cmd("helptags " .. vim.fn.fnameescape(copy))
  t.equal(vim.fn.readfile(copy .. "/tags"), vim.fn.readfile(help .. "/tags"))
end)

t.test("semantic tokens colour the text, in versions that support them", function()
  if not vim.lsp.semantic_tokens then return end
  script({
    capabilities = {
      textDocumentSync = 2,
      semanticTokensProvider = {
        legend = { tokenTypes = { "property" }, tokenModifiers = {} }, full = true,
      },
    },
    answers = { ["textDocument/semanticTokens/full"] = { data = { 0, 6, 5, 0, 0 } } },
  })
  t.edit(t.folder({ ["app.lua"] = "local fruit = 3\n" }) .. "/app.lua")
  t.attached()
  t.eventually("a token", function()
    local tokens = vim.lsp.semantic_tokens.get_at_pos(0, 0, 8)
    return tokens and tokens[1] and tokens[1].type == "property"
  end)
end)

t.test("beside another server, both answer", function()
  local received = script({ capabilities = { textDocumentSync = 2, completionProvider = {} },
    answers = { ["textDocument/completion"] = { { label = "fruit.name" } } } })
  local app = t.folder({ ["app.lua"] = "return fr\n" })
  t.edit(app .. "/app.lua")
  t.attached()
  local place = t.folder({ ["script.json"] = vim.json.encode({
    capabilities = { textDocumentSync = 2, completionProvider = {} },
    answers = { ["textDocument/completion"] = { { label = "from_lua" } } },
  }) })
  local other = {
    name = "other", root_dir = app,
    cmd = { "python3", server, place .. "/script.json", place .. "/log" },
  }
  local id = vim.lsp.start and vim.lsp.start(other) or vim.lsp.start_client(other)
  vim.lsp.buf_attach_client(0, id)
  t.eventually("the other server", function()
    local client = vim.lsp.get_client_by_id(id)
    return client and client.initialized
  end)
  message(received, "textDocument/didOpen")
  local client = t.attached()
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, 5000)
  local labels = {}
  for _, answer in pairs(answers) do
    for _, item in ipairs(answer.result) do table.insert(labels, item.label) end
  end
  table.sort(labels)
  t.equal(labels, { "from_lua", "fruit.name" })
  t.equal(client.offset_encoding, vim.lsp.get_client_by_id(id).offset_encoding)
  t.equal(t.messages, {})
end)
