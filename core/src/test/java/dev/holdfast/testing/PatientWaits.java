package dev.holdfast.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A wait in a test ends as soon as its condition holds. The timeout only decides how loaded a machine may be, so it is
 * generous, for every test of every module that has this class on its class path.
 */
public final class PatientWaits implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }
}
