package dev.holdfast.cli.http;

import dev.holdfast.cli.http.HttpFailure.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How to verify that a broker with an https address is the intended one.
 *
 * @param authority a PEM file with trusted certificates; null: Java's own
 */
public record TlsTrust(@Nullable Path authority) {
    /** Java's own certificates. */
    public static final TlsTrust USUAL = new TlsTrust(null);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The same connection, encrypted and verified to end at the intended host. */
    Socket secured(Socket plain, Address address) throws HttpFailure {
        try {
            SSLSocket secured =
                    (SSLSocket) context().getSocketFactory().createSocket(plain, address.host(), address.port(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            secured.setSSLParameters(parameters);
            secured.setSoTimeout((int) PATIENCE.toMillis());
            secured.startHandshake();
            return secured;
        } catch (SSLException e) {
            throw new HttpFailure(
                    Kind.UNTRUSTED,
                    "its certificate is not trusted" + reason(e) + "; "
                            + (authority == null
                                    ? "set HOLDFAST_CA to the PEM file of the certificate that vouches for it"
                                    : "HOLDFAST_CA is " + authority),
                    e);
        } catch (GeneralSecurityException | IOException e) {
            throw new HttpFailure(Kind.NO_CONNECTION, String.valueOf(e.getMessage()), e);
        }
    }

    /** Java's message for an untrusted certificate is of no help. */
    private static String reason(SSLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("PKIX") ? "" : " (" + message + ")";
    }

    private SSLContext context() throws GeneralSecurityException, IOException {
        if (authority == null) {
            return SSLContext.getDefault();
        }
        KeyStore vouching = KeyStore.getInstance(KeyStore.getDefaultType());
        vouching.load(null, null);
        try (InputStream file = Files.newInputStream(authority)) {
            int count = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                vouching.setCertificateEntry("ca-" + count++, one);
            }
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(vouching);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
