-- Small modules that output handlers and helpers of specs require.

case [[local s=require"busted.status"("success") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['success', true, false, false, false, 'success']]
case [[local s=require"busted.status"("failure") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['failure', false, false, true, false, 'failure']]
case [[local s=require"busted.status"("error") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['error', false, false, false, true, 'error']]
case [[local s=require"busted.status"("pending") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['pending', false, true, false, false, 'pending']]
case [[local s=require"busted.status"("true") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['success', true, false, false, false, 'success']]
case [[local s=require"busted.status"("false") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['failure', false, false, true, false, 'failure']]
case [[local s=require"busted.status"("odd") return s:get(),s:success(),s:pending(),s:failure(),s:error(),tostring(s)]] :gives [['error', false, false, false, true, 'error']]
case [[local s=require"busted.status"(true) return s:get(),require"busted.status"(false):get(),require"busted.status"():get()]] :gives [['success', 'failure', 'error']]
case [[local r={} for i,y in ipairs{"success","failure","error","pending"} do local s=require"busted.status"("success") s:update(y) r[i]=s:get() end return table.concat(r," ")]] :gives [['success failure error pending']]
case [[local r={} for i,y in ipairs{"success","failure","error","pending"} do local s=require"busted.status"("failure") s:update(y) r[i]=s:get() end return table.concat(r," ")]] :gives [['failure failure failure failure']]
case [[local r={} for i,y in ipairs{"success","failure","error","pending"} do local s=require"busted.status"("error") s:update(y) r[i]=s:get() end return table.concat(r," ")]] :gives [['error error error error']]
case [[local r={} for i,y in ipairs{"success","failure","error","pending"} do local s=require"busted.status"("pending") s:update(y) r[i]=s:get() end return table.concat(r," ")]] :gives [['pending failure error pending']]
case [[local s=require"busted.status"("success") s:set("failure") return s:get()]] :gives [['failure']]
case [[local s=require"busted.status"("error") s:set("success") return s:get()]] :gives [['success']]
case [[return require"busted.utils".split("a,b,,c",",")]] :gives [[{1='a', 2='b', 3='', 4='c'}]]
case [[return require"busted.utils".split("",",")]] :gives [[{}]]
case [[return require"busted.utils".split("a b  c")]] :gives [[{1='a', 2='b', 3='c'}]]
case [[return require"busted.utils".split("a.b","%.")]] :gives [[{1='a', 2='b'}]]
case [[return require"busted.utils".split(",a,",",")]] :gives [[{1='', 2='a'}]]
case [[return require"busted.utils".split("a b","%s+")]] :gives [[{1='a', 2='b'}]]
case [[return require"busted.utils".split(nil,",")]] :fails [[argument 1 expected a 'string', got a 'nil']]
case [[return require"busted.utils".split("abc",",")]] :gives [[{1='abc'}]]
case [[return require"busted.utils".split("a,",",")]] :gives [[{1='a'}]]
case [[return require"busted.utils".split("one\ntwo","\n")]] :gives [[{1='one', 2='two'}]]
case [[return table.concat(require"busted.utils".shuffle({1,2,3,4,5,6,7,8},42)," ")]] :gives [['8 5 3 1 7 4 2 6']]
case [[return require"busted.utils".shuffle({},1)]] :gives [[{}]]
case [[return type(require"busted.utils".urandom())]] :gives [['number']]
case [[local u=require"busted.utils" local a,b=u.shuffle({1,2,3,4,5},7),u.shuffle({1,2,3,4,5},7) return table.concat(a)==table.concat(b)]] :gives [[true]]
case [[local c=require"busted.compatibility" return c.unpack({1,2,3},2)]] :gives [[2, 3]]
case [[local c=require"busted.compatibility" return c.loadstring("return 5")()]] :gives [[5]]
case [[local c=require"busted.compatibility" return c.loadstring("return +","=n")]] :gives [[nil, 'n:1: unexpected symbol near '+'']]
case [[local c=require"busted.compatibility" local f=function() return zz end c.setfenv(f,{zz=5}) return f()]] :gives [[5]]
case [[local c=require"busted.compatibility" local f=function() return zz end local g=function() return zz end c.setfenv(f,{zz=5}) return f(),g()]] :gives [[5, nil]]
case [[local c=require"busted.compatibility" local e={zz=1} local f=c.setfenv(function() return zz end,e) return c.getfenv(f)==e]] :gives [[true]]
case [[local c=require"busted.compatibility" return c.setfenv(string.rep,{})==string.rep]] :gives [[true]]
case [[local c=require"busted.compatibility" return c.execute("true")]] :gives [[true, 0]]
case [[local c=require"busted.compatibility" return c.execute("exit 3")]] :gives [[false, 3]]
case [[local f=require"busted.fixtures" return f.path("/a/./b/../c.txt")]] :gives [['/a/c.txt']]
case [[local f=require"busted.fixtures" return f.read(5)]] :fails [[bad argument to 'read' expected a string (relative filename), got: number]]
case [[local f=require"busted.fixtures" return f.read("/no/such/file")]] :fails [[Error reading file '/no/such/file': /no/such/file: No such file or directory]]
case [[local f=require"busted.fixtures" return f.load(5)]] :fails [[bad argument to 'load' expected a string (relative filename), got: number]]
case [[local f=require"busted.fixtures" return f.path(5)]] :fails [[bad argument to 'path' expected a string (relative filename) or nil, got: number]]
case [[require"busted.languages.en" return say("output.success_plural"),say("output.pending_zero"),say("output.error_single"),say("output.failure_plural")]] :gives [['successes', 'pending', 'error', 'failures']]
case [[require"busted.languages.en" return say("output.no_test_files_match",{"_spec"})]] :gives [[nil]]
case [[local c=require"term.colors" return c.red("x"),c.bright(c.green("y")),tostring(c.reset),c.blue.."z"..c.reset]] :gives "'\27[31mx\27[0m', '\27[1m\27[32my\27[0m\27[0m', '\27[0m', '\27[34mz\27[0m'"
case [[return require"term".colors.cyan("x")]] :gives "'\27[36mx\27[0m'"
case [[return require"term".isatty(io.tmpfile())]] :gives [[false]]
case [[return require"pl.pretty".write({a=1,b={1,2}},"")]] :gives [['{a=1,b={1,2}}']]
case [[return require"pl.pretty".write({1,2,a=1},"")]] :gives [['{1,2,a=1}']]
case [[return require"pl.pretty".write({a={1,{2}}},"    ")]] :gives [[
'{
    a = {
        1,
        {
            2
        }
    }
}']]
case [[return require"pl.pretty".write({["1"]=1})]] :gives [[
'{
  ["1"] = 1
}']]
case [[return require"pl.pretty".write("a\nb")]] :gives [=[
'[[a
b]]']=]
case [[return require"pl.pretty".write({"a\nb"})]] :gives [=[
'{
  [[a
b]]
}']=]
case [[return require"pl.pretty".write({"it's \"q\""})]] :gives [[
'{
  "it's \"q\""
}']]
case [[return require"pl.pretty".write({math.huge,0/0,1.0,0.1})]] :gives [[
'{
  Inf,
  NaN,
  1,
  0.1
}']]
case [[return require"pl.pretty".write({[true]=1,[false]=2})]] :gives [[
'{
  ["false"] = 2,
  ["true"] = 1
}']]
case [[return require"pl.pretty".write({nil,2})]] :gives [[
'{
  [2] = 2
}']]
case [[return require"pl.pretty".write({b=1,a=2,[10]=3})]] :gives [[
'{
  a = 2,
  b = 1,
  [10] = 3
}']]
case [[return require"pl.pretty".write({a=1},"  ",true)]] :gives [[
'{
  ["a"] = 1
}']]
case [[return require"pl.pretty".write({["a-b"]=1,["end"]=1,_x=1})]] :gives [[
'{
  _x = 1,
  ["a-b"] = 1,
  ["end"] = 1
}']]
case [[return require"pl.pretty".write({{},{{}}})]] :gives [[
'{
  {
  },
  {
    {
    }
  }
}']]
case [[return require"pl.pretty".write({code=1,message="boom"})]] :gives [[
'{
  code = 1,
  message = "boom"
}']]
case [[return require"pl.pretty".write(setmetatable({},{__tostring=error}))]] :gives [[
'{
}']]
case [=[return require"pl.pretty".write({"]]"})]=] :gives [==[
'{
  [=[]]]=]
}']==]
case [[local x={} x.x=x return require"pl.pretty".write(x)]] :gives [[
'{
  x = <cycle>
}']]
case [[local x={1} return require"pl.pretty".write({x,x})]] :gives [[
'{
  {
    1
  },
  {
    1
  }
}']]
