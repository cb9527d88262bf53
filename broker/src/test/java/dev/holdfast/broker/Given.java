package dev.holdfast.broker;

import dev.holdfast.broker.process.Machine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Arguments that tests give again and again, as name, value, name, value, …; of those given twice, the last counts. */
public final class Given {
    /** A small change. */
    public static final String DIFF = """
            diff --git a/a.txt b/a.txt
            --- a/a.txt
            +++ b/a.txt
            @@ -1 +1 @@
            -one
            +two
            """;

    private Given() {}

    public static Map<String, Object> map(Object... arguments) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            map.put((String) arguments[i], arguments[i + 1]);
        }
        return map;
    }

    /** Of {@code create_review}: what it needs, if the test does not care. */
    public static Object[] proposal(Object... more) {
        return with(
                more, "intent", "add a cache", "agent_type", "gsd-executor", "agent_role", "proposer", "phase", "7");
    }

    /** Of {@code submit_verdict}. */
    public static Object[] verdict(String review, String verdict, Object... more) {
        return with(more, "review_id", review, "verdict", verdict);
    }

    /** Of {@code start_session}: a session that runs in a process of this machine. */
    public static Object[] session(String id, long pid) {
        return new Object[] {
            "session_id", id, "kind", "claude", "host", Machine.here().name(), "pid", pid
        };
    }

    public static Object[] with(Object[] more, Object... first) {
        return Stream.of(first, more).flatMap(Stream::of).toArray();
    }
}
