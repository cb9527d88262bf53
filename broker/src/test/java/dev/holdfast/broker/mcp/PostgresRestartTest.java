package dev.holdfast.broker.mcp;

import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.TestPostgres;

class PostgresRestartTest extends RestartContract {
    private final String database = TestPostgres.freshDatabase();

    @Override
    BrokerProcess.Start store() {
        return BrokerProcess.Start.onPostgres(database);
    }
}
