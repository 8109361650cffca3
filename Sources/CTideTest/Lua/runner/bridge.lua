-- Publishes the host's events to subscribers of `busted`. Elements are tables; all events of a
-- block or test pass the same one.

local events = require 'tidelock.test.events'
local bridge = {}
local root, elements, parents, children

function bridge.clear()
  root = { descriptor = 'suite', attributes = {} }
  elements, parents, children = {}, {}, {}
end
bridge.clear()

local function element_of(node)
  if not node then return end
  local element = elements[node.id]
  if not element then
    element = { attributes = {} }
    elements[node.id] = element
    local parent = elements[node.parent] or node.hasParent and root or nil
    parents[element] = parent
    if parent then
      children[parent] = children[parent] or {}
      table.insert(children[parent], element)
    end
  end
  element.descriptor, element.name, element.trace = node.descriptor, node.name, node.trace
  element.starttime, element.starttick = node.start, node.start
  if node.duration then
    element.duration = node.duration
    element.endtime, element.endtick = node.start + node.duration, node.start + node.duration
  end
  local parent = parents[element]
  if parent then parent.randomseed = node.seed end
  return element
end

--- Publishes an event of a file, block, hook or test.
function bridge.tell(first, second, node, ...)
  local element = element_of(node)
  events.publish({ first, second }, element, parents[element], ...)
end

--- Publishes the start or the end of a run.
function bridge.suite(what, number, total, seed, time, duration)
  if what == 'start' then
    root.starttime, root.starttick = time, time
  elseif what == 'end' then
    root.duration = duration
    root.endtime, root.endtick = root.starttime + duration, root.starttime + duration
  end
  events.publish({ 'suite', what }, root, number, total, seed)
end

function bridge.exit() events.publish { 'exit' } end

function bridge.parent(element) return parents[element] end

function bridge.children(element) return children[element or root] or {} end

return bridge
