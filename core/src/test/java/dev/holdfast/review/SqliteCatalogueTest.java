package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteCatalogueTest extends CatalogueContract {
    SqliteCatalogueTest() {
        super(Engine.SQLITE);
    }
}
