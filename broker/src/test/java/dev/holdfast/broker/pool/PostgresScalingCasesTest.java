package dev.holdfast.broker.pool;

import dev.holdfast.store.Engine;

class PostgresScalingCasesTest extends ScalingCasesContract {
    PostgresScalingCasesTest() {
        super(Engine.POSTGRES);
    }
}
