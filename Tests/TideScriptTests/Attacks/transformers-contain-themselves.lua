-- Lists of transformers that contain themselves, or the same list a million times.
-- expect: fine
local from, to = object { n = 1 }, object { n = 0 }
local loop = {}
loop[1] = loop
local many = { function(value) return value end }
for _ = 1, 19 do many = { many, many } end
for _, transformers in ipairs { loop, { "upper", loop }, many } do
  for _, make in ipairs {
    function() return ref(from, "n", transformers) end,
    function() return bind(from, "n", to, "n", { transform = transformers }) end,
  } do
    local made, message = pcall(make)
    assert(not made and tostring(message):find "transformers", tostring(message))
  end
end
