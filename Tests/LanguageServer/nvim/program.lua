-- The plugin and the program together, on an app of several modules.

local t = require("harness")

local program = vim.env.TIDELOCK_PROGRAM

local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local files = {}
for _, name in ipairs({ "app.lua", "commands.lua", "spec/app_spec.lua" }) do
  files[name] = table.concat(vim.fn.readfile(here .. "/../app/" .. name, "b"), "\n")
end

-- Opens a file of the app, and waits until a server answers for it.
local function open(name, settings)
  require("tidelock").setup(vim.tbl_extend("force", { cmd = { program, "lsp" } }, settings or {}))
  local app = t.folder(files)
  t.edit(app .. "/" .. name)
  t.attached()
  return app
end

local function problems()
  return vim.tbl_map(function(problem) return problem.message end, vim.diagnostic.get(0))
end

-- Starts another editor, in which keys are typed as by a person; returns a function that calls its
-- API, and one that waits for a Vim expression.
local function typist(file)
  local channel = vim.fn.jobstart({
    vim.v.progpath, "--embed", "--headless", "-n", "-i", "NONE", "-u", here .. "/init.lua",
  }, { rpc = true })
  local function call(method, ...) return vim.fn.rpcrequest(channel, method, ...) end
  call("nvim_exec_lua", "require('tidelock').setup { cmd = { ..., 'lsp' } }", { program })
  call("nvim_command", "edit " .. vim.fn.fnameescape(file))
  local function until_(what, expression, holds)
    return t.eventually(what, function()
      local value = call("nvim_eval", expression)
      return holds(value) and { value }
    end)[1]
  end
  until_("a language server", "luaeval('(require(\"tidelock.client\").of(0) or {}).initialized')",
    function(value) return value == true end)
  return call, until_, function() vim.fn.jobstop(channel) end
end

