-- A helper that hears of each test, and never comes back.
-- file: helper.lua
-- arguments: --helper helper.lua --timeout 1
-- expect: 1 success
-- expect: it ran for more than 1 second
require 'busted'.subscribe({ 'test', 'start' }, function() while true do end end)
