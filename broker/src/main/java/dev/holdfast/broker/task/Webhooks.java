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
 * Calls addresses that tasks name. A broker stands where its callers may not reach, so it calls only the hosts that its
 * configuration lists, follows no redirects, and reads no answer but the status.
 */
public final class Webhooks implements AutoCloseable {
    /**
     * @param hosts that may be called, with or without a port; empty: none
     * @param secret signs what is sent
     * @param patience how long a call may take until the status of the answer is known
     * @param mostAttempts after so many it is given up
     */
    public record Rules(Set<String> hosts, String secret, Duration patience, int mostAttempts) {}

    private final Rules rules;
    /** One for each call that is under way. */
    private final Set<HttpClient> clients = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    public Webhooks(Rules rules) {
        this.rules = rules;
    }

    Rules rules() {
        return rules;
    }

    /** Checks an address before it is kept. */
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
     * @param key the same for every attempt at the same thing, so that the receiver can tell a repeat
     * @throws IOException it was not taken; it may be tried again
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
     * Everything together has to happen in time: looking up the host, connecting, and every line of the answer's head. Its body
     * is not read at all. Each call has a client of its own, as only the client's end is sure to end the connection: it would
     * be left open to one that sends headers without end.
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
