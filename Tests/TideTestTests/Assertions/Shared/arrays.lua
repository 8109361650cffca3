-- `array` and `holes`.

case [[assert.array({1,2}).has.holes()]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({1,nil,3}).has.no.holes()]] :fails [[
Expected array to not have holes, hole found at position: (number) 2
]]
case [[assert.array({1,2}).has.no.holes(5)]] :fails [[
Expected array to not have holes, hole found at position: (number) 3
]]
case [[assert.array().has.holes()]] :fails [[No array provided to the array-modifier]]
case [[assert.has.holes()]] :fails [[No array set, please use the array modifier to set the array to validate]]
case [[assert.array({}).has.holes("x")]] :fails [[expected array length to be of type 'number', got: x]]
case [[return assert.array({1,nil,3}).has.holes()]] :gives [[2]]
case [[assert.array({1}).array({}).has.holes()]] :fails [[Array already set]]
case [[assert.array({1,[4]=1}).has.no.holes()]] :fails [[
Expected array to not have holes, hole found at position: (number) 2
]]
case [[assert.array({a=1}).has.no.holes()]] :gives [[]]
case [[assert.array({[1.5]=1}).has.no.holes()]] :gives [[]]
case [[assert.array({1,2}).has.holes(2,"m")]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({1,2}).has.holes("m")]] :fails [[expected array length to be of type 'number', got: m]]
case [[assert.array({1,2},"m").has.holes()]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({1,nil,3}).has.no.holes(3)]] :fails [[
Expected array to not have holes, hole found at position: (number) 2
]]
case [[assert.array({1,nil,3}).has.no.holes(1)]] :gives [[]]
case [[assert.array({[0]=1}).has.holes()]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({[-1]=1}).has.holes()]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({nil,2}).has.no.holes()]] :fails [[
Expected array to not have holes, hole found at position: (number) 1
]]
case [[assert.message("hi").array({}).has.holes()]] :fails [[
hi
Expected array to have holes, but none was found.
]]
case [[return assert.array({1,nil,3}).holes()]] :gives [[2]]
case [[return assert.array({1,2}).has.no.holes()]] :gives [[]]
case [[return assert.array({1,2}).has.no.holes(2)]] :gives [[]]
case [[assert.array({1,2}).has.holes(nil)]] :fails [[
Expected array to have holes, but none was found.
]]
case [[return assert.array({1,2}).has.holes(5)]] :gives [[3]]
case [[return assert.array({1,2}).has.no.holes(-1)]] :gives [[]]
case [[assert.array({}).has.holes()]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({}).has.no.holes()]] :gives [[]]
case [[assert.array({1,2,nil,4}).has.holes()]] :gives [[]]
case [[assert.array({1,2,nil,4}).has.no.holes()]] :fails [[
Expected array to not have holes, hole found at position: (number) 3
]]
case [[assert.array({nil}).has.no.holes(1)]] :fails [[
Expected array to not have holes, hole found at position: (number) 1
]]
case [[assert.array({false}).has.no.holes()]] :gives [[]]
case [[assert.array(setmetatable({},{__index=function() return 1 end})).has.no.holes(3)]] :gives [[]]
case [[assert.is.array({1}).holes()]] :fails [[
Expected array to have holes, but none was found.
]]
case [[assert.array({1}).is_true(true)]] :gives [[]]
case [[assert.array({1,2}).has.no.holes(0)]] :gives [[]]
case [[assert.array({1,nil,3}).has.holes(3)]] :gives [[]]
