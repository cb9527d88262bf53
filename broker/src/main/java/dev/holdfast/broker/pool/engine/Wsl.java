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
 * The Windows Subsystem for Linux. Programs are started with {@code --exec}: what follows {@code --} would be read by
 * the Linux user's shell, which expands it.
 *
 * @param distro the name of the distribution
 * @param workspace the workspace as Windows knows it
 * @param workspaceInside the workspace as Linux knows it, if the config says so
 * @param paths translates every other folder to its Linux path
 */
public record Wsl(
        String distro, @Nullable Path workspace, @Nullable String workspaceInside, Paths paths) implements Platform {
    private static final Pattern DISTRO = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern DRIVE = Pattern.compile("([A-Za-z]):[\\\\/](.*)", Pattern.DOTALL);

    /** The distribution itself: it alone knows where it has mounted what. */
    @FunctionalInterface
    public interface Paths {
        /** @throws UnusableLaunchException when it does not know this folder of Windows */
        String inside(Wsl wsl, String folder);
    }

    public Wsl {
        if (!DISTRO.matcher(distro).matches()) {
            throw new UnusableLaunchException("wsl_distro: \"" + distro
                    + "\" is not a valid distribution name; \"wsl --list\" shows those there are");
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

    /** WSL hands on only what is named in WSLENV; /u: on the way in. */
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
