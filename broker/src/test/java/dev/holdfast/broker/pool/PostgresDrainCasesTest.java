package dev.holdfast.broker.pool;

import dev.holdfast.store.Engine;

class PostgresDrainCasesTest extends DrainCasesContract {
    PostgresDrainCasesTest() {
        super(Engine.POSTGRES);
    }
}
