package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresReceiptsTest extends ReceiptsContract {
    PostgresReceiptsTest() {
        super(Engine.POSTGRES);
    }
}
