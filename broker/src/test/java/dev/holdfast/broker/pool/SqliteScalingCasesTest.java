package dev.holdfast.broker.pool;

import dev.holdfast.store.Engine;

class SqliteScalingCasesTest extends ScalingCasesContract {
    SqliteScalingCasesTest() {
        super(Engine.SQLITE);
    }
}
