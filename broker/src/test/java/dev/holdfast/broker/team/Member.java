package dev.holdfast.broker.team;

import dev.holdfast.broker.Given;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** A caller that uses TLS and a token, and knows one address. */
record Member(HttpClient http, URI address, String token) {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** @param body missing: this answer came not from a broker but from something in between */
    record Answer(int status, JsonNode body) {
        boolean ok() {
            return status == 200;
        }

        String text(String field) {
            return body.path(field).asString("");
        }

        String code() {
            return text("code");
        }

        long generation() {
            return body.path("claim_generation").asLong();
        }
    }

    /** A client that trusts the tests' certificate, to be shared: it keeps its connections open for the next caller. */
    static HttpClient client() {
        // shorter than the balancer's: a request sent while the other side closes is lost, and keeping a connection
        // longer is not worth causing a fault ourselves
        System.setProperty("jdk.httpclient.keepalive.timeout", "8");
        try (var in = Files.newInputStream(Balancer.certificate())) {
            Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("test", certificate);
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .sslContext(context)
                    .build();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    Member at(URI other) {
        return new Member(http, other, token);
    }

    /** Calls a verb with arguments given as name, value, …, once. */
    Answer call(String verb, Object... arguments) throws IOException, InterruptedException {
        return call(verb, Given.map(arguments), Duration.ofSeconds(30));
    }

    Answer call(String verb, Map<String, ?> arguments, Duration patience) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(arguments)))
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        return new Answer(response.statusCode(), parsed(response.body()));
    }

    /** The status of a page or an endpoint. */
    int get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(path))
                .header("Authorization", "Bearer " + token)
                .timeout(Duration.ofSeconds(10))
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException _) {
            return MissingNode.getInstance();
        }
    }
}
