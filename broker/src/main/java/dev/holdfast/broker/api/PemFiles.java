package dev.holdfast.broker.api;

import dev.holdfast.broker.config.Config;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A certificate and its key from PEM files; the key is PKCS#8 without a password. */
public record PemFiles(Config.Tls files) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ((?:[A-Z0-9]+ )+)PRIVATE KEY-----");

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    /** When the files were written; if this changes, read them again. */
    record Written(FileTime certificate, FileTime key) {}

    Written written() throws IOException {
        return new Written(Files.getLastModifiedTime(files.certificate()), Files.getLastModifiedTime(files.key()));
    }

    /** @throws IOException saying which file is wrong, why, and what to do */
    public KeyStore read() throws IOException {
        Certificate[] chain = chain();
        PrivateKey key = key();
        try {
            if (!belong(key, chain[0].getPublicKey())) {
                throw new IOException(
                        files.key() + " is not the key of the first certificate in " + files.certificate());
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("broker", key, new char[0], chain);
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    files.certificate() + " and " + files.key() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private Certificate[] chain() throws IOException {
        Collection<? extends Certificate> found;
        try {
            found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes(files.certificate())));
        } catch (GeneralSecurityException e) {
            throw new IOException(files.certificate() + " is not a PEM file with certificates: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new IOException(files.certificate() + " contains no certificate");
        }
        return found.toArray(Certificate[]::new);
    }

    private PrivateKey key() throws IOException {
        String text = new String(bytes(files.key()), StandardCharsets.ISO_8859_1);
        Matcher key = KEY.matcher(text);
        if (!key.find()) {
            Matcher other = OTHER_KEY.matcher(text);
            throw new IOException(
                    other.find()
                            ? files.key() + " has its key in another form ("
                                    + other.group(1).strip()
                                    + "); convert it with: openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW"
                            : files.key() + " contains no private key");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(key.group(1));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException another) {
                // try the next algorithm
            }
        }
        throw new IOException(files.key() + " uses an unsupported algorithm; use RSA, EC or Ed25519");
    }

    private static boolean belong(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        byte[] something = {1, 2, 3};
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(something);
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(certified);
            checking.update(something);
            return checking.verify(signing.sign());
        } catch (java.security.InvalidKeyException | java.security.SignatureException anothers) {
            return false;
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            String reason = switch (e) {
                case NoSuchFileException _ -> "it does not exist";
                case AccessDeniedException _ -> "permission denied";
                default -> e.getMessage();
            };
            throw new IOException("cannot read " + file + ": " + reason, e);
        }
    }
}
