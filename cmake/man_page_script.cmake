# cmake -DINPUT=docs/cli/run.txt -DNAME=ridge-run -DVERSION=0.1.0 -DOUTPUT=ridge-run.1 -P man_page_script.cmake
# The text of --help as a man page: first line as NAME, the rest as it stands.
file(READ "${INPUT}" text)
string(REGEX REPLACE "^[^\n]* - ([^\n]*)\n.*" "\\1" summary "${text}")
string(FIND "${text}" "\n\n" title_end)
math(EXPR body_begin "${title_end} + 2")
string(SUBSTRING "${text}" ${body_begin} -1 body)
string(REPLACE "\\" "\\e" body "${body}")
string(REPLACE "-" "\\-" body "${body}")
string(REPLACE "\n." "\n\\&." body "${body}") # a leading dot is a request in roff
string(TOUPPER "${NAME}" title)
file(WRITE "${OUTPUT}" ".TH ${title} 1 \"\" \"Ridge ${VERSION}\" \"Ridge\"
.SH NAME
${NAME} \\- ${summary}
.SH DESCRIPTION
.nf
${body}.fi
")
