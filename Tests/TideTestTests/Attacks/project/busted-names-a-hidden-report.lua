-- The configuration has the report written over a hook of the person's.
-- file: .busted
-- expect: .busted names the hidden file .git/hooks/pre-commit for a report
return { default = { output = 'junit', Xoutput = '.git/hooks/pre-commit' } }
