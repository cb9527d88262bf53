package dev.holdfast.broker.verb;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.Caller;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where a call comes from: what its caller shows and says of itself, and the processes behind its connection. */
public final class Origin {
    /** Nothing is known of it. */
    public static final Origin UNKNOWN = new Origin(null, null, null, null, null, List::of);

    private final @Nullable String authorization;
    private final @Nullable String agent;
    private final @Nullable String person;
    private final @Nullable String space;
    private final @Nullable String repository;
    private final boolean local;
    private final Supplier<List<AgentProcess>> lookup;
    private final Supplier<Caller> identity;
    private @Nullable List<AgentProcess> processes;
    private @Nullable Caller caller;
    private @Nullable String notice;
    private @Nullable String key;

    /**
     * @param authorization the header of that name
     * @param agent who it says it is
     * @param person whose settings it runs with, which says who it is only where nothing else does
     * @param space of process numbers that it says it lives in
     * @param repository that it says it is in
     * @param local it comes from this machine, so that the folders it names are of this machine
     * @param lookup finds the processes; not asked before somebody wants to know
     */
    public Origin(
            @Nullable String authorization,
            @Nullable String agent,
            @Nullable String person,
            @Nullable String space,
            @Nullable String repository,
            boolean local,
            Supplier<List<AgentProcess>> lookup) {
        this(authorization, agent, person, space, repository, local, lookup, () -> Caller.UNKNOWN);
    }

    /** From this machine. */
    public Origin(
            @Nullable String authorization,
            @Nullable String agent,
            @Nullable String person,
            @Nullable String space,
            @Nullable String repository,
            Supplier<List<AgentProcess>> lookup) {
        this(authorization, agent, person, space, repository, true, lookup);
    }

    private Origin(
            @Nullable String authorization,
            @Nullable String agent,
            @Nullable String person,
            @Nullable String space,
            @Nullable String repository,
            boolean local,
            Supplier<List<AgentProcess>> lookup,
            Supplier<Caller> identity) {
        this.authorization = authorization;
        this.agent = agent;
        this.person = person;
        this.space = space;
        this.repository = repository;
        this.local = local;
        this.lookup = lookup;
        this.identity = identity;
    }

    /** The same place; who calls from there is found out when somebody wants to know. */
    public Origin calledBy(Supplier<Caller> who) {
        return new Origin(authorization, agent, person, space, repository, local, this::processes, who);
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

    /** Whether it comes from this machine: only then the folders it names are of this machine. */
    public boolean local() {
        return local;
    }

    /** Something that its caller should know beside the answer. */
    public synchronized void notice(String text) {
        notice = text;
    }

    public synchronized @Nullable String notice() {
        return notice;
    }

    /** The broker's key of the repository that the call is about. */
    public synchronized void isAbout(String repositoryKey) {
        key = repositoryKey;
    }

    public synchronized @Nullable String repositoryKey() {
        return key;
    }

    /** The process that called, its parent and so on; empty when it cannot be found. */
    public synchronized List<AgentProcess> processes() {
        if (processes == null) {
            processes = lookup.get();
        }
        return processes;
    }

    /** Who calls, as far as it is known. */
    public synchronized Caller caller() {
        if (caller == null) {
            caller = identity.get();
        }
        return caller;
    }
}
