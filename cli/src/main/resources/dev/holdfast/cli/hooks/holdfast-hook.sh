#!/bin/sh
# Holdfast's hook for coding agents: passes the host's input to the broker and the broker's answer back to the host.
# Without a broker it does nothing, quickly and silently. "holdfast hooks install" put it here,
# "holdfast hooks uninstall" removes it.
#
#   holdfast-hook.sh claude|codex start|call|guard
#
# Environment: HOLDFAST_URL     the broker's address, instead of the installed one
#              HOLDFAST_START   on or off: whether to start a broker when none answers
#              HOLDFAST_TOKEN   token, for brokers that require one; or HOLDFAST_TOKEN_FILE, a file that has it
#              HOLDFAST_CA      a PEM file of the certificate that vouches for a broker at an https address

url=${HOLDFAST_URL:-@URL@}
may_start=${HOLDFAST_START:-@START@}
holdfast=@HOLDFAST@

# An entry of the PATH that is not absolute means another folder in every repository. Nothing is looked for there, neither by
# this script nor by what it starts.
absolute=
rest=${PATH:-}:
while [ -n "$rest" ]; do
    entry=${rest%%:*}
    rest=${rest#*:}
    case $entry in
    /*) absolute=$absolute${absolute:+:}$entry ;;
    esac
done
PATH=${absolute:-/usr/bin:/bin} # nothing at all would mean this folder

command -v curl >/dev/null 2>&1 || exit 0

# Reads the host's JSON from the standard input; $1 is the path. A missing broker is known at once, a hanging one
# is not waited for.
ask() {
    find_token || return $?
    address=$url$1
    shift
    if [ -n "$token" ]; then
        # not as an argument, which everybody on the machine can see
        post -K /dev/fd/3 "$@" 3<<END
header = "Authorization: Bearer $token"
END
    else
        post "$@"
    fi
}

post() {
    # another machine answers, and proves who it is, more slowly
    case $url in
    http://127.* | http://localhost* | http://\[::1\]*) patience=0.08 ;;
    *) patience=1.5 ;;
    esac
    curl -q -s -f --noproxy '*' --connect-timeout $patience --max-time 2 ${HOLDFAST_CA:+--cacert "$HOLDFAST_CA"} \
        -H 'Content-Type: application/json' -H 'Expect:' "$@" --data-binary @- "$address" 2>/dev/null
}

# Sets $token: HOLDFAST_TOKEN, else what is in HOLDFAST_TOKEN_FILE, else what a broker at this address of this machine has put into a file for its user. Fails
# where there is such a file and not this user's broker listens: another's program is to learn nothing.
find_token() {
    token=${HOLDFAST_TOKEN:-}
    if [ -z "$token" ] && [ -n "${HOLDFAST_TOKEN_FILE:-}" ]; then read -r token <"$HOLDFAST_TOKEN_FILE" || :; fi
    if [ -z "$token" ] && find_state && find_place; then
        file=$state/token-$name-$port
        if [ "$name" = localhost ]; then
            file=$state/token-127.0.0.1-$port
            if [ -e "$file" ]; then name=127.0.0.1; else file=$state/token-ip6-$port name=ip6; fi
        fi
        if [ -r "$file" ]; then
            is_ours || return $?
            read -r token <"$file"
            # by its number, as the name may lead to another one
            if [ "$name" = ip6 ]; then url="http://[::1]:$port$path"; else url=http://$name:$port$path; fi
        fi
    fi
    case $token in
    *[!A-Za-z0-9._~+/=-]*) token= ;;
    esac
}

# Sets $state to the folder that the command line and the broker use, too.
find_state() {
    # by its rules, a relative path in such a variable counts as none
    case ${XDG_STATE_HOME:-} in
    /*) state=$XDG_STATE_HOME/holdfast ;;
    *)
        [ -n "${HOME:-}" ] || return 1
        state=$HOME/.local/state/holdfast
        ;;
    esac
}

# Sets $name, $port and $path from an address on this machine.
find_place() {
    place=${url#http://}
    path=${place#"${place%%/*}"}
    place=${place%%/*}
    port=${place##*:}
    name=${place%:*}
    case $port in
    '' | *[!0-9]*) return 1 ;;
    esac
    case $name in
    localhost | 127.*.*.*) ;;
    '[::1]') name=ip6 ;;
    *) return 1 ;;
    esac
}

# Whether this user or root listens there, as far as can be told: only Linux tells. 7, as of curl: nobody does. Whoever listens at all addresses gets
# the calls only if nobody listens at this one.
is_ours() {
    [ -r /proc/net/tcp ] || return 0
    if [ "$name" = ip6 ]; then
        there='^000000000000000000000000(01000000|00000001)$'
    else
        dots=$IFS
        IFS=.
        # shellcheck disable=SC2086 # split at dots
        set -- $name
        IFS=$dots
        there=$(printf '(%02X%02X%02X%02X|%02X%02X%02X%02X)$' "$4" "$3" "$2" "$1" "$1" "$2" "$3" "$4")
    fi
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
        awk -v own="$(id -u)" -v there="$there" -v port="$(printf ':%04X' "$port")" '
            $4 == "0A" && substr($2, length($2) - 4) == port {
                address = substr($2, 1, length($2) - 5)
                if (address ~ there) {
                    user = $8
                    found = 1
                } else if (address ~ /^0+$/ && !found) {
                    user = $8
                }
            }
            END { exit user == "" ? 7 : !(user == "0" || user == own) }'
}

begin() {
    printf '%s' "$input" | ask "/hooks/$host" -H "Holdfast-Pid: $PPID" -H "Holdfast-Host: $(uname -n)" \
        -H "Holdfast-Space: $(space)"
}

# Containers of the same name on one machine have process numbers of their own. Without a value curl leaves the header out.
space() {
    if read -r boot 2>/dev/null </proc/sys/kernel/random/boot_id; then
        printf '%s/%s' "$boot" "$(readlink /proc/self/ns/pid)"
    fi
}

is_ready() {
    curl -q -s -f --noproxy '*' --max-time 1 ${HOLDFAST_CA:+--cacert "$HOLDFAST_CA"} -o /dev/null "$url/readyz" 2>/dev/null
}

# Starts a broker on this machine that outlives us, or waits for the one that somebody else is starting. It runs in the
# user's home with the user's own settings: the folder of the session may be a stranger's repository.
start_broker() {
    [ "$may_start" = on ] || return 1
    case $url in
    http://127.* | http://localhost* | http://\[::1\]*) ;;
    *) return 1 ;;
    esac
    [ -x "$holdfast" ] || holdfast=$(command -v holdfast) || return 1
    case $holdfast in
    /*) ;;
    *) return 1 ;;
    esac
    [ -n "${HOME:-}" ] && find_state || return 1
    (umask 077 && mkdir -p "$state" && : >>"$state/serve.log") 2>/dev/null || return 1
    chmod go-rwx "$state" "$state/serve.log" 2>/dev/null
    place=${url#http://}
    place=${place%%/*}
    lock=$state/hook-start-${place##*:}
    # one that was left behind
    find "$lock" -prune -mmin +1 -exec rmdir {} \; 2>/dev/null
    ours=false
    started=
    if mkdir "$lock" 2>/dev/null; then
        ours=true
        if ! is_ready; then
            name=${place%:*}
            name=${name#\[}
            detached='nohup'
            command -v setsid >/dev/null 2>&1 && detached='setsid'
            {
                cd "$HOME" 2>/dev/null || cd /
                exec "$detached" "$holdfast" serve --host "${name%\]}" --port "${place##*:}" --background
            } >>"$state/serve.log" 2>&1 </dev/null &
            started=$!
        fi
    fi
    tries=0
    until is_ready; do
        tries=$((tries + 1))
        # whoever starts it, it does not start
        if [ $tries -gt 50 ] || { ! is_starting && ! is_ready; }; then
            if $ours; then rmdir "$lock" 2>/dev/null; fi
            return 1
        fi
        sleep 0.1 2>/dev/null || sleep 1
    done
    if $ours; then rmdir "$lock" 2>/dev/null; fi
}

is_starting() {
    if $ours; then kill -0 "$started" 2>/dev/null; else [ -d "$lock" ]; fi
}

host=${1:-}
case ${2:-} in
start)
    input=$(cat)
    answer=$(begin)
    if [ $? -eq 7 ] && start_broker; then
        answer=$(begin)
    fi
    # Commands that the agent runs know who it is.
    if [ -n "${CLAUDE_ENV_FILE:-}" ]; then
        agent=$(printf '%s' "$answer" | sed -n 's/.*your agent id is \([A-Za-z0-9._-]*\);.*/\1/p')
        if [ -n "$agent" ]; then
            printf "export HOLDFAST_AGENT='%s' BD_ACTOR='%s'\n" "$agent" "$agent" >>"$CLAUDE_ENV_FILE" 2>/dev/null
        fi
    fi
    if [ -n "$answer" ]; then printf '%s\n' "$answer"; fi
    ;;
call) ask "/hooks/$host" ;;
guard) ask "/hooks/$host?guard=paths" ;;
esac
exit 0
