package dev.holdfast.cli.http;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Tells what to show to whom. */
public interface TokenSource {
    /**
     * What proves to the broker at the other end who asks; null: nothing.
     *
     * @throws HttpFailure when nothing at all may be sent there
     */
    @Nullable
    String tokenFor(InetSocketAddress peer) throws HttpFailure;
}
