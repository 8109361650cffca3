-- What the book begins with, so that there is something to see.
return [[
2026-01-03,Home,850.00,Rent
2026-01-09,Food,64.20,Market
2026-01-17,Transport,49.00,Ticket
2026-01-24,Fun,31.50,Concert
2026-02-02,Home,850.00,Rent
2026-02-06,Food,71.85,Market
2026-02-14,Fun,88.00,"Sushi, tea"
2026-02-17,Transport,49.00,Ticket
2026-02-25,Health,22.40,Pharmacy
2026-03-02,Home,865.00,Rent
2026-03-05,Food,58.30,Market
2026-03-11,Other,120.00,Desk lamp
2026-03-17,Transport,49.00,Ticket
2026-03-20,Food,12.75,Bakery
]]
