package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.token.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a token may do: the verbs of its roles. */
abstract class TokenRolesContract extends TeamClient {
    /** About what the caller itself has, whatever its project. */
    private static final Set<String> OWN = Set.of("heartbeat", "release", "end_session");

    /** They take the next one there is, or make one: no other's name or thing is in the call. */
    private static final Set<String> NOBODYS = Set.of("create_task");

    /** Refused, or as if what it is about did not exist. */
    private static final int ELSEWHERE = -1;

    TokenRolesContract(TeamBroker team) {
        super(team);
    }

    /** Every verb × role × own, other's, no token, expired, revoked, wrong project. */
    @Test
    void every_verb_answers_every_role_as_the_one_table_says() {
        Permissions.check(broker.verbs());
        List<String> wrong = new ArrayList<>();
        for (Verb verb : broker.verbs()) {
            expect(wrong, verb, "no token", null, "somebody", 401);
            for (Role role : Role.values()) {
                String self = "the-" + role;
                boolean may = mayCall(role, verb);
                expect(wrong, verb, role + " expired", team.expired.get(role), self, 401);
                expect(wrong, verb, role + " revoked", team.revoked.get(role), self, 401);
                if (!may) {
                    expect(wrong, verb, role + " own", token(role), self, 403);
                    continue;
                }
                boolean ofTheProposer = Set.of(
                                "close_review", "withdraw_review", "accept_counter_patch", "reject_counter_patch")
                        .contains(verb.name());
                expect(wrong, verb, role + " own", token(role), self, ofTheProposer && role != Role.ADMIN ? 403 : 0);
                boolean named = !verb.actors().isEmpty() || verb.name().equals("start_session");
                if (named) {
                    expect(wrong, verb, role + " other's", token(role), "somebody", 403);
                }
                if (role != Role.ADMIN && !NOBODYS.contains(verb.name())) {
                    expect(
                            wrong,
                            verb,
                            role + " wrong project",
                            team.elsewhere.get(role),
                            "far-" + role,
                            OWN.contains(verb.name()) ? 0 : ELSEWHERE);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** @param status 0: it is let in, whatever the verb then makes of such arguments */
    private void expect(List<String> wrong, Verb verb, String who, @Nullable String token, String actor, int status) {
        Reply reply = send(token, verb.name(), arguments(verb, actor));
        boolean letIn = reply.status() != 401 && reply.status() != 403 && reply.status() < 500;
        boolean domain = reply.status() == 403 && !reply.text("error").contains("token");
        boolean right = switch (status) {
            case 0 -> letIn || domain;
            case ELSEWHERE -> reply.status() == 403 || reply.text("error").endsWith(" in elsewhere");
            default -> reply.status() == status;
        };
        if (!right) {
            wrong.add(who + " " + verb.name() + ": " + reply.status() + " " + reply.body());
        }
    }

    @Test
    void what_the_broker_does_at_the_end_of_a_task_needs_the_role_for_it() {
        String processor = create("pat", Role.PROCESSOR);
        Reply refused = createTask(processor, "on_finish", Map.of("close_work", Map.of("id", "hf-x")));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("error")).contains("closes a work item; that needs worker or admin");
    }
}
