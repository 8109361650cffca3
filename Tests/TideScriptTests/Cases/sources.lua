-- Files, programs and standard input, by their stubs.

local function tells(text, part)
  if not tostring(text):find(part, 1, true) then
    error(("expected text with %q, got %q"):format(part, tostring(text)), 2)
  end
end

case("files are read, written, listed and removed", function()
  file.stub { ["a.txt"] = "one", ["dir/b.txt"] = false }
  same(file.read("a.txt"), "one")
  same(file.exists("dir/b.txt"), false)
  file.write("dir/b.txt", "two")
  file.append("dir/b.txt", "!")
  same(file.read("dir/b.txt"), "two!")
  same(file.exists("dir/b.txt"), true)
  local info = file.info("dir/b.txt")
  same(info.kind, "file")
  same(info.size, 4)
  same(joined(file.list("dir")), "b.txt")
  file.remove("dir/b.txt")
  same(file.exists("dir/b.txt"), false)
end)

case("file.tail gives the last lines and follows", function()
  file.stub { ["log"] = "1\n2\n3\n4\n" }
  local s = file.tail("log", { lines = 2 })
  advance(1)
  same(joined(s), "3,4")
  file.append("log", "5\n6")
  advance(1)
  same(joined(s), "3,4,5")
  file.append("log", "\r\n")
  advance(1)
  same(joined(s), "3,4,5,6")
  file.write("log", "new\n")
  advance(1)
  same(joined(s), "3,4,5,6,new")
end)

case("file.lines ends with the file", function()
  file.stub { ["log"] = "1\n2\n3" }
  local s = file.lines("log", { limit = 2 })
  same(s.loading, true)
  advance(1)
  same(joined(s), "2,3")
  same(s.loading, false)
end)

case("file.watch follows a file", function()
  file.stub { ["a"] = "x" }
  local w = file.watch("a")
  same(w.text, "x")
  file.write("a", "yy")
  same(w.text, "yy")
  file.remove("a")
  same(w.exists, false)
  same(w.text, nil)
end)

case("a program gives its code and output", function()
  process.stub {
    ["git status"] = "clean",
    git = { code = 3, error = "no" },
    cat = function(arguments, input) return input:upper() end,
  }
  same(process.run("git", { "status" }).output, "clean")
  same(process.run("git", { "push" }).code, 3)
  same(process.run("git", { "push" }).error, "no")
  same(process.run("cat", {}, { input = "abc" }).output, "ABC")
end)

case("a program's lines are a stream that says why it ended", function()
  process.stub { tail = "a\nb\n", bad = { output = "x\n", error = "broken pipe", code = 2 } }
  local s = process.lines("tail")
  advance(1)
  same(joined(s), "a,b")
  same(s.error, nil)
  local bad = process.lines("bad")
  advance(1)
  same(joined(bad), "x")
  tells(bad.error, "code 2")
  tells(bad.error, "broken pipe")
end)

case("a program that was started is an object", function()
  process.stub { serve = { output = "ready\n", delay = 2, code = 1 } }
  local p = process.start("serve")
  same(p.running, true)
  local r = p:wait()
  same(r.code, 1)
  same(p.running, false)
  same(joined(p.output), "ready")
end)

case("standard input comes by line or whole", function()
  stdin.stub { "a", "b" }
  local s = stdin.lines()
  advance(1)
  same(joined(s), "a,b")
  same(s.loading, false)
  same(stdin.read(), "a\nb\n")
end)

case("a stub ends with its context", function()
  context("part", function() file.stub { x = "1" } end)
  same(file.read("x"), "1")
  context.clear("part")
  fails("no stub", function() file.read("x") end)
end)

case("a call without a stub says how to make one", function()
  fails("file.stub { [\"a.txt\"] = \"text\" }", function() file.read("a.txt") end)
  fails("write=DIR", function() file.write("a.txt", "") end)
  fails("process.stub { [\"ls -l\"] = \"output\" }", function() process.run("ls", { "-l" }) end)
  fails("stdin.stub", function() stdin.lines() end)
end)

case("wrong calls of sources are named", function()
  fails("string expected", function() file.read(1) end)
  fails("path", function() file.read("") end)
  fails("zeros", function() file.read("a\0b") end)
  fails("option \"lmit\"", function() file.lines("a", { lmit = 1 }) end)
  fails("arguments", function() process.run("ls", { true }) end)
  fails("timeout", function() process.run("ls", {}, { timeout = 0 }) end)
  fails("environment", function() process.run("ls", {}, { environment = { ["a=b"] = "c" } }) end)
end)

