-- The configuration has the report written over a file of the person's.
-- file: .busted
-- expect: .busted names ../outside/made, which lies outside of the project
return { default = { output = 'junit', Xoutput = '../outside/made' } }
