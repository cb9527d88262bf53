package dev.holdfast.token;

import dev.holdfast.store.Engine;

class SqliteTokensTest extends TokensContract {
    SqliteTokensTest() {
        super(Engine.SQLITE);
    }
}
