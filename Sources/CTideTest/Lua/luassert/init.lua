-- luassert: the module that specs require. What it is stands in `luassert.assert`.

return require "luassert.assert"
