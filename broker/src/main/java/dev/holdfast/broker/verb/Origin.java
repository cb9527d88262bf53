package dev.holdfast.broker.verb;

import dev.holdfast.agent.AgentProcess;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where a call comes from: what its caller sent about itself, and the processes behind its connection. */
public final class Origin {
    private final @Nullable String authorization;
    private final @Nullable String agent;
    private final @Nullable String person;
    private final @Nullable String space;
    private final @Nullable String repository;
    private final boolean local;
    private final Supplier<List<AgentProcess>> lookup;
    private @Nullable List<AgentProcess> processes;
    private @Nullable String notice;
    private @Nullable String key;

    /**
     * @param authorization the Authorization header
     * @param agent who it says it is
     * @param person whose settings it runs with; identifies the caller only if nothing else does
     * @param space the pid namespace that it says it is in
     * @param repository the repository that it says it is in
     * @param local whether it comes from this machine, so that the folders it names are on this machine
     * @param lookup finds the processes; called only when needed
     */
    public Origin(
            @Nullable String authorization,
            @Nullable String agent,
            @Nullable String person,
            @Nullable String space,
            @Nullable String repository,
            boolean local,
            Supplier<List<AgentProcess>> lookup) {
        this.authorization = authorization;
        this.agent = agent;
        this.person = person;
        this.space = space;
        this.repository = repository;
        this.local = local;
        this.lookup = lookup;
    }

    public @Nullable String authorization() {
        return authorization;
    }

    public @Nullable String agent() {
        return agent;
    }

    public @Nullable String person() {
        return person;
    }

    public @Nullable String space() {
        return space;
    }

    public @Nullable String repository() {
        return repository;
    }

    /** Whether it comes from this machine: only then are the folders it names on this machine. */
    public boolean local() {
        return local;
    }

    /** Adds something that the caller should know besides the answer. */
    public synchronized void notice(String text) {
        notice = text;
    }

    public synchronized @Nullable String notice() {
        return notice;
    }

    /** Sets the key of the repository that the call is about. */
    public synchronized void isAbout(String repositoryKey) {
        key = repositoryKey;
    }

    public synchronized @Nullable String repositoryKey() {
        return key;
    }

    /** The calling process, its parent and so on; empty when it cannot be found. */
    public synchronized List<AgentProcess> processes() {
        if (processes == null) {
            processes = lookup.get();
        }
        return processes;
    }

    /**
     * The calling process, if it is the caller's own; empty when it cannot be found, and for calls through a proxy.
     * Only this one may be bound to a session. All that are found count where a caller must not be somebody: a header
     * that says that a call was forwarded does not make its sender anybody else.
     */
    public Optional<AgentProcess> ownProcess() {
        return local ? processes().stream().findFirst() : Optional.empty();
    }
}
