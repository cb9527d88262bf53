package dev.holdfast.work;

import dev.holdfast.store.Engine;

class SqliteProtocolTest extends ProtocolContract {
    SqliteProtocolTest() {
        super(Engine.SQLITE);
    }
}
