package dev.holdfast.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** A repository's own config file, read without git. Ignores includes and git's other config files. */
public final class GitConfig {
    private GitConfig() {}

    /** The last value of a key in a section without a subsection, which is the one that git uses. */
    public static Optional<String> value(Path file, String section, String key) throws IOException {
        Optional<String> found = Optional.empty();
        boolean inSection = false;
        for (String raw : SmallFile.read(file).orElse("").split("\n", -1)) {
            String line = raw.strip();
            if (line.startsWith("[")) {
                int end = line.indexOf(']');
                inSection = end > 0 && line.substring(1, end).strip().equalsIgnoreCase(section);
                line = line.substring(end + 1).strip();
            }
            int equals = line.indexOf('=');
            if (inSection
                    && equals > 0
                    && line.substring(0, equals)
                            .strip()
                            .toLowerCase(Locale.ROOT)
                            .equals(key)) {
                found = Optional.of(unquoted(line.substring(equals + 1).strip()));
            }
        }
        return found.filter(value -> !value.isBlank());
    }

    private static String unquoted(String written) {
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && i + 1 < written.length()) {
                i++;
                value.append(meant(written.charAt(i)));
            } else if (!quoted && (c == '#' || c == ';')) {
                break;
            } else {
                value.append(c);
            }
        }
        return quoted ? value.toString() : value.toString().stripTrailing();
    }

    /** The character that a backslash escape means. */
    private static char meant(char escaped) {
        return switch (escaped) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'b' -> '\b';
            default -> escaped;
        };
    }
}