t.test("a mistake is reported while it is typed, and goes when it is fixed", function()
  open("app.lua")
  t.pause(300)
  t.equal(problems(), {})
  t.replace("fruit.name | uppercase", "fruit.nam | uppercase")
  t.eventually("a problem", function() return #problems() == 1 end)
  t.matches(problems()[1], "nam")
  t.matches(problems()[1], "did you mean \"name\"")
  local problem = vim.diagnostic.get(0)[1]
  t.equal(problem.lnum, 8)
  t.equal(problem.source, "tidelock")
  t.replace("fruit.nam ", "fruit.name ")
  t.eventually("no problem", function() return #problems() == 0 end)
end)

t.test("a mistake between modules is reported in the one that makes it", function()
  open("app.lua")
  t.replace("commands.ripen()", "commands.ripn()")
  t.eventually("a problem", function() return #problems() == 1 end)
  t.matches(problems()[1], "the module \"commands\" has no \"ripn\"")
end)

t.test("typing a path completes it, inside a string", function()
  local app = t.folder(files)
  local call, until_, close = typist(app .. "/app.lua")
  call("nvim_call_function", "search", { "fruit.name | upper" })
  call("nvim_input", "wea<BS><BS><BS><BS><C-x><C-o>")
  local words = until_("a menu", "map(complete_info().items, {_, item -> item.word})",
    function(value) return #value > 0 end)
  local line = call("nvim_get_current_line")
  close()
  t.contains(words, "name")
  t.contains(words, "price")
  t.matches(line, "fruit%.")
end)

t.test("CTRL-] jumps from a path to the property, and from a member to its module", function()
  local app = t.folder(files)
  local call, until_, close = typist(app .. "/app.lua")
  call("nvim_call_function", "search", { "fruit.name | upper" })
  call("nvim_input", "ww<C-]>")
  until_("the property", "line('.')", function(line) return line == 4 end)
  call("nvim_call_function", "search", { "commands.ripen" })
  call("nvim_input", "ww<C-]>")
  until_("the module", "expand('%:t')", function(name) return name == "commands.lua" end)
  local line = until_("the function", "getline('.')", function(text) return text ~= "" end)
  close()
  t.matches(line, "function commands%.ripen")
end)

t.test("a rename changes strings, Lua and specs, in all files", function()
  local app = open("app.lua")
  t.goTo("fruit.name | upper", 7)
  vim.lsp.buf.rename("label")
  t.eventually("the change", function() return t.text():find("fruit%.label | upper") end)
  t.matches(t.text(), "\n  label = \"apple\",")
  t.matches(t.text(), "<> fruit%.label\"")
  local function other(name)
    return t.eventually(name, function()
      local buffer = vim.fn.bufnr(app .. "/" .. name)
      return buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) and t.text(buffer)
    end)
  end
  t.matches(other("commands.lua"), "models%.fruit%.label = \"ripe \" %.%. models%.fruit%.label")
  t.matches(other("spec/app_spec.lua"), "models%.fruit%.label%)")
end)

t.test("references are found in strings, Lua and specs", function()
  open("app.lua")
  t.goTo("fruit.name | upper", 7)
  vim.lsp.buf.references()
  t.eventually("the list", function() return #vim.fn.getqflist() > 0 end)
  local names = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    names[vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ":t")] = true
  end
  t.equal(names, { ["app.lua"] = true, ["commands.lua"] = true, ["app_spec.lua"] = true })
end)

t.test("hover explains a name", function()
  open("app.lua")
  t.goTo("fruit.name | upper", 7)
  vim.lsp.buf.hover()
  local shown = t.eventually("a window", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return t.text(vim.api.nvim_win_get_buf(window))
      end
    end
  end)
  t.matches(shown, "string")
  t.matches(shown, "apple")
end)

t.test("a mistake has a quick fix", function()
  open("app.lua")
  t.replace("fruit.name | uppercase", "fruit.name | uppercas")
  t.eventually("a problem", function() return #problems() == 1 end)
  t.goTo("uppercas\"", 2)
  local client = t.attached()
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  -- As the server has sent it, which each version keeps in a different way.
  local problem = vim.diagnostic.get(0)[1]
  params.context = { diagnostics = { {
    range = {
      start = { line = problem.lnum, character = problem.col },
      ["end"] = { line = problem.end_lnum, character = problem.end_col },
    },
    message = problem.message, severity = problem.severity, source = problem.source,
    code = problem.user_data.lsp.code, data = problem.user_data.lsp.data,
  } } }
  local answer
  require("tidelock.client").request(client, "textDocument/codeAction", params,
    function(failure, actions) answer = actions or failure end, 0)
  t.eventually("actions", function() return answer end)
  t.eventually("a fix", function() return answer[1] and answer[1].edit end)
  vim.lsp.util.apply_workspace_edit(answer[1].edit, client.offset_encoding)
  t.matches(t.text(), "fruit%.name | uppercase\"")
end)

t.test("the lens of a test runs it", function()
  open("spec/app_spec.lua")
  local lens = t.eventually("a lens", function()
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      local command = lens.command
      if command and command.command == "tidelock.runTest" and lens.range.start.line == 1 then
        return lens
      end
    end
  end)
  t.goTo("it(")
  t.eventually("its title", function()
    return table.concat(t.virtualTexts()):find(lens.command.title, 1, true)
  end)
  vim.lsp.codelens.run()
  t.eventually("a success", function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.bo[buffer].buftype == "terminal" and t.text(buffer):find("1 success") then
        return true
      end
    end
  end)
end)

t.test("the bindings of a property are counted, and their lens lists them", function()
  open("app.lua")
  t.eventually("a lens", function()
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if lens.command and lens.command.command == "tidelock.showReferences"
        and lens.range.start.line == 3 then
        return lens.command.title:find("2")
      end
    end
  end)
  t.goTo("name = \"apple\"")
  vim.lsp.codelens.run()
  t.eventually("the list", function() return #vim.fn.getqflist() == 2 end)
end)

t.test("the preview has an address", function()
  local url
  open("app.lua", { preview = function(given) url = given end })
  vim.cmd("TidelockPreview")
  t.eventually("an address", function() return url end)
  t.matches(url, "^http://127%.0%.0%.1:%d+/")
end)

t.test("a server that is killed comes back and reports the same", function()
  open("app.lua")
  t.replace("fruit.name | uppercase", "fruit.nam | uppercase")
  t.eventually("a problem", function() return #problems() == 1 end)
  local process = vim.fn.systemlist({
    "pgrep", "-P", tostring(vim.fn.getpid()), "-x", vim.fn.fnamemodify(program, ":t"):sub(1, 15),
  })
  t.equal(#process, 1, "servers")
  vim.loop.kill(tonumber(process[1]), "sigkill")
  t.eventually("a restart", function()
    return t.messages[1] and t.messages[1]:find("is started again")
  end)
  t.attached()
  t.eventually("the problem", function() return #problems() == 1 end)
end)
