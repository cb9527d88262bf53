package dev.holdfast.token;

import dev.holdfast.store.Engine;

class PostgresTokensTest extends TokensContract {
    PostgresTokensTest() {
        super(Engine.POSTGRES);
    }
}
