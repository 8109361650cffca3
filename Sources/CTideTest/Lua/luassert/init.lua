-- luassert: the module that specs require. Its contents are in `luassert.assert`.

return require "luassert.assert"
