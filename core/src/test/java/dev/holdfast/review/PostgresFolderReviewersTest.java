package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresFolderReviewersTest extends FolderReviewersContract {
    PostgresFolderReviewersTest() {
        super(Engine.POSTGRES);
    }
}
