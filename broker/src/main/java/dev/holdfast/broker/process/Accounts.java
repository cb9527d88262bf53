package dev.holdfast.broker.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Who else can log in on this machine, as far as its list of users or their home folders show. */
public final class Accounts {
    private static final Path USERS = Path.of("/etc/passwd");
    /** On macOS, whose list of users has only the system's own. */
    private static final Path HOMES = Path.of("/Users");

    private static final Set<String> NO_PEOPLE = Set.of("Shared", "Guest");
    /** Below are the system's own, by the habit of all Linux distributions. */
    private static final int FIRST_PERSON = 1_000;

    private static final int NOBODY = 65_534;

    private Accounts() {}

    /** The names of other people; none where neither is there, as on Windows. */
    public static List<String> others() {
        return others(USERS, HOMES, System.getProperty("user.name", ""));
    }

    static List<String> others(Path users, Path homes, String self) {
        return Stream.concat(listed(users).stream(), withHome(homes).stream())
                .filter(name -> !name.equals(self))
                .distinct()
                .toList();
    }

    private static List<String> listed(Path users) {
        try (Stream<String> lines = Files.lines(users)) {
            return lines.map(line -> line.split(":", -1))
                    .filter(Accounts::isPerson)
                    .map(fields -> fields[0])
                    .toList();
        } catch (IOException | UncheckedIOException _) {
            return List.of();
        }
    }

    private static List<String> withHome(Path homes) {
        try (Stream<Path> folders = Files.list(homes)) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !NO_PEOPLE.contains(name))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException _) {
            return List.of();
        }
    }

    private static boolean isPerson(String[] fields) {
        if (fields.length < 7 || !fields[2].matches("\\d{1,9}")) {
            return false;
        }
        int id = Integer.parseInt(fields[2]);
        String shell = fields[6];
        return id >= FIRST_PERSON && id != NOBODY && !shell.endsWith("/nologin") && !shell.endsWith("/false");
    }
}
