local Counter = class "Counter" { count = 0 }
return { counter = Counter {} }
