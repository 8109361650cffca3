-- Validators that give what does not fit.
-- expect: fine
for _, result in ipairs { {}, print, "x", true, 0 / 0 } do
  local C = class "C" { n = property { default = 0, type = "integer", validate = function() return result end } }
  pcall(function() C {}.n = 1 end)
end
