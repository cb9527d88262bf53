package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a certificate, and what becomes of them when they change. */
class TlsTest {
    static final Path PEM = Path.of("src/test/resources/dev/holdfast/broker/tls");

    @TempDir
    private Path folder;

    private Config.Tls files;

    @BeforeEach
    void copy() throws IOException {
        files = new Config.Tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
        put("first", "first", 1);
    }

    private void put(String certificate, String key, int at) throws IOException {
        copy(PEM.resolve(certificate + ".cert.pem"), files.certificate(), at);
        copy(PEM.resolve(key + ".key.pem"), files.key(), at);
    }

    private static void copy(Path from, Path to, int at) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(to, FileTime.from(Instant.ofEpochSecond(1_000_000 + at)));
    }

    private static String subject(TlsFiles tls) throws KeyStoreException {
        X509Certificate used = (X509Certificate) tls.context().getKeyStore().getCertificate("broker");
        return used.getSubjectX500Principal().getName();
    }

    @Test
    void changed_files_are_read_again_and_files_that_cannot_be_used_leave_the_ones_before() throws Exception {
        try (TlsFiles tls = new TlsFiles(files)) {
            tls.context().start();
            assertThat(subject(tls)).contains("first");
            Files.writeString(files.certificate(), "half of a cert");
            tls.look();
            assertThat(subject(tls)).contains("first");
            put("second", "second", 2);
            tls.look();
            assertThat(subject(tls)).contains("second");
            tls.context().stop();
        }
    }

    @Test
    void what_is_wrong_with_a_file_is_said_with_its_name_and_what_to_do() throws IOException {
        put("first", "second", 3);
        assertThatThrownBy(() -> new PemFiles(files).read())
                .hasMessageContaining("key.pem is not the key of the first certificate");
        put("first", "sec1", 4);
        assertThatThrownBy(() -> new PemFiles(files).read()).hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
        Files.writeString(files.key(), "nothing");
        assertThatThrownBy(() -> new PemFiles(files).read()).hasMessageContaining("key.pem contains no private key");
        Files.delete(files.certificate());
        assertThatThrownBy(() -> new TlsFiles(files)).hasMessageContaining("cert.pem");
    }
}
