package dev.holdfast.work;

import dev.holdfast.store.Engine;

class PostgresProtocolTest extends ProtocolContract {
    PostgresProtocolTest() {
        super(Engine.POSTGRES);
    }
}
