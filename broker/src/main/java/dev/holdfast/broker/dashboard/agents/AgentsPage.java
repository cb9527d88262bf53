package dev.holdfast.broker.dashboard.agents;

import dev.holdfast.agent.Agent;
import dev.holdfast.broker.dashboard.page.Held;
import dev.holdfast.broker.dashboard.page.QuietHolders;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which agents have gone quiet, then what each agent does. Agents started by another are listed under it. */
public record AgentsPage(Sources sources) {
    private static final int PAGE = 200;

    public Sheet show(Visit visit) {
        String after = Objects.requireNonNullElse(visit.query("after"), "");
        List<Agent> found = sources.agents().list(false, after, PAGE + 1);
        List<Agent> agents = found.subList(0, Math.min(PAGE, found.size()));
        Map<String, List<Claim>> held = sources.claims().held(null, null, null).stream()
                .filter(claim -> claim.resource().kind() != Kind.BROKER)
                .collect(Collectors.groupingBy(Claim::holder, LinkedHashMap::new, Collectors.toList()));
        List<AgentsView.Row> rows = rows(agents, held, after.isEmpty(), new Held(sources), visit.now());
        List<AgentsView.Row> quiet = rows.stream().filter(AgentsView.Row::quiet).toList();
        String heading = switch (quiet.size()) {
            case 0 -> "Agents";
            case 1 -> quiet.getFirst().actor().shown() + " has gone quiet";
            default -> quiet.size() + " agents have gone quiet";
        };
        String lead = rows.isEmpty()
                ? ""
                : atWork(
                                rows.stream()
                                        .filter(row -> row.holds() > 0 && !row.quiet())
                                        .count(),
                                rows.stream().filter(row -> row.holds() == 0).count(),
                                !quiet.isEmpty(),
                                found.size() > PAGE)
                        + " Agents started by another agent are listed under it.";
        AgentsView view = new AgentsView(
                heading, lead, rows, found.size() > PAGE ? agents.getLast().id() : null);
        return Sheet.of("agents", "Agents", view);
    }

    /**
     * The heading names the quiet agents, so they are not counted again.
     *
     * @param idle how many have a session and hold nothing
     */
    static String atWork(long others, long idle, boolean besideQuiet, boolean more) {
        String working = others == 0
                ? besideQuiet ? "Nobody else is" : "Nobody is"
                : others + (more ? " or more" : "") + (besideQuiet ? others == 1 ? " other is" : " others are" : "");
        String waiting =
                idle == 0 ? "" : ", " + idle + (more ? " or more" : "") + (idle == 1 ? " holds" : " hold") + " nothing";
        return working + " at work" + waiting + ".";
    }

    /** Those that have gone quiet come first, each with the agents that it started or that started it. */
    private static List<AgentsView.Row> rows(
            List<Agent> agents, Map<String, List<Claim>> held, boolean first, Held doing, Instant now) {
        List<List<AgentsView.Row>> families = new ArrayList<>();
        Set<String> known = agents.stream().map(Agent::id).collect(Collectors.toSet());
        Map<String, List<Agent>> children = agents.stream()
                .filter(agent -> agent.parent() != null && known.contains(agent.parent()))
                .collect(Collectors.groupingBy(agent -> Objects.requireNonNull(agent.parent())));
        agents.stream()
                .filter(agent -> agent.parent() == null || !known.contains(agent.parent()))
                .sorted(Comparator.comparing(Agent::lastSeenAt).reversed())
                .forEach(agent -> {
                    List<AgentsView.Row> family = new ArrayList<>();
                    add(family, agent, false, children, held, doing, now);
                    families.add(family);
                });
        if (first) {
            held.forEach((holder, claims) -> {
                if (!known.contains(holder)) {
                    families.add(List.of(withoutSession(holder, claims, doing, now)));
                }
            });
        }
        return families.stream()
                .sorted(Comparator.comparing(family -> family.stream().noneMatch(AgentsView.Row::quiet)))
                .flatMap(List::stream)
                .toList();
    }

    /** An agent and, below it, the agents it started, directly or indirectly. */
    private static void add(
            List<AgentsView.Row> rows,
            Agent agent,
            boolean child,
            Map<String, List<Agent>> children,
            Map<String, List<Claim>> held,
            Held doing,
            Instant now) {
        rows.add(row(agent, child, held.getOrDefault(agent.id(), List.of()), doing, now));
        children.getOrDefault(agent.id(), List.of()).forEach(next -> add(rows, next, true, children, held, doing, now));
    }

    private static AgentsView.Row row(Agent agent, boolean child, List<Claim> claims, Held doing, Instant now) {
        String place = agent.project() == null ? "" : ", " + agent.project();
        return made(
                new Actor(agent.id()),
                child,
                agent.kind() + place,
                claims,
                agent,
                new When(agent.startedAt(), now),
                doing,
                now);
    }

    private static AgentsView.Row withoutSession(String holder, List<Claim> claims, Held doing, Instant now) {
        return made(new Actor(holder), false, new Actor(holder).kind(), claims, null, null, doing, now);
    }

    private static AgentsView.Row made(
            Actor actor,
            boolean child,
            String kind,
            List<Claim> claims,
            @Nullable Agent session,
            @Nullable When since,
            Held doing,
            Instant now) {
        Claim shortest = claims.stream() // a reservation under another claim ends with it, and says less
                .min(Comparator.comparing((Claim claim) -> claim.resource().kind() == Kind.RESERVATION)
                        .thenComparing(Claim::expiresAt))
                .orElse(null);
        return new AgentsView.Row(
                actor,
                child,
                kind,
                shortest == null ? "" : doing.thing(shortest).title(),
                shortest == null ? "" : Held.path(shortest),
                claims.size(),
                shortest == null ? null : Lease.of(shortest, now),
                new When(QuietHolders.heard(claims, session), now),
                !QuietHolders.of(claims, session, now).isEmpty(),
                since);
    }
}
