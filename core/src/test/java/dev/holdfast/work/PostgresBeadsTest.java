package dev.holdfast.work;

import dev.holdfast.store.Engine;

class PostgresBeadsTest extends BeadsContract {
    PostgresBeadsTest() {
        super(Engine.POSTGRES, 2_000);
    }
}
