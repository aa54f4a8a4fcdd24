# Completion for ridge: commands and options are read from the program's own help.
_ridge() {
  local word=${COMP_WORDS[COMP_CWORD]}
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == "--" ]]; then
      COMPREPLY=($(compgen -c -f -- "$word"))
      return
    fi
  done
  if ((COMP_CWORD == 1)); then
    local commands
    commands=$(ridge --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
    COMPREPLY=($(compgen -W "$commands --help --version" -- "$word"))
  elif [[ $word == -* ]]; then
    local options
    options=$(ridge "${COMP_WORDS[1]}" --help | grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,')
    COMPREPLY=($(compgen -W "$options --" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _ridge ridge
