# Writes OUT: the table of methods, a row a file of FILES: tools-call.c is "tools/call" and defines
# `const struct method method_tools_call`.
set(names "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  list(APPEND names ${name})
endforeach()
list(SORT names)
set(declarations "")
set(rows "")
foreach(name IN LISTS names)
  string(REPLACE "-" "/" method ${name})
  string(REPLACE "-" "_" symbol ${name})
  string(APPEND declarations "extern const struct method method_${symbol};\n")
  string(APPEND rows "    {BYTES_INIT(\"${method}\"), &method_${symbol}},\n")
endforeach()
file(WRITE ${OUT} "#include \"methods/method.h\"\n\n${declarations}
const struct method_row METHODS[] = {\n${rows}    {{NULL, 0}, NULL},\n};\n")
