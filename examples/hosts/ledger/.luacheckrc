-- What the program gives to the scripts, for `tidelock check` and editors.
read_globals = { "pay" }
