package dev.holdfast.broker.task;

import dev.holdfast.claim.InvalidException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Calls the addresses that tasks name. A broker can reach places that its callers may not, so it calls only hosts
 * listed in its configuration, follows no redirects, and reads only the status of an answer.
 */
public final class Webhooks implements AutoCloseable {
    /**
     * @param hosts the hosts that may be called, with or without a port; empty: none
     * @param secret signs what is sent
     * @param patience how long a call may take until the answer's status is known
     * @param maxAttempts how many attempts are made before giving up
     */
    public record Rules(Set<String> hosts, String secret, Duration patience, int maxAttempts) {}

    private final Rules rules;
    /** One per running call. */
    private final Set<HttpClient> clients = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    public Webhooks(Rules rules) {
        this.rules = rules;
    }

    Rules rules() {
        return rules;
    }

    /** Checks an address before it is stored. */
    URI allowed(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException _) {
            throw new InvalidException("on_finish.webhook.url is not a valid address: " + url);
        }
        String host = uri.getHost();
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (host == null || uri.getUserInfo() != null || !(scheme.equals("https") || scheme.equals("http"))) {
            throw new InvalidException(
                    "on_finish.webhook.url must be https://host/path without a user name, not " + url);
        }
        String name = host.toLowerCase(Locale.ROOT);
        if (!rules.hosts().contains(name) && !rules.hosts().contains(name + ":" + uri.getPort())) {
            throw new InvalidException("on_finish.webhook: this broker does not call " + host
                    + "; its operator can allow it with tasks.webhook_hosts in the configuration");
        }
        if (scheme.equals("http") && !loopback(host)) {
            throw new InvalidException("on_finish.webhook.url must be https; http is for this machine only");
        }
        return uri;
    }

    private static boolean loopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }

    /**
     * @param key the same for every attempt at the same action, so that the receiver can detect repeats
     * @throws IOException when it was not accepted; it may be retried
     */
    void call(String url, String key, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(allowed(url))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .header("Holdfast-Signature", "sha256=" + signature(body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        int status = status(request);
        if (status / 100 != 2) {
            throw new IOException("it answered " + status);
        }
    }

    /**
     * The time limit covers everything: resolving the host, connecting, and all lines of the answer's header. The body
     * is not read. Each call has its own client, because only closing the client reliably ends the connection: a
     * receiver that sends endless headers would keep it open.
     */
    private int status(HttpRequest request) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(rules.patience())
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Thread::startVirtualThread)
                .build();
        clients.add(client);
        try {
            if (closed) {
                throw new IOException("the broker is stopping");
            }
            return client.sendAsync(request, BodyHandlers.ofInputStream())
                    .get(rules.patience().toMillis(), TimeUnit.MILLISECONDS)
                    .statusCode();
        } catch (TimeoutException e) {
            throw new IOException("it did not answer within " + rules.patience().toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException trouble ? trouble : new IOException(e.getCause());
        } finally {
            clients.remove(client);
            client.shutdownNow();
        }
    }

    private String signature(String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(rules.secret().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean closed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        clients.forEach(HttpClient::shutdownNow);
    }
}
