-- What differs between versions of Lua. There is one here, so little is left.

return { unpack = table.unpack }
