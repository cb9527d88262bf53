package dev.holdfast.broker.api;

import dev.holdfast.broker.config.Config;
import java.io.IOException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS with PEM files. Checks the files every few seconds and reloads them when they have changed; open connections keep
 * the certificate they started with. Files that cannot be used are logged, and the previous ones stay in use.
 */
final class TlsFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final PemFiles files;
    private final SslContextFactory.Server context = new SslContextFactory.Server();
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast-tls").factory());
    private PemFiles.Written read;

    /** @throws IOException saying what is wrong with which file */
    TlsFiles(Config.Tls tls) throws IOException {
        files = new PemFiles(tls);
        read = files.written();
        use(context, files.read());
        context.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        context.setSniRequired(false);
        var _ = looking.scheduleWithFixedDelay(this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    SslContextFactory.Server context() {
        return context;
    }

    /** Reads the files again if they have changed. */
    synchronized void look() {
        try {
            PemFiles.Written now = files.written();
            if (now.equals(read)) {
                return;
            }
            read = now;
            KeyStore fresh = files.read();
            context.reload(factory -> use((SslContextFactory.Server) factory, fresh));
            LOG.info("uses the new certificate in {}", files.files().certificate());
        } catch (Exception e) { // declared by Jetty
            LOG.warn("keeping the previous certificate: {}", e.getMessage());
        }
    }

    private static void use(SslContextFactory.Server factory, KeyStore keys) {
        factory.setKeyStore(keys);
        factory.setKeyStorePassword("");
        factory.setKeyManagerPassword("");
    }

    @Override
    public void close() {
        looking.shutdownNow();
    }
}
