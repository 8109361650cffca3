-- How values look in messages.

case [=[return assert:format({1,n=1})[1]]=] :gives [['(number) 1']]
case [=[return assert:format({1.0,n=1})[1]]=] :gives [['(number) 1.0']]
case [=[return assert:format({1.5,n=1})[1]]=] :gives [['(number) 1.5']]
case [=[return assert:format({0/0,n=1})[1]]=] :gives [['(number) NaN']]
case [=[return assert:format({-0.0,n=1})[1]]=] :gives [['(number) -0.0']]
case [=[return assert:format({1e15,n=1})[1]]=] :gives [['(number) 1000000000000000.0']]
case [=[return assert:format({1e16,n=1})[1]]=] :gives [['(number) 10000000000000000.0']]
case [=[return assert:format({1e100,n=1})[1]]=] :gives [['(number) 1.0000000000000000159e+100']]
case [=[return assert:format({2^53,n=1})[1]]=] :gives [['(number) 9007199254740992.0']]
case [=[return assert:format({2^63,n=1})[1]]=] :gives [['(number) 9223372036854775808.0']]
case [=[return assert:format({math.mininteger,n=1})[1]]=] :gives [['(number) -9223372036854775808']]
case [=[return assert:format({0.1,n=1})[1]]=] :gives [['(number) 0.10000000000000000555']]
case [=[return assert:format({1/3,n=1})[1]]=] :gives [['(number) 0.33333333333333331483']]
case [=[return assert:format({1e-5,n=1})[1]]=] :gives [['(number) 1.0000000000000000818e-05']]
case [=[return assert:format({-1/0,n=1})[1]]=] :gives [['(number) -Inf']]
case [=[return assert:format({123456789.125,n=1})[1]]=] :gives [['(number) 123456789.125']]
case [=[return assert:format({"a\nb",n=1})[1]]=] :gives [[
'(string) 'a
b'']]
case [=[return assert:format({"\0\1\255",n=1})[1]]=] :gives "'(string) '\0\1�''"
case [=[return assert:format({"it's",n=1})[1]]=] :gives [['(string) 'it's'']]
case [=[return assert:format({nil,n=1})[1]]=] :gives [['(nil)']]
case [=[return assert:format({true,n=1})[1]]=] :gives [['(boolean) true']]
case [=[return assert:format({print,n=1})[1]]=] :gives [['function: 0x… @ line -1 in =[C]']]
case [=[return assert:format({function() end,n=1})[1]]=] :gives [['function: 0x… @ line 1 in =case.lua']]
case [=[return assert:format({io.stdout,n=1})[1]]=] :gives [['(userdata) 'file (0x…)'']]
case [=[return assert:format({coroutine.create(print),n=1})[1]]=] :gives [['(thread) 'thread: 0x…'']]
case [=[return assert:format({{},n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({setmetatable({},{__tostring=function() return "TS" end}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({{setmetatable({1},{__tostring=function() return "TS" end})},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [1] = 1 } }']]
case [=[return assert:format({setmetatable({},{__tostring=function() return 5 end}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({setmetatable({},{__tostring=function() error("tt") end}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({setmetatable({},{__name="NM"}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({{["a b"]=1,["1"]=2,[1]=3},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 3
  [1] = 2
  [a b] = 1 }']]
case [=[return assert:format({{{{{{1}}}}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [1] = {
      [1] = { ... more } } } }']]
case [=[return assert:format({{{{{}}}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [1] = {
      [1] = { } } } }']]
case [=[return assert:format({{nil,2},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [2] = 2 }']]
case [=[return assert:format({{print,io.stdout},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = function: 0x…
  [2] = file (0x…) }']]
case [=[return assert:format({{f=1.5,i=10,n=0/0},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [f] = 1.5
  [i] = 10
  [n] = NaN }']]
case [=[return assert:format({setmetatable({},{__pairs=function() return next,{q=1} end}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({setmetatable({},{__index=function() error("x") end}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({string.rep("x",300),n=1})[1]]=] :gives [['(string) 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'']]
case [=[return assert:format({{b=1,a=2,[10]=3,[2]=4,[-1]=5,[true]=6,B=7,[0.5]=8,["10"]=9},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [-1] = 5
  [0.5] = 8
  [2] = 4
  [10] = 3
  [true] = 6
  [10] = 9
  [B] = 7
  [a] = 2
  [b] = 1 }']]
case [=[return assert:format({{a={},b={1}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [a] = { }
  [b] = {
    [1] = 1 } }']]
case [=[return assert:format({{[false]=1,[true]=2},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [true] = 2
  [false] = 1 }']]
case [=[local x={} x.x=x return assert:format({x,n=1})[1]]=] :gives [[
'(table: 0x…) {
  [x] = {
    [x] = {
      [x] = { ... more } } } }']]
case [[local x={} x.x=x assert:set_parameter("TableFormatShowRecursion",true) local r=assert:format({x,n=1})[1] assert:set_parameter("TableFormatShowRecursion",false) return r]] :gives [[
'(table: 0x…) {
  [x] = { ... recursive } }']]
case [[local x={1} assert:set_parameter("TableFormatShowRecursion",true) local r=assert:format({{x,x},n=1})[1] assert:set_parameter("TableFormatShowRecursion",false) return r]] :gives [[
'(table: 0x…) {
  [1] = {
    [1] = 1 }
  [2] = {
    [1] = 1 } }']]
case [[return assert:format({})]] :gives [[{}]]
case [[return assert:format({1,2})]] :gives [[{1='(number) 1', 2='(number) 2'}]]
case [[return assert:format({1,2,n=2,nofmt={[2]=true}})]] :gives [[{1='(number) 1', 2=2, n=2, nofmt={2=true}}]]
case [[return assert:format({{1,{2}},n=1,fmtargs={{crumbs={1,2}}}})]] :gives [[
{1='(table: 0x…) {
  [1] = 1
 *[2] = {
   *[1] = 2 } }', fmtargs={1={crumbs={1=1, 2=2}}}, n=1}]]
case [[return assert:format({1,n=3})]] :gives [[{1='(number) 1', 2='(nil)', 3='(nil)', n=3}]]
case [=[local s=assert:snapshot() local f=function(v) return "F" end assert:add_formatter(f) local r=assert:format({1,n=1})[1] s:revert() return r,assert:format({1,n=1})[1]]=] :gives [['F', '(number) 1']]
case [[assert:add_formatter(function(v) if type(v)=="number" then return 5 end end) local r=assert:format({1,n=1})[1] return r]] :gives [[5]]
case [=[return assert:format({setmetatable({},{__call=print}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({{function() end,x=io.stdout,[coroutine.create(print)]=1,[io.stdout]=2},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = function: 0x…
  [x] = file (0x…)
  [file (0x…)] = 2
  [thread: 0x…] = 1 }']]
case [=[return assert:format({{[1]={},[2]={1,{}}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = { }
  [2] = {
    [1] = 1
    [2] = { } } }']]
case [=[return assert:format({{[math.huge]=1,[-math.huge]=2,[2^53]=3,[1.25]=4},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [-Inf] = 2
  [1.25] = 4
  [9007199254740992] = 3
  [Inf] = 1 }']]
case [=[return assert:format({{[{}]=1,[print]=1,[io.stdout]=1,[coroutine.create(print)]=1},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [table: 0x…] = 1
  [function: 0x…] = 1
  [file (0x…)] = 1
  [thread: 0x…] = 1 }']]
case [=[return assert:format({{["new\nline"]=1,[""]=2,["a=b"]=3},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [] = 2
  [a=b] = 3
  [new
line] = 1 }']]
case [=[return assert:format({{nil,nil,3,n=3},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [3] = 3
  [n] = 3 }']]
case [=[local t={} for i=1,3 do t[i]={[i]=i} end return assert:format({t,n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [1] = 1 }
  [2] = {
    [2] = 2 }
  [3] = {
    [3] = 3 } }']]
case [=[local f=function(v) if type(v)=="number" then return "N" end end assert:add_formatter(f) local x=assert:format({1,n=1})[1] assert:remove_formatter(f) return x,assert:format({1,n=1})[1]]=] :gives [['N', '(number) 1']]
case [=[assert:add_formatter(function(v) if v==1 then return "first" end end) assert:add_formatter(function(v) if v==1 then return "second" end end) return assert:format({1,n=1})[1]]=] :gives [['second']]
case [=[return assert:format({{{},{{}},{{{}}}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = { }
  [2] = {
    [1] = { } }
  [3] = {
    [1] = {
      [1] = { } } } }']]
case [=[return assert:format({{[-1]="a",[0]="b",[1]="c"},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 'c'
  [-1] = 'a'
  [0] = 'b' }']]
case [=[return assert:format({{1,2,nil,4},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 1
  [2] = 2
  [4] = 4 }']]
case [=[return assert:format({{x=1,y={z={w={v=1}}}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [x] = 1
  [y] = {
    [z] = {
      [w] = { ... more } } } }']]
case [=[return assert:format({setmetatable({1},{__tostring=function() return "T" end}),n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 1 }']]
case [=[return assert:format({{true,false},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = true
  [2] = false }']]
case [=[return assert:format({{a=nil},n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({1e300*1e10,n=1})[1]]=] :gives [['(number) Inf']]
case [=[return assert:format({-(0/0),n=1})[1]]=] :gives [['(number) NaN']]
case [=[return assert:format({0x7fffffff,n=1})[1]]=] :gives [['(number) 2147483647']]
case [=[return assert:format({1e308,n=1})[1]]=] :gives [['(number) 1.000000000000000011e+308']]
case [=[return assert:format({5e-324,n=1})[1]]=] :gives [['(number) 4.9406564584124654418e-324']]
case [=[return assert:format({100,n=1})[1]]=] :gives [['(number) 100']]
case [=[return assert:format({-1,n=1})[1]]=] :gives [['(number) -1']]
case [=[return assert:format({1e2,n=1})[1]]=] :gives [['(number) 100.0']]
case [=[return assert:format({123456789012,n=1})[1]]=] :gives [['(number) 123456789012']]
case [=[return assert:format({'"',n=1})[1]]=] :gives [['(string) '"'']]
case "return assert:format({{[\"k\0z\"]=1},n=1})[1]" :gives "'(table: 0x…) {\n  [k\0z] = 1 }'"
case [=[return assert:format({{{n=3}},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [n] = 3 } }']]
case [=[return assert:format({{[1]=1,[3]=3},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 1
  [3] = 3 }']]
case [=[return assert:format({{"a","b",c="d",[10]="x"},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 'a'
  [2] = 'b'
  [10] = 'x'
  [c] = 'd' }']]
case [=[return assert:format({{[{1}]=1},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [table: 0x…] = 1 }']]
case [=[return assert:format({{print},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = function: 0x… }']]
case [=[return assert:format({setmetatable({},{__index=function(t,k) return 1 end}),n=1})[1]]=] :gives [['(table: 0x…) { }']]
case [=[return assert:format({string.rep("ab",10),n=1})[1]]=] :gives [['(string) 'abababababababababab'']]
case [=[return assert:format({{[""]=""},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [] = '' }']]
case [=[return assert:format({{1.0,2.5,-0.0},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = 1.0
  [2] = 2.5
  [3] = -0.0 }']]
