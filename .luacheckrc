std = "lua54"
max_line_length = 100
exclude_files = { "build*", "**/node_modules" }
files["spec/**/*_spec.lua"] = { std = "+busted" }
files["spec/support"] = { std = "+busted" }
files["spec/bench/request.lua"] = { std = "luajit", globals = { "wrk", "init", "done" } }
files["scripts/examples/**/*_spec.lua"] = { std = "+busted" }
