-- The connection to the inspected app: sends requests, and receives their answers later.
--
--   link.ask({ ask = "children", node = "models" }, function(items) … end)
--   link.onEvent.changed = function() … end

local link = { onEvent = {} }
local waiting = {}

-- The app's name and state, and the error of the last request.
local state = model "link" { name = "", problem = "", isAlive = true }

-- Sends a request to the app. `use` receives the items of the answer; `refused`, if given, receives
-- an error.
function link.ask(question, use, refused)
  question.kind = "inspect"
  local number = inspectorAsk(json.encode(question))
  waiting[number] = { use = use, refused = refused }
end

local function answer(message)
  local question = waiting[message.id]
  if not question then return end
  waiting[message.id] = nil
  if message.error then
    if question.refused then return question.refused(message.error) end
    state.problem = message.error
    return
  end
  local items = {}
  for index, text in ipairs(message.items or {}) do items[index] = json.decode(text) end
  if question.use then question.use(items) end
end

local function take(message)
  if message.kind == "inspection" then return answer(message) end
  if message.kind == "hello" then
    state.name, state.problem, state.isAlive = message.name or "", "", true
    -- Answers of the previous app are ignored.
    waiting = {}
  end
  if message.kind == "ended" then
    state.isAlive = false
    state.problem = message.text or "The app has ended."
  end
  local handler = link.onEvent[message.kind]
  if handler then handler(message) end
end

observe(models.inspectorWire, "arrived", function()
  for _, text in ipairs(inspectorMessages()) do take(json.decode(text)) end
end, { initial = true })

return link
