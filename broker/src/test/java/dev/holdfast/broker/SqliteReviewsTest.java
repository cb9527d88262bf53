package dev.holdfast.broker;

class SqliteReviewsTest extends ReviewsContract {}
