package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Kind;
import dev.holdfast.token.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A broker that lets nobody in without a token, tokens of every role, and things of the project shop to try them on. */
final class TeamBroker implements AutoCloseable {
    final Broker broker;
    final BrokerClient user;
    final Map<Role, String> tokens = new EnumMap<>(Role.class);
    final Map<Role, String> expired = new EnumMap<>(Role.class);
    final Map<Role, String> revoked = new EnumMap<>(Role.class);
    final Map<Role, String> elsewhere = new EnumMap<>(Role.class);
    final Map<Kind, String> things = new EnumMap<>(Kind.class);

    TeamBroker(Path folder, Settings store) throws IOException {
        broker = Broker.start(Config.in(folder, store.put(Setting.LOOPBACK, "token")));
        int port = URI.create(broker.url()).getPort();
        user = new BrokerClient(
                broker.url(),
                Files.readString(folder.resolve("state/token-127.0.0.1-" + port))
                        .strip());
        // real seconds: this broker runs on its store's own clock
        for (Role role : Role.values()) {
            expired.put(role, create("old-" + role, role, "expires_seconds", 3));
        }
        for (Role role : Role.values()) {
            tokens.put(role, create("the-" + role, role));
            revoked.put(role, create("former-" + role, role));
            user.call("revoke_token", "token", "former-" + role);
            if (role != Role.ADMIN) {
                elsewhere.put(role, create("far-" + role, role, "projects", List.of("elsewhere")));
            }
        }
        create("somebody", Role.WORKER);
        make();
        try (BrokerClient late = new BrokerClient(broker.url(), expired.get(Role.ADMIN))) {
            await().until(() -> late.raw("who", "{}").status() == 401);
        }
    }

    /** One thing of each kind, not of any of these tokens. */
    private void make() {
        things.put(
                Kind.WORK,
                user.call("create_work", "title", "something", "queue", "shop")
                        .body()
                        .at("/item/id")
                        .asString());
        things.put(
                Kind.REVIEW,
                user.call("create_review", "intent", "something", "project", "shop", "diff", Given.DIFF)
                        .text("review_id"));
        String task = user.call(
                        "create_task", "name", "something", "namespace", "shop", "steps", List.of(Map.of("key", "one")))
                .text("task_id");
        things.put(Kind.FINALIZATION, task);
        things.put(Kind.STEP, task + ".one");
        user.call("start_session", "session_id", "not-theirs", "kind", "claude");
    }

    String create(String name, Role role, Object... more) {
        Reply reply = user.call("create_token", Given.with(more, "name", name, "roles", List.of(role.toString())));
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply.text("token");
    }

    @Override
    public void close() {
        user.close();
        broker.close();
    }
}
