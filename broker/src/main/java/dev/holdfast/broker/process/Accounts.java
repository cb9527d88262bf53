package dev.holdfast.broker.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds who else can log in on this machine, from its user list or the home folders. */
public final class Accounts {
    private static final Path USERS = Path.of("/etc/passwd");
    /** For macOS, whose user list has only system accounts. */
    private static final Path HOMES = Path.of("/Users");

    private static final Set<String> NO_PEOPLE = Set.of("Shared", "Guest");
    /** By convention on all Linux distributions, lower ids are system accounts. */
    private static final int FIRST_PERSON = 1_000;

    private static final int NOBODY = 65_534;

    private Accounts() {}

    /** The names of other people; empty where there is neither a user list nor home folders, as on Windows. */
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
