-- The configuration gives its specs a day.
-- file: .busted
-- expect: .busted asks for timeout (more than 10 seconds), repeat (more than 100), enable-sound
return { default = { timeout = 86400, ['repeat'] = 1000000, ['enable-sound'] = true } }
