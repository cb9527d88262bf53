package dev.holdfast.broker.pool.engine;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The environment variables that reviewers see. */
final class ReviewerEnvironment {
    /** Holds the token that proves the reviewer's identity. */
    static final String TOKEN = "HOLDFAST_TOKEN";

    /** Variables that programs need for their files, locale and network; no secrets. */
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
     * For programs that run git in their workspace on their own, outside any sandbox: hides the repository. Otherwise
     * git would run what the repository configures, such as the filter of a changed file (seen with Codex 0.166.0).
     */
    static final Map<String, String> NO_REPOSITORY = Map.of("GIT_DIR", "/dev/null");

    private ReviewerEnvironment() {}

    /** What a reviewer needs to reach the broker, for programs that prefer variables to arguments. */
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

    /** The harmless variables, the engine's, and those that the config names. */
    static Set<String> inherited(Set<String> ofEngine, Set<String> configured) {
        Set<String> all = new TreeSet<>(HARMLESS);
        all.addAll(ofEngine);
        all.addAll(configured);
        return all;
    }
}
