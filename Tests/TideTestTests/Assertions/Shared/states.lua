-- Snapshots, parameters and formatters.

case [[return assert:get_parameter("TableFormatLevel")]] :gives [[3]]
case [[return assert:get_parameter("TableErrorHighlightCharacter")]] :gives [['*']]
case [[return assert:get_parameter("TableErrorHighlightColor")]] :gives [['none']]
case [[return assert:get_parameter("TableFormatShowRecursion")]] :gives [[false]]
case [[return assert:get_parameter("TableFormatMaxDepth")]] :gives [[nil]]
case [[return assert:get_parameter("SpyUseRefs")]] :gives [[nil]]
case [[return assert:get_parameter("x")]] :gives [[nil]]
case [[assert:set_parameter(1,1)]] :gives [[]]
case [[return assert:get_parameter()]] :gives [[nil]]
case [[assert:set_parameter("x",1) return assert:get_parameter("x")]] :gives [[1]]
case [[assert:set_parameter("x",nil) return assert:get_parameter("x")]] :gives [[nil]]
case [[assert.set_parameter("x",1)]] :gives [[]]
case [[assert:remove_formatter(1)]] :gives [[]]
case [[assert:remove_formatter()]] :gives [[]]
case [[local s=assert:snapshot() s:revert() s:revert()]] :fails [[Value provided is not a valid snapshot]]
case [[local s=assert:snapshot() local s2=assert:snapshot() s:revert() s2:revert() return s2]] :fails [[Value provided is not a valid snapshot]]
case [[assert:set_parameter("TableErrorHighlightColor","red") assert.same({1},{2})]] :fails "Expected objects to be the same.\nPassed in:\n(table: 0x…) {\n \27[31m*\27[0m[1] = 2 }\nExpected:\n(table: 0x…) {\n \27[31m*\27[0m[1] = 1 }"
case [[assert:set_parameter("TableErrorHighlightColor","none") assert:set_parameter("TableErrorHighlightCharacter","*****") assert.same({1},{2})]] :fails(not_same([[
(table: 0x…) {
*****[1] = 2 }]], [[
(table: 0x…) {
*****[1] = 1 }]]))
case [[assert:set_parameter("TableErrorHighlightCharacter","") assert.same({1},{2})]] :fails(not_same([[
(table: 0x…) {
  [1] = 2 }]], [[
(table: 0x…) {
  [1] = 1 }]]))
case [[assert:set_parameter("TableErrorHighlightCharacter","*")]] :gives [[]]
case [[assert:set_parameter("TableFormatLevel",3)]] :gives [[]]
case [[assert:set_parameter("TableFormatLevel",-1) assert.same({{{{{1}}}}},{{{{{2}}}}})]] :fails(not_same([[
(table: 0x…) {
 *[1] = {
   *[1] = {
     *[1] = {
       *[1] = {
         *[1] = 2 } } } } }]], [[
(table: 0x…) {
 *[1] = {
   *[1] = {
     *[1] = {
       *[1] = {
         *[1] = 1 } } } } }]]))
case [[assert:set_parameter("TableErrorHighlightCharacter","->") assert.same({{1}},{{2}})]] :fails(not_same([[
(table: 0x…) {
->[1] = {
  ->[1] = 2 } }]], [[
(table: 0x…) {
->[1] = {
  ->[1] = 1 } }]]))
case [[assert:set_parameter("TableErrorHighlightColor","green") assert.same({{1}},{{2}})]] :fails "Expected objects to be the same.\nPassed in:\n(table: 0x…) {\n \27[32m*\27[0m[1] = {\n   \27[32m*\27[0m[1] = 2 } }\nExpected:\n(table: 0x…) {\n \27[32m*\27[0m[1] = {\n   \27[32m*\27[0m[1] = 1 } }"
case [[assert:set_parameter("TableFormatShowRecursion",true) local x={} x.x=x assert.same(x,{1})]] :fails(not_same([[
(table: 0x…) {
  [1] = 1 }]], [[
(table: 0x…) {
 *[x] = { ... recursive } }]]))
case [[local s=assert:snapshot() assert:set_parameter("p",1) local p=assert:get_parameter("p") s:revert() return p,assert:get_parameter("p")]] :gives [[1, nil]]
case [[local s=assert:snapshot() assert:set_parameter("TableFormatLevel",nil) s:revert() return assert:get_parameter("TableFormatLevel")]] :gives [[3]]
case [[local s1=assert:snapshot() local s2=assert:snapshot() assert:set_parameter("p",2) s1:revert() return assert:get_parameter("p"),s1.next]] :gives [[nil, nil]]
case [[assert:add_formatter(function(v) if v==1 then return "ONE" end end) assert.same(1,2)]] :fails(not_same("(number) 2", "ONE"))
case [[assert:add_formatter(function(v) error("fmt") end) assert.same(1,2)]] :fails [[fmt]]
case [[assert:add_formatter(function(v) if v==1 then return "ONE" end end) assert.same({1},{2})]] :fails(not_same([[
(table: 0x…) {
 *[1] = 2 }]], [[
(table: 0x…) {
 *[1] = 1 }]]))
case [[assert:add_formatter(require"luassert.formatters.binarystring") assert.same("ab","cd")]] :fails(not_same([[
Binary string length; 2 bytes
63 64                                              cd               
]], [[
Binary string length; 2 bytes
61 62                                              ab               
]]))
case [[assert:set_parameter("x",false) return assert:get_parameter("x")]] :gives [[false]]
