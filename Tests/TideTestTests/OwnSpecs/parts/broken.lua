error "oops"
