package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteFolderReviewersTest extends FolderReviewersContract {
    SqliteFolderReviewersTest() {
        super(Engine.SQLITE);
    }
}
