--- preview: a text that somebody types into an editor that shows the app
-- entered: preview

--- preview-computed: a computed property of a view in such a text
-- entered: preview
show(view.label { text = function() step() return "computed" end })

--- preview-task: a task of such a text
-- entered: preview
spawn(step)
