package dev.holdfast.cli.completion;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Makes a shell call {@code holdfast __complete} with the words of the line up to the cursor. Each line of the answer
 * is a word and, after a tab, its explanation; {@code :files} means that a path belongs there.
 */
public enum Script {
    /** Bash splits words at colons and equals signs, which ids contain; so the line is split at spaces instead. */
    BASH("""
            # bash completion for holdfast
            _holdfast() {
                local line=${COMP_LINE:0:COMP_POINT} current prefix answer
                local -a typed
                read -ra typed <<<"$line"
                [[ $line == *[[:space:]] ]] && typed+=("")
                current=${typed[${#typed[@]}-1]}
                prefix=
                if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then prefix=${current%"${current##*:}"}; fi
                if [[ $COMP_WORDBREAKS == *=* && $current == *=* ]]; then prefix=${current%"${current##*=}"}; fi
                COMPREPLY=()
                while IFS= read -r answer; do
                    answer=${answer%%$'\\t'*}
                    if [[ $answer == :files ]]; then
                        compopt -o default 2>/dev/null
                    else
                        COMPREPLY+=("${answer#"$prefix"}")
                    fi
                done < <("${typed[0]/#\\~/$HOME}" __complete "${typed[@]:1}" 2>/dev/null)
                if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
            }
            complete -F _holdfast holdfast ./holdfast
            """),
    ZSH("""
            #compdef holdfast
            _holdfast() {
                local -a values texts
                local line
                for line in "${(@f)$("${words[1]/#\\~/$HOME}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
                    if [[ $line == :files ]]; then
                        _files
                    elif [[ -n $line ]]; then
                        values+=("${line%%$'\\t'*}")
                        texts+=("${line//$'\\t'/  }")
                    fi
                done
                (( $#values )) && compadd -l -d texts -a values
            }
            if [[ $funcstack[1] == _holdfast ]]; then
                _holdfast "$@"
            else
                (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -D; }
                compdef _holdfast holdfast ./holdfast
            fi
            """),
    FISH("""
            # fish completion for holdfast
            function __holdfast_complete
                set -l typed (commandline -opc)
                for line in ($typed[1] __complete $typed[2..] (commandline -ct) 2>/dev/null)
                    if test "$line" = :files
                        __fish_complete_path (commandline -ct)
                    else
                        printf '%s\\n' $line
                    end
                end
            end
            complete -c holdfast -f -a '(__holdfast_complete)'
            """);

    private final String text;

    Script(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public static Optional<Script> of(String shell) {
        return Arrays.stream(values())
                .filter(script -> script.name().toLowerCase(Locale.ROOT).equals(shell))
                .findFirst();
    }
}
