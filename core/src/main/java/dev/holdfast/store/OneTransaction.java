package dev.holdfast.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;

/**
 * Puts everything that asks for connections, such as migrations, into one transaction of one connection: whoever gets
 * it can roll it back, but only its owner commits and closes it.
 */
final class OneTransaction implements ConnectionSource {
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
}