case("sources wait, and say where they cannot", function()
  file.stub { a = "x" }
  local c = object { v = computed(function() return file.read("a") end) }
  fails("has to wait", function() return c.v end)
end)

case("a server's response has a status, headers, a body and JSON", function()
  http.stub {
    ["http://x.org/a"] = { status = 201, json = { n = { 1, 2 } }, headers = { ["X-Fruit"] = "fig" } },
    ["http://x.org/text"] = "plain",
    ["http://x.org/bad"] = "<html>",
  }
  local r = http.get("http://x.org/a")
  same(r.status, 201)
  same(r.headers["x-fruit"], "fig")
  same(r.json.n[2], 2)
  same(r.url, "http://x.org/a")
  same(http.get("http://x.org/text").body, "plain")
  fails("http://x.org/bad", function() return http.get("http://x.org/bad").json end)
  fails("is not JSON", function() return http.get("http://x.org/bad").json end)
end)

case("requests have bodies, headers and queries", function()
  local seen = {}
  http.stub { ["POST http://x.org/*"] = function(request) seen[#seen + 1] = request return "ok" end }
  http.post("http://x.org/a", { json = { b = 1 } })
  http.post("http://x.org/a", { form = { name = "a b&c", n = 1 }, query = { q = "ä" } })
  http.request { method = "post", url = "http://x.org/a", body = "raw", headers = { ["X-A"] = 1 } }
  same(seen[1].body, '{"b":1}')
  same(seen[1].headers["content-type"], "application/json")
  same(seen[2].body, "n=1&name=a%20b%26c")
  same(seen[2].url, "http://x.org/a?q=%C3%A4")
  same(seen[3].body, "raw")
  same(seen[3].headers["x-a"], "1")
  fails("one of the options", function() http.post("http://x.org/a", { json = 1, body = "" }) end)
end)

case("a response may be late or fail", function()
  http.stub {
    ["http://x.org/slow"] = { delay = 5, body = "late" },
    ["http://x.org/down"] = { error = "connection refused" },
  }
  local slow = resource(function() return http.get("http://x.org/slow").body end)
  local down = resource(function() return http.get("http://x.org/down").body end)
  local short = resource(function() return http.get("http://x.org/slow", { timeout = 2 }).body end)
  advance(3)
  tells(down.error, "connection refused")
  tells(short.error, "2")
  same(slow.loading, true)
  advance(2)
  same(slow.value, "late")
  same(#errors(), 0)
end)

case("lines of a response are a stream, and so are events", function()
  http.stub {
    ["http://x.org/log"] = "a\nb\n",
    ["http://x.org/events"] = {
      headers = { ["Content-Type"] = "text/event-stream" },
      body = ": hello\n\nevent: add\nid: 7\ndata: one\ndata: two\n\ndata: x\n\n",
    },
    ["http://x.org/none"] = { status = 404 },
  }
  local log, events, none =
    http.lines("http://x.org/log"), http.lines("http://x.org/events"), http.lines("http://x.org/none")
  advance(1)
  same(joined(log), "a,b")
  same(log.loading, false)
  same(#events, 2)
  same(events[1].event, "add")
  same(events[1].data, "one\ntwo")
  same(events[1].id, "7")
  same(events[2].event, "message")
  tells(none.error, "404")
end)

case("what stands in an event is read by bytes", function()
  http.stub {
    ["http://x.org/events"] = {
      headers = { ["Content-Type"] = "text/event-stream" },
      body = "data:\u{301}a\n\ndata: \u{301}b\n\ndata\ndata:c\n\nid:\u{301}\ndata::\n\ndata2: no\n\n",
    },
  }
  local events = http.lines("http://x.org/events")
  advance(1)
  same(#events, 4)
  same(events[1].data, "\u{301}a")
  same(events[2].data, "\u{301}b")
  same(events[3].data, "\nc")
  same(events[4].data, ":")
  same(events[4].id, "\u{301}")
end)

case("addresses that are none are errors at the call", function()
  fails("http://", function() http.get("ftp://x.org/") end)
  fails("names no server", function() http.get("http:///a") end)
  fails("port", function() http.get("http://x.org:0/") end)
  fails("has no stub", function() http.get("http://x.org/") end)
  fails("option \"jsn\"", function() http.get("http://x.org/", { jsn = 1 }) end)
end)
