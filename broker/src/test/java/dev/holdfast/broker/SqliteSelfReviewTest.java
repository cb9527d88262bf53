package dev.holdfast.broker;

class SqliteSelfReviewTest extends SelfReviewContract {}
