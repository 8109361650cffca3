-- Sums over entries.

local calendar = require "calendar"

local report = {}

local function sums(entries, keyOf)
  local sum, keys = {}, {}
  for _, entry in ipairs(entries) do
    local key = keyOf(entry)
    if not sum[key] then keys[#keys + 1] = key end
    sum[key] = (sum[key] or 0) + entry.amount
  end
  return sum, keys
end

--- The last twelve months in which something was spent, in order: rows with `month` and `amount`.
function report.byMonth(entries, start)
  local sum, months = sums(entries, function(entry) return calendar.month(entry.date, start) end)
  table.sort(months)
  local rows = {}
  for index = math.max(1, #months - 11), #months do
    rows[#rows + 1] = { month = months[index], amount = sum[months[index]] }
  end
  return rows
end

--- The categories, the most expensive first: rows with `category`, `amount` and `share` of all.
function report.byCategory(entries)
  local sum, categories = sums(entries, function(entry) return entry.category end)
  table.sort(categories, function(a, b)
    if sum[a] ~= sum[b] then return sum[a] > sum[b] end
    return a < b
  end)
  local total, rows = report.total(entries), {}
  for index, category in ipairs(categories) do
    rows[index] = { category = category, amount = sum[category],
      share = total ~= 0 and sum[category] / total or 0 }
  end
  return rows
end

function report.total(entries)
  local total = 0
  for _, entry in ipairs(entries) do total = total + entry.amount end
  return total
end

return report
