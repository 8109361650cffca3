-- A loop without any call.
-- expect: time
::again::
goto again
