package dev.holdfast.cli.http;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Decides which token to send to whom. */
public interface TokenSource {
    /**
     * The token for the broker at the other end; null: none.
     *
     * @throws HttpFailure when nothing at all may be sent there
     */
    @Nullable
    String tokenFor(InetSocketAddress peer) throws HttpFailure;
}
