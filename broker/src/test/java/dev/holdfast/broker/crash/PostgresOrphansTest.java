package dev.holdfast.broker.crash;

import dev.holdfast.testing.TestPostgres;

class PostgresOrphansTest extends OrphansContract {
    private final String database = TestPostgres.freshDatabase();

    @Override
    BrokerProcess.Start start() {
        return BrokerProcess.Start.onPostgres(database);
    }
}
