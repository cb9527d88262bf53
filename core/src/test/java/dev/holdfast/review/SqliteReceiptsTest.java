package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteReceiptsTest extends ReceiptsContract {
    SqliteReceiptsTest() {
        super(Engine.SQLITE);
    }
}
