package dev.holdfast.git;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The environment for git: an allowlist of the user's variables, and settings that restrict git. Nothing else gets
 * through.
 */
final class GitEnvironment {
    /** What git needs to find the user's own settings, and to check a repository's owner. */
    private static final List<String> OF_THE_USER = List.of(
            "HOME",
            "XDG_CONFIG_HOME",
            "GIT_CONFIG_NOSYSTEM",
            "SUDO_UID",
            "TMPDIR",
            "SYSTEMROOT",
            "USERPROFILE",
            "HOMEDRIVE",
            "HOMEPATH",
            "PROGRAMDATA");

    /**
     * The variables that name the user's config files. A relative path would mean a different file in every repository.
     */
    private static final List<String> FILES_OF_THE_USER = List.of("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM");

    /**
     * What git passes to its hooks: the repository, and the index and objects of what is about to be committed or
     * pushed.
     */
    private static final List<String> OF_A_HOOK = List.of(
            "GIT_DIR",
            "GIT_COMMON_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_QUARANTINE_PATH");

    private static final Map<String, String> TAMING = Map.ofEntries(
            Map.entry("LC_ALL", "C"), // we parse its messages
            Map.entry("LANG", "C"),
            Map.entry("GIT_TERMINAL_PROMPT", "0"),
            Map.entry("GIT_OPTIONAL_LOCKS", "0"),
            // otherwise git fetches missing objects, with whatever program the repository names for that
            Map.entry("GIT_NO_LAZY_FETCH", "1"),
            // stronger than protocol.allow=never, which a protocol's own setting overrides
            Map.entry("GIT_ALLOW_PROTOCOL", "none"),
            // a push sends the real objects, and the real parents of commits
            Map.entry("GIT_NO_REPLACE_OBJECTS", "1"),
            Map.entry("GIT_GRAFT_FILE", "/dev/null"),
            Map.entry("GIT_ATTR_NOSYSTEM", "1"));

    private GitEnvironment() {}

    static Map<String, String> of(Map<String, String> environment, boolean inHook) {
        Map<String, String> git = new TreeMap<>(TAMING);
        SearchPath.of(environment).withoutRelative().ifPresent(path -> git.put("PATH", path));
        OF_THE_USER.forEach(name -> copy(environment, name, git));
        FILES_OF_THE_USER.stream()
                .filter(name -> isAbsolute(environment.get(name)))
                .forEach(name -> copy(environment, name, git));
        if (inHook) {
            OF_A_HOOK.forEach(name -> copy(environment, name, git));
        }
        return Map.copyOf(git);
    }

    /** The same for a git folder of our own: without the user's or the system's settings. */
    static Map<String, String> withoutSettings(Map<String, String> git, Path home) {
        Map<String, String> own = new HashMap<>(git);
        own.keySet().removeAll(OF_A_HOOK);
        own.keySet().removeAll(FILES_OF_THE_USER);
        own.remove("XDG_CONFIG_HOME");
        own.put("HOME", home.toString());
        own.put("GIT_CONFIG_NOSYSTEM", "1");
        own.put("GIT_CONFIG_GLOBAL", "/dev/null");
        return own;
    }

    private static void copy(Map<String, String> environment, String name, Map<String, String> git) {
        String value = environment.get(name);
        if (value != null) {
            git.put(name, value);
        }
    }

    private static boolean isAbsolute(@Nullable String path) {
        try {
            return path != null && Path.of(path).isAbsolute();
        } catch (InvalidPathException _) {
            return false;
        }
    }
}
