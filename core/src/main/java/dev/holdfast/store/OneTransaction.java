package dev.holdfast.store;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Puts everything that asks for connections, such as migrations, into one transaction of one connection: whoever gets
 * it can roll it back, but only its owner commits and closes it.
 */
final class OneTransaction implements DataSource {
    private final Connection shared;

    /** @param connection in a transaction */
    OneTransaction(Connection connection) {
        shared = (Connection) Proxy.newProxyInstance(
                OneTransaction.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    switch (method.getName()) {
                        case "commit", "close", "setAutoCommit" -> {
                            return null;
                        }
                        default -> {
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause() == null ? e : e.getCause();
                            }
                        }
                    }
                });
    }

    @Override
    public Connection getConnection() {
        return shared;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("there is one connection");
    }

    // Required by DataSource but unused here.

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("not used");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
