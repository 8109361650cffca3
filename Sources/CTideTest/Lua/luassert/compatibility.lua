-- Differences between versions of Lua. Only one version is supported here, so little remains.

return { unpack = table.unpack }
