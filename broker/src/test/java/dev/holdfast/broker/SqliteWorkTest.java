package dev.holdfast.broker;

class SqliteWorkTest extends WorkContract {}
