-- The same by a link that leads to a hidden folder of the project.
-- file: .busted
-- link: hooks .git/hooks
-- expect: .busted names hooks/pre-commit, which lies outside of the project
return { default = { output = 'junit', Xoutput = 'hooks/pre-commit' } }
