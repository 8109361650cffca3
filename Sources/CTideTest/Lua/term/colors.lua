-- Colours: a colour is called with a text, or put before one.
--
--   colors.red("failed")
--   colors.bright .. "42" .. colors.reset

local codes = {
  reset = 0, clear = 0, default = 0, bright = 1, dim = 2, underscore = 4, blink = 5,
  reverse = 7, hidden = 8,
  black = 30, red = 31, green = 32, yellow = 33, blue = 34, magenta = 35, cyan = 36, white = 37,
  onblack = 40, onred = 41, ongreen = 42, onyellow = 43, onblue = 44, onmagenta = 45,
  oncyan = 46, onwhite = 47,
}

local Color = {}

function Color:__tostring()
  return self.value
end

function Color.__concat(a, b)
  return tostring(a) .. tostring(b)
end

function Color:__call(text)
  return tostring(self) .. text .. "\27[0m"
end

local colors = {}
for name, code in pairs(codes) do
  colors[name] = setmetatable({ value = ("\27[%dm"):format(code) }, Color)
end

return colors
