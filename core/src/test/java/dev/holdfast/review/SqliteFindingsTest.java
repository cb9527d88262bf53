package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteFindingsTest extends FindingsContract {
    SqliteFindingsTest() {
        super(Engine.SQLITE);
    }
}
