package dev.holdfast.broker.mcp;

import dev.holdfast.broker.crash.BrokerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRestartTest extends RestartContract {
    @TempDir
    Path folder;

    @Override
    BrokerProcess.Start store() {
        return BrokerProcess.Start.onSqlite(folder);
    }
}
