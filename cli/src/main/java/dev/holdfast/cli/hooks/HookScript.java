package dev.holdfast.cli.hooks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The script that the hooks of coding agents call. It may be in a project, where a stranger may have replaced it: we
 * only ever run one that is exactly ours, and writing it replaces a link instead of following it.
 */
record HookScript(Path file) {
    private static final Pattern BLANK = Pattern.compile("@([A-Z]+)@");

    /** The value of a placeholder: a word in single quotes, in which a shell expands nothing, or on, or off. */
    private static final String FILLED = "(?:'[^']*+(?:'\\\\''[^']*+)*+'|on|off)";

    private static final int LARGEST = 1 << 20;

    /** Writes it with these values; false when it was already there. */
    boolean write(Map<String, String> blanks) throws IOException {
        String text = BLANK.matcher(template())
                .replaceAll(blank -> Matcher.quoteReplacement(Objects.requireNonNull(blanks.get(blank.group(1)))));
        if (Files.isRegularFile(file) && !Files.isSymbolicLink(file) && text.equals(Files.readString(file))) {
            return false;
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path made = file.resolveSibling(file.getFileName() + ".holdfast-new");
        Files.deleteIfExists(made);
        Files.writeString(made, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        return true;
    }

    /** Whether it is as we write it, whatever its values. */
    boolean isOurs() {
        try {
            return Files.isRegularFile(file)
                    && Files.size(file) < LARGEST
                    && pattern().matcher(Files.readString(file)).matches();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** The value of a placeholder, as a shell reads it; null: the script is not ours. */
    @Nullable
    String filled(String name) {
        try {
            if (!isOurs()) {
                return null;
            }
            Matcher matcher = pattern().matcher(Files.readString(file));
            return matcher.matches() ? matcher.group(name) : null;
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static Pattern pattern() throws IOException {
        String template = template();
        StringBuilder pattern = new StringBuilder();
        Set<String> named = new HashSet<>();
        Matcher blank = BLANK.matcher(template);
        int at = 0;
        while (blank.find()) {
            String name = blank.group(1);
            pattern.append(Pattern.quote(template.substring(at, blank.start())))
                    .append(named.add(name) ? "(?<" + name + ">" + FILLED + ")" : FILLED);
            at = blank.end();
        }
        return Pattern.compile(pattern + Pattern.quote(template.substring(at)));
    }

    private static String template() throws IOException {
        try (InputStream in = Objects.requireNonNull(HookScript.class.getResourceAsStream(AgentHost.SCRIPT))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
