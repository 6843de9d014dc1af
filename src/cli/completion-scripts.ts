export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** What may follow the words of a command: `license find` → its options. */
export type Words = ReadonlyMap<string, readonly string[]>

/** The script that a shell reads once; what it completes stands in it. */
export function scriptFor(shell: Shell, words: Words): string {
  if (shell === 'fish') return fish(words)
  return shell === 'bash' ? bash(words) : zsh(words)
}

/** The longest beginning of the line, of two words at most, that is a command. */
const casesOf = (words: Words): string =>
  [...words].map(([called, after]) => `    '${called}') words='${after.join(' ')}' ;;`).join('\n')

const bash = (words: Words): string => `# keywright completion bash
_keywright_words() {
  local words=''
  case "$1" in
${casesOf(words)}
    *) return 1 ;;
  esac
  printf '%s' "$words"
}
_keywright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]:-}" second="\${COMP_WORDS[2]:-}" found=''
  if [ "$COMP_CWORD" -le 1 ]; then found="$(_keywright_words '')"
  elif [ "$COMP_CWORD" -eq 2 ]; then found="$(_keywright_words "$first")"
  else found="$(_keywright_words "$first $second" || _keywright_words "$first")"
  fi
  COMPREPLY=($(compgen -W "$found" -- "$current"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _keywright keywright`

const zsh = (words: Words): string => `#compdef keywright
_keywright_words() {
  local words=''
  case "$1" in
${casesOf(words)}
    *) return 1 ;;
  esac
  print -rn -- "$words"
}
_keywright() {
  local found=''
  if (( CURRENT <= 2 )); then found="$(_keywright_words '')"
  elif (( CURRENT == 3 )); then found="$(_keywright_words "\${words[2]}")"
  else found="$(_keywright_words "\${words[2]} \${words[3]}" || _keywright_words "\${words[2]}")"
  fi
  compadd -- \${=found} || _files
}
if [ "$funcstack[1]" = _keywright ]; then _keywright "$@"; else compdef _keywright keywright; fi`

const fish = (words: Words): string => `# keywright completion fish
function __keywright_words
  switch "$argv"
${[...words].map(([called, after]) => `    case '${called}'\n      printf '%s\\n' ${after.join(' ')}`).join('\n')}
    case '*'
      return 1
  end
end
function __keywright_complete
  set -l line (commandline -opc)
  switch (count $line)
    case 1
      __keywright_words ''
    case 2
      __keywright_words $line[2]
    case '*'
      __keywright_words "$line[2] $line[3]"; or __keywright_words $line[2]
  end
end
complete -c keywright -f -a '(__keywright_complete)'`
