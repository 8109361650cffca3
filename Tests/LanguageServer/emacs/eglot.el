;; Eglot and the program, set up by the file that `tidelock new' writes. Each test prints a line.
(setq enable-local-variables :all
      eglot-sync-connect 20
      eglot-connect-timeout 40
      eglot-confirm-server-initiated-edits nil)
(require 'eglot)
(require 'lua-mode)
(require 'xref)

(defvar test-app (file-name-as-directory (getenv "TIDELOCK_APP")))
(defvar test-number 0)
(defvar test-failures 0)

(defun test-eventually (what holds)
  "Wait until HOLDS gives something, and give that; fail with WHAT if it does not in time."
  (let ((end (+ (float-time) 20)) value)
    (while (and (not (setq value (funcall holds))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or value (error "%s did not come in time" what))))

(defmacro test (name &rest body)
  `(progn
     (setq test-number (1+ test-number))
     (condition-case failure
         (progn ,@body (princ (format "ok %d - %s\n" test-number ,name)))
       (error
        (setq test-failures (1+ test-failures))
        (princ (format "not ok %d - %s\n  # %S\n" test-number ,name failure))))))

(defun test-go (text &optional into)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) (or into 0))))

(defun test-problems ()
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(find-file (concat test-app "app.lua"))

(test "the settings of the folder name the server, which starts"
  (apply #'eglot--connect (eglot--guess-contact))
  (test-eventually "the server" #'eglot-current-server)
  (unless (equal (plist-get (eglot--server-info (eglot-current-server)) :name) "tidelock")
    (error "another server: %S" (eglot--server-info (eglot-current-server)))))

(test "a mistake is reported, and goes when it is fixed"
  (test-go "fruit.name | upper" 10)
  (delete-char -1)
  (eglot--signal-textDocument/didChange)
  (test-eventually "a problem" (lambda () (flymake-start) (test-problems)))
  (unless (string-match-p "did you mean \"name\"" (car (test-problems)))
    (error "another problem: %S" (test-problems)))
  (insert "e")
  (eglot--signal-textDocument/didChange)
  (test-eventually "the end of the problem" (lambda () (flymake-start) (null (test-problems)))))

(test "a path completes inside a string"
  (test-go "fruit.name | upper" 10)
  (delete-char -4)
  (eglot--signal-textDocument/didChange)
  (let ((words (all-completions "" (nth 2 (eglot-completion-at-point)))))
    (insert "name")
    (eglot--signal-textDocument/didChange)
    (dolist (word '("name" "price"))
      (unless (seq-some (lambda (one) (string-prefix-p word (string-trim one))) words)
        (error "%s is not among %S" word words)))))

(test "a member leads to its module"
  (test-go "commands.ripen" 9)
  (let* ((found (car (xref-backend-definitions 'eglot "LSP identifier at point.")))
         (location (xref-item-location found)))
    (unless (string-suffix-p "commands.lua" (xref-location-group location))
      (error "another place: %S" location))))

(test "a rename changes strings, Lua and specs"
  ;; It asks before it changes files that nobody looks at.
  (dolist (name '("commands.lua" "spec/app_spec.lua"))
    (find-file-noselect (concat test-app name)))
  (test-go "fruit.name | upper" 6)
  (eglot-rename "label")
  (test-eventually "the change" (lambda () (test-go "fruit.label | upper") t))
  (with-current-buffer (find-file-noselect (concat test-app "commands.lua"))
    (test-go "models.fruit.label"))
  (with-current-buffer (find-file-noselect (concat test-app "spec/app_spec.lua"))
    (test-go "models.fruit.label")))

(princ (format "1..%d\n" test-number))
(dolist (buffer (buffer-list))
  (with-current-buffer buffer (set-buffer-modified-p nil)))
(kill-emacs (if (= test-failures 0) 0 1))
