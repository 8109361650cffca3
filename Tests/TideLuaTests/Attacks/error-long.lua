-- An error with a long text and a long chunk name.
-- expect: error "xxxx"
load("error(('x'):rep(4 << 20))", ("name"):rep(100000))()
