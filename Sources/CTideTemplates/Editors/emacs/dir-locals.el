;; Tidelock's language server for Eglot, which runs one server for a buffer. `M-x eglot' starts it.
((nil . ((project-vc-extra-root-markers . (".tidelock"))
         (eglot-server-programs . (((lua-mode lua-ts-mode) . ("tidelock" "lsp")))))))
