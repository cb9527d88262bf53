package dev.holdfast.broker.crash;

class SqliteOrphansTest extends OrphansContract {
    @Override
    BrokerProcess.Start start() {
        return BrokerProcess.Start.onSqlite(folder.resolve("data"));
    }
}
