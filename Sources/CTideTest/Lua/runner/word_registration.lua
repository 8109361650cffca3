-- Calls the function that the module of `--helper` returns, with an object that registers words,
-- the name of the module, and the module's options.

local fn, name, options = ...
local busted = require 'busted'
local words = require 'tidelock.test.words'

local core = {
  executors = words.words,
  status = require 'busted.status',
  export = words.export,
  exportApi = words.export,
}

function core.register(alias, word)
  if type(word) == 'string' and words.alias(alias, word) then return end
  error(('register(%q, …) takes the name of a word that it is to be another name of'):format(alias), 2)
end

local result, reason = fn(setmetatable(core, { __index = busted }), name, options)
if result == false or result == nil and reason ~= nil then error(reason or 'it gave false', 0) end
