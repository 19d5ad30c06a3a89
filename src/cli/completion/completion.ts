/** `divisi completion SHELL`: prints a script that calls `divisi complete` and evaluates nothing of its output. */
import { divisiError } from '../../base/error.ts';
import { type Answer, exitCodes } from '../output.ts';

const bash = String.raw`# bash completion for divisi: eval "$(divisi completion bash)" in ~/.bashrc
_divisi() {
  local line word colon='' last=-1
  local -a words
  COMPREPLY=()
  # A colon ends a word for bash, but not in the name of a review.
  for word in "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}"; do
    if (( last >= 0 )) && [[ $word == :* || ${'$'}{words[last]} == *: ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
  done
  word=${'$'}{words[last]}
  [[ $COMP_WORDBREAKS == *:* ]] && colon=${'$'}{word%"${'$'}{word##*:}"}
  while IFS= read -r line; do
    line=${'$'}{line%%$'\t'*}
    COMPREPLY+=("${'$'}{line#"$colon"}")
  done < <(command divisi complete -- "${'$'}{words[@]}" 2>/dev/null)
}
complete -o default -F _divisi divisi
`;

const zsh = String.raw`#compdef divisi
# zsh completion for divisi: eval "$(divisi completion zsh)" in ~/.zshrc, after compinit
_divisi() {
  local line
  local -a values shown
  while IFS= read -r line; do
    values+=("${'$'}{line%%$'\t'*}")
    shown+=("${'$'}{line/$'\t'/  -- }")
  done < <(command divisi complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${'$'}{#values} )); then
    compadd -l -d shown -a values
  else
    _files
  fi
}
if [[ ${'$'}{funcstack[1]} == _divisi ]]; then
  _divisi "$@"
else
  compdef _divisi divisi
fi
`;

const fish = String.raw`# fish completion for divisi: divisi completion fish > ~/.config/fish/completions/divisi.fish
function __divisi_complete
    set -l words (commandline -opc)
    set -l partial (commandline -ct)
    set -l found (command divisi complete -- $words[2..] "$partial" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$partial"
    end
end
complete -c divisi -f -a '(__divisi_complete)'
`;

const scripts: ReadonlyMap<string, string> = new Map(Object.entries({ bash, zsh, fish }));

export function completion(shell: string): Answer {
  const script = scripts.get(shell);
  if (script !== undefined) return { code: exitCodes.completed, json: { shell, script }, text: script };
  throw divisiError('USAGE', {
    message: `no completion for ${shell}`,
    expected: [...scripts.keys()].join(', '),
    got: shell,
    next: 'Name one of these shells.',
  });
}
