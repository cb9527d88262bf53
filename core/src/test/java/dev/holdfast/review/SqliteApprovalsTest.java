package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteApprovalsTest extends ApprovalsContract {
    SqliteApprovalsTest() {
        super(Engine.SQLITE);
    }
}
