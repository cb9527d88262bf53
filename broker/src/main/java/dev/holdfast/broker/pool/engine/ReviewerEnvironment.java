package dev.holdfast.broker.pool.engine;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The environment variables that reviewers see. */
final class ReviewerEnvironment {
    /** Where a reviewer finds the token that proves who it is. */
    static final String TOKEN = "HOLDFAST_TOKEN";

    /** What programs need to find their files, their language and the network; no secrets. */
    private static final Set<String> HARMLESS = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TERM",
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_CTYPE",
            "TZ",
            "TMPDIR",
            "TEMP",
            "TMP",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
            "XDG_RUNTIME_DIR",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "ALL_PROXY",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "NODE_EXTRA_CA_CERTS",
            "SYSTEMROOT",
            "WINDIR",
            "SYSTEMDRIVE",
            "COMSPEC",
            "PATHEXT",
            "USERPROFILE",
            "APPDATA",
            "LOCALAPPDATA",
            "PROGRAMDATA",
            "PROGRAMFILES");

    /**
     * For programs that ask git about their workspace by themselves, outside of any sandbox: they find no repository. Git would run
     * what the repository configures, such as the filter of a file that has changed (seen with Codex 0.166.0).
     */
    static final Map<String, String> NO_REPOSITORY = Map.of("GIT_DIR", "/dev/null");

    private ReviewerEnvironment() {}

    /** What a reviewer needs to reach the broker, for programs that would rather not be given arguments. */
    static Map<String, String> of(LaunchSpec spec) {
        Map<String, String> environment = new TreeMap<>();
        environment.put(TOKEN, spec.token());
        environment.put("HOLDFAST_MCP_URL", spec.mcp().toString());
        environment.put("HOLDFAST_REVIEWER", spec.reviewer());
        if (spec.project() != null) {
            environment.put("HOLDFAST_PROJECT", spec.project());
        }
        return environment;
    }

    /** The harmless ones, those of the engine, and those that the config hands on by name. */
    static Set<String> inherited(Set<String> ofEngine, Set<String> configured) {
        Set<String> all = new TreeSet<>(HARMLESS);
        all.addAll(ofEngine);
        all.addAll(configured);
        return all;
    }
}
