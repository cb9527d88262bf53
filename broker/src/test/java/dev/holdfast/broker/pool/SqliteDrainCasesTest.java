package dev.holdfast.broker.pool;

import dev.holdfast.store.Engine;

class SqliteDrainCasesTest extends DrainCasesContract {
    SqliteDrainCasesTest() {
        super(Engine.SQLITE);
    }
}
