package dev.holdfast.broker.pool.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Windows Subsystem for Linux. Programs are started with {@code --exec}: after {@code --}, the Linux user's shell
 * would expand the arguments.
 *
 * @param distro the name of the distribution
 * @param workspace the workspace's Windows path
 * @param workspaceInside the workspace's Linux path, if configured
 * @param paths translates every other folder to its Linux path
 */
public record Wsl(
        String distro, @Nullable Path workspace, @Nullable String workspaceInside, Paths paths) implements Platform {
    private static final Pattern DISTRO = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern DRIVE = Pattern.compile("([A-Za-z]):[\\\\/](.*)", Pattern.DOTALL);

    /** Asks the distribution: only it knows what it has mounted where. */
    @FunctionalInterface
    public interface Paths {
        /** @throws UnusableLaunchException when it does not know this Windows folder */
        String inside(Wsl wsl, String folder);
    }

    public Wsl {
        if (!DISTRO.matcher(distro).matches()) {
            throw new UnusableLaunchException("wsl_distro: \"" + distro
                    + "\" is not a valid distribution name; \"wsl --list\" shows the installed ones");
        }
    }

    static boolean isDrivePath(String path) {
        return DRIVE.matcher(path).matches();
    }

    @Override
    public List<String> argv(List<String> program) {
        List<String> words = new ArrayList<>(List.of("wsl", "-d", distro, "--exec"));
        words.addAll(program);
        return words;
    }

    @Override
    public String path(Path folder) {
        String written = folder.toString();
        if (workspace != null && workspaceInside != null) {
            String outside = workspace.toString();
            if (written.equals(outside)) {
                return workspaceInside;
            }
            if (written.startsWith(outside + "\\") || written.startsWith(outside + "/")) {
                return workspaceInside + written.substring(outside.length()).replace('\\', '/');
            }
        }
        return paths.inside(this, written);
    }

    /** WSL passes on only the variables named in WSLENV; /u: from Windows to Linux only. */
    @Override
    public Map<String, String> environment(Map<String, String> variables, Set<String> inherited) {
        Set<String> names = new TreeSet<>(variables.keySet());
        names.addAll(inherited);
        names.add(Launch.MARK);
        Map<String, String> whole = new TreeMap<>(variables);
        whole.put(
                "WSLENV",
                String.join(":", names.stream().map(name -> name + "/u").toList()));
        return whole;
    }
}
