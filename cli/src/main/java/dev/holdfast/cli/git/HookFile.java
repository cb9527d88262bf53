package dev.holdfast.cli.git;

import dev.holdfast.git.GitFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One of git's hooks. Ours replaces an existing hook, which is moved aside and called first, because it may change what
 * is staged. Uninstalling moves that one back, byte for byte.
 */
public final class HookFile {
    /** What is at the place where git looks for the hook. */
    public enum State {
        NOTHING,
        /** Not ours. */
        FOREIGN,
        OURS,
        /** Ours, but edited by somebody. */
        EDITED
    }

    public enum Hook {
        PRE_COMMIT("pre-commit", """
                if [ -x "$former" ]; then
                    "$former" "$@" || exit $?
                fi
                """, """
                exec "$holdfast" gate --staged%s
                """),
        PRE_PUSH("pre-push", """
                refs=$(cat && echo .) || exit $?
                refs=${refs%.}
                if [ -x "$former" ]; then
                    printf '%s' "$refs" | "$former" "$@" || exit $?
                fi
                """, """
                printf '%%s' "$refs" | "$holdfast" gate --pre-push "$1"%s
                """);

        private final String file;
        private final String first;
        private final String last;

        Hook(String file, String first, String last) {
            this.file = file;
            this.first = first;
            this.last = last;
        }

        @Override
        public String toString() {
            return file;
        }

        /** @param address an option with the broker's address, quoted; empty: use HOLDFAST_URL at run time */
        private String script(String quotedCommand, String address) {
            return """
                    #!/bin/sh
                    # Holdfast's gate: only content that was approved passes. "holdfast hooks uninstall --git" takes it
                    # away again and puts back what was here before, which is now beside it and is called first.
                    former=$0.before-holdfast
                    """ + first + "holdfast=" + quotedCommand + "\n" + """
                    [ -x "$holdfast" ] || holdfast=$(command -v holdfast) || {
                        echo "%s" >&2
                        [ "$(git config --get holdfast.gate.unreachable)" = open ]
                        exit $(($? * 7))
                    }
                    """.formatted(GONE) + last.formatted(address);
        }
    }

    private static final String GONE = "holdfast was not found, so the gate cannot ask the broker";
    /** The text in hooks installed by earlier versions; they count as ours. */
    private static final String FORMER_GONE =
            "holdfast: the program is gone, so the gate cannot ask whether this is approved";

    private static final String MARK = "# Holdfast's gate:";
    private static final Pattern ADDRESS =
            Pattern.compile("\"\\$holdfast\" gate [^\n]*?( --url '[^\n]*')?$", Pattern.MULTILINE);
    private static final Pattern COMMAND = Pattern.compile("^holdfast=('.*')$", Pattern.MULTILINE);

    private final Hook hook;
    private final Path file;
    private final Path former;

    public HookFile(Path folder, Hook hook) {
        this.hook = hook;
        file = folder.resolve(hook.file);
        former = folder.resolve(hook.file + ".before-holdfast");
    }

    public Path path() {
        return file;
    }

    public Path former() {
        return former;
    }

    public boolean hasFormer() {
        return exists(former);
    }

    public State state() {
        if (!exists(file)) {
            return State.NOTHING;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) { // a link, or a pipe whose reading would never end
            return State.FOREIGN;
        }
        String text = read().replace(FORMER_GONE, GONE);
        if (!text.contains(MARK)) {
            return State.FOREIGN;
        }
        Matcher command = COMMAND.matcher(text);
        boolean asWritten = command.find() && text.equals(hook.script(command.group(1), address(text)));
        return asWritten && Files.isExecutable(file) ? State.OURS : State.EDITED;
    }

    /**
     * Installs ours; false when it is already there.
     *
     * @param command the program's path
     * @param url the broker's address; null: use HOLDFAST_URL at run time
     */
    public boolean install(String command, @Nullable String url) {
        String script = hook.script(ShellWord.quoted(command), url == null ? "" : " --url " + ShellWord.quoted(url));
        State state = state();
        if (state == State.OURS && read().equals(script)) {
            return false;
        }
        if (state == State.EDITED) {
            throw edited();
        }
        if (state == State.FOREIGN && hasFormer()) {
            throw new GitFailure(
                    file + " is another program's hook, and an older one is kept in " + former
                            + ": something replaced Holdfast's hook. Merge the two by hand, remove the second, and install again.");
        }
        try {
            Files.createDirectories(file.getParent());
            Path made = file.resolveSibling(hook.file + ".holdfast-new");
            Files.deleteIfExists(made); // in a folder of the working tree, it could be a link to anywhere
            Files.writeString(made, script, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (!made.toFile().setExecutable(true, false)) {
                throw new IOException("it cannot be made executable");
            }
            if (state == State.FOREIGN) {
                Files.move(file, former, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException e) {
            throw new GitFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Removes ours and restores the previous hook; false when ours is not there. */
    public boolean uninstall() {
        switch (state()) {
            case NOTHING, FOREIGN -> {
                return false;
            }
            case EDITED -> throw edited();
            case OURS -> {
                try {
                    if (hasFormer()) {
                        Files.move(former, file, StandardCopyOption.ATOMIC_MOVE);
                    } else {
                        Files.delete(file);
                    }
                } catch (IOException e) {
                    throw new GitFailure("cannot change " + file + ": " + e.getMessage(), e);
                }
            }
        }
        return true;
    }

    /** The broker's address in an installed hook; empty: it uses HOLDFAST_URL at run time. */
    public Optional<String> url() {
        String option = state() == State.OURS ? address(read()) : "";
        return option.isEmpty()
                ? Optional.empty()
                : Optional.of(option.substring(" --url '".length(), option.length() - 1));
    }

    /** The option with the address in an installed hook. */
    private static String address(String text) {
        Matcher address = ADDRESS.matcher(text);
        return address.find() && address.group(1) != null ? address.group(1) : "";
    }

    private GitFailure edited() {
        return new GitFailure(file + " is Holdfast's hook, but it was edited, so it was left alone. "
                + (hasFormer() ? "Move " + former + " back over it" : "Remove it")
                + " if you do not need the changes, then run this again.");
    }

    private String read() {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A dangling link counts as existing. */
    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
