package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresCatalogueTest extends CatalogueContract {
    PostgresCatalogueTest() {
        super(Engine.POSTGRES);
    }
}
