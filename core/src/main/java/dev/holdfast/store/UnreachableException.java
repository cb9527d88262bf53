package dev.holdfast.store;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * There is no database at the configured address, or it refuses the connection: somebody must fix the setting or the
 * database.
 */
public final class UnreachableException extends StoreException {
    private UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }

    static UnreachableException at(PostgresAddress address, Throwable why) {
        return new UnreachableException(
                "cannot use PostgreSQL at " + address + ": "
                        + (answered(why.getCause())
                                ? why.getMessage()
                                : "nothing answers there. Check the host and the port, and that PostgreSQL is running"),
                why);
    }

    private static boolean answered(@Nullable Throwable cause) {
        return !(cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof SocketTimeoutException
                || cause instanceof UnknownHostException);
    }
}
