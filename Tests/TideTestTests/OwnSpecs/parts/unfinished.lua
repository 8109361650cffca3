return {{ = }
